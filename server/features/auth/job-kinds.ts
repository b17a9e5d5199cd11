import { jobKind } from '#server/platform/jobs.ts'

/** `is_approved` is true for who has waited for a moderator. */
export const sendWelcomeMail = jobKind<{ user_id: number; is_approved?: boolean }>('send-welcome-mail')
export const sendConfirmationMail = jobKind<{ user_id: number }>('send-confirmation-mail')
export const sendResetMail = jobKind<{ user_id: number }>('send-reset-mail')
export const sendPasswordChangedMail = jobKind<{ user_id: number }>('send-password-changed-mail')
/** Sends a mail to the replaced address. The job's data has it, because no row has it any more. */
export const sendEmailChangedMail = jobKind<{ user_id: number; old_email: string; was_confirmed: boolean }>(
  'send-email-changed-mail',
)
