import { limits } from '#contract/constants.ts'
import { dropJobs, getMailQueue, mailQueueMessages, retryJobs, sendTestMail } from '#contract/mail-queue.ts'
import type { Deps } from '#server/deps.ts'
import { type App, route } from '#server/platform/http/route.ts'
import { dropFailed, mailQueueOf, queueTestMail, retryFailed } from './mail-queue.ts'

export function mailQueueRoutes(app: App, { db, jobs, limits: rateLimits }: Deps) {
  const perDay = rateLimits('test mails', {
    attempts: limits.testMailsPerDay,
    limited: mailQueueMessages.tooManyTests,
  })
  route(app, getMailQueue, () => mailQueueOf(db))
  route(app, retryJobs, ({ member, body }) => retryFailed(db, member.id, body.id))
  route(app, dropJobs, ({ member, body }) => dropFailed(db, member.id, body.id))
  route(app, sendTestMail, async ({ member, body }) => {
    await perDay.attempt(String(member.id))
    return queueTestMail({ db, jobs }, member.id, body.email)
  })
}
