import type { Deps } from '#server/deps.ts'
import { jobKind } from '#server/platform/jobs.ts'
import { reportMail } from './mails/report.ts'
import { findReport } from './queries.ts'

/** Mails a report to the operator. */
export const sendReportMail = jobKind<{ report_id: number }>('send-report-mail')

export function registerReportJobs({
  db,
  jobs,
  mailer,
  site,
  translatorFor,
}: Pick<Deps, 'db' | 'jobs' | 'mailer' | 'site' | 'translatorFor'>) {
  jobs.handle(sendReportMail, async ({ report_id }, job) => {
    const report = await findReport(db, report_id)
    if (report) await mailer.send(reportMail(report, site.support_email, translatorFor(null)), job)
  })
}
