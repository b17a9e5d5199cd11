import type { Deps } from '#server/deps.ts'
import { jobKind } from '#server/platform/jobs.ts'
import { remindOwners } from './reminders.ts'

export const remindOwnersJob = jobKind<Record<never, never>>('remind-owners')

export function registerListingReminderJobs(deps: Pick<Deps, 'db' | 'jobs' | 'realtime'>) {
  deps.jobs.repeat(remindOwnersJob, '* * * * *', () => remindOwners(deps))
}
