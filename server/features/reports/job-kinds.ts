import type { Language } from '#contract/languages.ts'
import { jobKind } from '#server/platform/jobs.ts'

/** Mails a report to the operator. */
export const sendReportMail = jobKind<{ report_id: number }>('send-report-mail')
/** Mails a member what the desk has done. */
export const sendNoticeMail = jobKind<{ user_id: number; notice_id: number }>('send-notice-mail')
/** Mails a member whose account the desk has deleted. The job's data has the address, because no row has it any more, so the job is kept for a day. */
export const sendDeletionMail = jobKind<{
  email: string
  is_confirmed: boolean
  first_name: string
  language: Language | null
  reason: string
}>('send-deletion-mail', { keptSeconds: 24 * 60 * 60 })
/** Deletes the snapshots of reports that were closed long ago. */
export const forgetSnapshots = jobKind<Record<never, never>>('forget-snapshots')
/** Ends the suspensions whose time is over. */
export const endSuspensions = jobKind<Record<never, never>>('end-suspensions')
