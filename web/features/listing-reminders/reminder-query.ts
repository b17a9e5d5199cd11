import { getReminder } from '#contract/listing-reminders.ts'
import { endpointQuery } from '#web/api/endpoint-query.ts'

/** Defines the query of the listing that the link of a mail asks about. */
export function reminderQuery(token: string) {
  return endpointQuery(['listing-reminder', token], getReminder, { query: { token } }, { retry: false })
}
