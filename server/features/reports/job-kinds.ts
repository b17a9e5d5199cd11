import { jobKind } from '#server/platform/jobs.ts'

/** Mails a report to the operator. */
export const sendReportMail = jobKind<{ report_id: number }>('send-report-mail')
/** Mails a member what the desk has done. */
export const sendNoticeMail = jobKind<{ user_id: number; notice_id: number }>('send-notice-mail')
/** Deletes the snapshots of reports that were closed long ago. */
export const forgetSnapshots = jobKind<Record<never, never>>('forget-snapshots')
/** Ends the suspensions whose time is over. */
export const endSuspensions = jobKind<Record<never, never>>('end-suspensions')
