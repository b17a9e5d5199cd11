import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { blockMember, listBlocks, unblockMember } from '#contract/members.ts'
import { isMissing } from '#web/api/api-error.ts'
import { call } from '#web/api/client.ts'

/** Whom the member has blocked. */
export const blocksQuery = queryOptions({
  queryKey: ['blocks'],
  queryFn: ({ client, signal }) => call(client, listBlocks, {}, { signal }),
})

/** A block ends a friendship and changes what both may see, so all that is shown is asked for anew. */
export async function block(client: QueryClient, id: number) {
  await call(client, blockMember, { params: { id } })
  await client.invalidateQueries()
}

/** A block that another tab has ended already is ended as well. */
export async function unblock(client: QueryClient, id: number) {
  try {
    await call(client, unblockMember, { params: { id } })
  } catch (failure) {
    if (!isMissing(failure)) throw failure
  }
  await client.invalidateQueries()
}
