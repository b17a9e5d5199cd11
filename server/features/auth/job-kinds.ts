import { jobKind } from '#server/platform/jobs.ts'

export const sendWelcomeMail = jobKind<{ user_id: number }>('send-welcome-mail')
export const sendConfirmationMail = jobKind<{ user_id: number }>('send-confirmation-mail')
export const sendResetMail = jobKind<{ user_id: number }>('send-reset-mail')
export const sendPasswordChangedMail = jobKind<{ user_id: number }>('send-password-changed-mail')
/** Sends a mail to the replaced address. The job's data has it, because no row has it any more. */
export const sendEmailChangedMail = jobKind<{ user_id: number; old_email: string; was_confirmed: boolean }>(
  'send-email-changed-mail',
)
