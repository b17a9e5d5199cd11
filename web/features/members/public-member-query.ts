import { queryOptions } from '@tanstack/react-query'
import { getPublicMember } from '#contract/members.ts'
import { call } from '#web/api/client.ts'
import { publicMemberKey } from './public-member-key.ts'

/** Defines the query of a member's public profile. */
export function publicMemberQuery(id: number) {
  return queryOptions({
    queryKey: publicMemberKey(id),
    queryFn: ({ client, signal }) => call(client, getPublicMember, { params: { id } }, { signal }),
  })
}
