import type { Deps } from '#server/deps.ts'
import { jobKind } from '#server/platform/jobs.ts'
import { mailReminder, pushReminder, reminderMail, reminderPush, remindOwners } from './reminders.ts'

export const remindOfEnd = jobKind<Record<never, never>>('remind-owners')

type Needs = Pick<Deps, 'db' | 'jobs' | 'mailer' | 'publicUrl' | 'pusher' | 'realtime' | 'site'>

export function listingReminderJobs(deps: Needs) {
  deps.jobs.repeat(remindOfEnd, '* * * * *', () => remindOwners(deps))
  deps.jobs.handle(reminderMail, (data) => mailReminder(deps, data))
  deps.jobs.handle(reminderPush, (data) => pushReminder(deps, data))
}
