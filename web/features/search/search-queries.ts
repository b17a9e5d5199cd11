import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { CategoryId } from '#contract/constants.ts'
import { searchMembers } from '#contract/members.ts'
import { searchWants } from '#contract/wants.ts'
import { call, callPage } from '#web/api/client.ts'
import { infiniteListOptions } from '#web/api/infinite-list.ts'

/** What other members want, page by page. */
export function foundWantsQuery(q: string | undefined, category_id: CategoryId | undefined) {
  return infiniteListOptions(
    ['wants', 'found', q ?? null, category_id ?? null],
    (client, cursor, signal) =>
      callPage(client, searchWants, { query: { q, category_id, cursor } }, { signal }),
    { placeholderData: keepPreviousData },
  )
}

/** Members by username; without words those nearest. */
export function foundMembersQuery(q: string | undefined) {
  return queryOptions({
    queryKey: ['members', 'found', q ?? null],
    queryFn: ({ client, signal }) => call(client, searchMembers, { query: { q } }, { signal }),
    placeholderData: keepPreviousData,
  })
}
