import type { Deps } from '#server/deps.ts'
import { confirmedAddressee } from '#server/features/auth/addressee.ts'
import { createUnconfirmedMailLimit } from '#server/features/auth/mail-limit.ts'
import { endedSuspensions, forgetSuspension, isSuspensionOver } from '#server/features/auth/suspensions.ts'
import { lockMembers } from '#server/features/members/lock-members.ts'
import { inTransaction } from '#server/platform/db/database.ts'
import {
  endSuspensions,
  forgetSnapshots,
  sendDeletionMail,
  sendNoticeMail,
  sendReportMail,
} from './job-kinds.ts'
import { deletionMail } from './mails/deletion.ts'
import { noticeMail } from './mails/notice.ts'
import { reportMail } from './mails/report.ts'
import { restoreInTransaction } from './moderation.ts'
import { findNotice } from './notice-queries.ts'
import { findReport } from './queries.ts'
import { forgetOldSnapshots } from './snapshots.ts'

/** The suspensions that one run ends. The next run, minutes later, ends others. */
const endedPerRun = 100

export function registerReportJobs(
  deps: Pick<Deps, 'db' | 'events' | 'jobs' | 'limits' | 'mailer' | 'realtime' | 'site' | 'translatorFor'>,
) {
  const { db, jobs, limits, mailer, site, translatorFor } = deps
  const sendToUnconfirmed = createUnconfirmedMailLimit(limits)
  jobs.handle(sendReportMail, async ({ report_id }, job) => {
    const report = await findReport(db, report_id)
    if (report) await mailer.send(reportMail(report, site.current().support_email, translatorFor(null)), job)
  })
  jobs.handle(sendNoticeMail, async (data, job) => {
    const member = await confirmedAddressee(db, sendNoticeMail, data)
    const notice = member && (await findNotice(db, data.notice_id))
    if (!notice) return
    await mailer.send(
      noticeMail(member, notice, site.current().support_email, translatorFor(member.language)),
      job,
    )
  })
  jobs.handle(sendDeletionMail, async ({ is_confirmed, language, ...deleted }, job) => {
    const mail = deletionMail(deleted, site.current().support_email, translatorFor(language))
    const send = () => mailer.send(mail, job)
    if (is_confirmed) await send()
    else await sendToUnconfirmed(deleted.email, send)
  })
  jobs.repeat(forgetSnapshots, '53 3 * * *', () => forgetOldSnapshots(db))
  jobs.repeat(endSuspensions, '*/5 * * * *', async () => {
    for (const id of await endedSuspensions(db, endedPerRun))
      await inTransaction(db, async (tx) => {
        const [active] = await lockMembers(tx, [id])
        // A moderator may have lifted it or suspended the member anew.
        if (!(await isSuspensionOver(tx, id))) return
        // An older release has restored the member, and left the row.
        if (active !== undefined) await forgetSuspension(tx, id)
        else await restoreInTransaction(deps, tx, id, { actor: null })
      })
  })
}
