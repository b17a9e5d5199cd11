import { queryOptions } from '@tanstack/react-query'
import { getProfile } from '#contract/auth.ts'
import { call } from '#web/api/client.ts'

/** The query of the member's own profile. */
export const profileQuery = queryOptions({
  queryKey: ['profile'],
  queryFn: ({ client, signal }) => call(client, getProfile, {}, { signal }),
})
