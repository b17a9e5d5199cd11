import type { Deps } from '#server/deps.ts'
import { jobKind } from '#server/platform/jobs.ts'
import { reportForOperator } from './mails/report.ts'
import { findReport } from './queries.ts'

export const sendReportMail = jobKind<{ report_id: number }>('send-report-mail')

export function registerReportJobs({
  db,
  jobs,
  mailer,
  publicUrl,
  site,
}: Pick<Deps, 'db' | 'jobs' | 'mailer' | 'publicUrl' | 'site'>) {
  jobs.handle(sendReportMail, async ({ report_id }) => {
    const report = await findReport(db, report_id)
    if (report) await mailer.send(reportForOperator(report, { publicUrl, supportEmail: site.support_email }))
  })
}
