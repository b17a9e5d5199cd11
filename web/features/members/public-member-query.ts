import { queryOptions } from '@tanstack/react-query'
import { getPublicMember } from '#contract/members.ts'
import { call } from '#web/api/client.ts'

/** What any member may know of another. */
export function publicMemberQuery(id: number) {
  return queryOptions({
    queryKey: ['members', id],
    queryFn: ({ signal }) => call(getPublicMember, { params: { id } }, { signal }),
  })
}
