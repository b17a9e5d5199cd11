import { jobKind } from '#server/platform/jobs.ts'

export const welcomeMail = jobKind<{ user_id: number }>('welcome-mail')
export const confirmEmailMail = jobKind<{ user_id: number }>('confirm-email-mail')
export const resetMail = jobKind<{ user_id: number }>('reset-mail')
export const passwordChangedMail = jobKind<{ user_id: number }>('password-changed-mail')
/** Sends a mail to the replaced address. The job's data has it, because no row has it any more. */
export const emailChangedMail = jobKind<{ user_id: number; old_email: string; was_confirmed: boolean }>(
  'email-changed-mail',
)
