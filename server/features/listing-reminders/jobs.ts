import type { Deps } from '#server/deps.ts'
import { jobKind } from '#server/platform/jobs.ts'
import { mailReminder, pushReminder, remindOwners, sendReminderMail, sendReminderPush } from './reminders.ts'

export const remindOwnersJob = jobKind<Record<never, never>>('remind-owners')

type JobDeps = Pick<Deps, 'db' | 'jobs' | 'mailer' | 'publicUrl' | 'pusher' | 'realtime'>

export function registerListingReminderJobs(deps: JobDeps) {
  deps.jobs.repeat(remindOwnersJob, '* * * * *', () => remindOwners(deps))
  deps.jobs.handle(sendReminderMail, (data, job) => mailReminder(deps, data, job))
  deps.jobs.handle(sendReminderPush, (data) => pushReminder(deps, data))
}
