import { queryOptions } from '@tanstack/react-query'
import { getReminder } from '#contract/listing-reminders.ts'
import { call } from '#web/api/client.ts'

/** Defines the query of the listing that the link of a mail asks about. */
export function reminderQuery(token: string) {
  return queryOptions({
    queryKey: ['listing-reminder', token],
    queryFn: ({ client, signal }) => call(client, getReminder, { query: { token } }, { signal }),
    retry: false,
  })
}
