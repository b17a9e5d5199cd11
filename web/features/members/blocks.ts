import { queryOptions } from '@tanstack/react-query'
import { blockMember, listBlocks, unblockMember } from '#contract/members.ts'
import { isMissing } from '#web/api/api-error.ts'
import { call } from '#web/api/client.ts'
import { queryClient } from '#web/api/query-client.ts'

/** Whom the member has blocked. */
export const blocksQuery = queryOptions({
  queryKey: ['blocks'],
  queryFn: ({ signal }) => call(listBlocks, {}, { signal }),
})

/** A block ends a friendship and changes what both may see, so all that is shown is asked for anew. */
export async function block(id: number) {
  await call(blockMember, { params: { id } })
  await queryClient.invalidateQueries()
}

/** A block that another tab has ended already is ended as well. */
export async function unblock(id: number) {
  try {
    await call(unblockMember, { params: { id } })
  } catch (failure) {
    if (!isMissing(failure)) throw failure
  }
  await queryClient.invalidateQueries()
}
