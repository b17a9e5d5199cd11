import type { Deps } from '#server/deps.ts'
import { createUnconfirmedMailLimit } from '#server/features/auth/mail-limit.ts'
import { jobKind } from '#server/platform/jobs.ts'
import { sendInvitation, sendInvitationMail } from './invitations.ts'
import { deleteOldInvitations } from './queries.ts'

const cleanUp = jobKind<Record<never, never>>('clean-up-invitations')

const keptDays = 60

export function registerInvitationJobs(
  deps: Pick<Deps, 'db' | 'jobs' | 'limits' | 'mailer' | 'publicUrl' | 'translatorFor'>,
) {
  const sendToUnconfirmed = createUnconfirmedMailLimit(deps.limits)
  deps.jobs.handle(sendInvitationMail, (data, job) =>
    sendInvitation({ ...deps, sendToUnconfirmed }, data, job),
  )
  deps.jobs.repeat(cleanUp, '47 * * * *', async () => {
    const before = new Date(Date.now() - keptDays * 24 * 60 * 60 * 1000)
    await deleteOldInvitations(deps.db, before.toISOString())
  })
}
