import { queryOptions } from '@tanstack/react-query'
import { getPreferences } from '#contract/profile.ts'
import { call } from '#web/api/client.ts'

/** The query of the member's mail preferences. */
export const preferencesQuery = queryOptions({
  queryKey: ['preferences'],
  queryFn: ({ client, signal }) => call(client, getPreferences, {}, { signal }),
})
