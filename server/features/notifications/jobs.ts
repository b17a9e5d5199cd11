import type { Deps } from '#server/deps.ts'
import { inBatches } from '#server/platform/db/database.ts'
import { jobKind } from '#server/platform/jobs.ts'
import { deleteOldDeliveries } from './delivery-queries.ts'
import { handlePreviousJobs } from './previous-release.ts'
import { completeNotifications, deleteOldNotifications } from './queries.ts'
import { deliverDue, dispatch, sendMail, sendPush } from './scheduling.ts'
import { type Hub, sendOneMail, sendOnePush } from './sending.ts'

const cleanUp = jobKind<Record<never, never>>('clean-up-notifications')

const keptDays = 90
const completedPerBatch = 5000

type JobDeps = Pick<Deps, 'db' | 'jobs' | 'mailer' | 'pusher' | 'translatorFor'>

export function registerNotificationJobs(deps: JobDeps, hub: Hub) {
  const { db, jobs } = deps
  jobs.repeat(deliverDue, '* * * * *', async () => {
    await inBatches(db, completedPerBatch, (tx) => completeNotifications(tx, completedPerBatch))
    await dispatch(deps, hub)
  })
  jobs.handle(sendMail, (data, job) => sendOneMail(deps, hub, data, job))
  jobs.handle(sendPush, (data) => sendOnePush(deps, hub, data))
  jobs.repeat(cleanUp, '37 * * * *', async () => {
    const before = new Date(Date.now() - keptDays * 24 * 60 * 60 * 1000).toISOString()
    await deleteOldNotifications(db, before)
    await deleteOldDeliveries(db, before)
  })
  handlePreviousJobs(deps)
}
