import type { Deps } from '#server/deps.ts'
import { jobKind } from '#server/platform/jobs.ts'
import { welcome } from './mails/welcome.ts'
import { deleteExpiredAttempts, deleteExpiredSessions, findWelcome } from './queries.ts'

export const welcomeMail = jobKind<{ user_id: number }>('welcome-mail')
const cleanUp = jobKind<Record<never, never>>('clean-up-logins')

export function authJobs({
  db,
  jobs,
  mailer,
  publicUrl,
  site,
}: Pick<Deps, 'db' | 'jobs' | 'mailer' | 'publicUrl' | 'site'>) {
  jobs.handle(welcomeMail, async ({ user_id }) => {
    const member = await findWelcome(db, user_id)
    if (member) await mailer.send(welcome(member, { publicUrl, supportEmail: site.support_email }))
  })
  jobs.repeat(cleanUp, '17 * * * *', async () => {
    await deleteExpiredSessions(db)
    await deleteExpiredAttempts(db)
  })
}
