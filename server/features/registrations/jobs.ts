import type { Deps } from '#server/deps.ts'
import { createUnconfirmedMailLimit } from '#server/features/auth/mail-limit.ts'
import { forgetRegistrationRequests } from '#server/features/auth/registration-requests.ts'
import { jobKind } from '#server/platform/jobs.ts'
import { sendRefusalMail } from './job-kinds.ts'
import { refusalMail } from './mails/refusal.ts'

export const forgetRequests = jobKind<Record<never, never>>('forget-registration-requests')

/** The days for which a request waits. */
const requestDays = 30

export function registerRegistrationJobs({
  db,
  jobs,
  limits,
  mailer,
  site,
  translatorFor,
}: Pick<Deps, 'db' | 'jobs' | 'limits' | 'mailer' | 'site' | 'translatorFor'>) {
  const sendToUnconfirmed = createUnconfirmedMailLimit(limits)
  jobs.handle(sendRefusalMail, async ({ language, ...refused }, job) => {
    const mail = refusalMail(refused, site.current().support_email, translatorFor(language))
    await sendToUnconfirmed(refused.email, () => mailer.send(mail, job))
  })
  jobs.repeat(forgetRequests, '27 3 * * *', () => forgetRegistrationRequests(db, requestDays))
}
