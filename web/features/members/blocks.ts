import type { QueryClient } from '@tanstack/react-query'
import { blockMember, listBlocks, unblockMember } from '#contract/members.ts'
import { ignoreNotFound } from '#web/api/api-error.ts'
import { call } from '#web/api/client.ts'
import { endpointQuery } from '#web/api/endpoint-query.ts'

/** Defines the query of the members that the caller has blocked. */
export const blocksQuery = endpointQuery(['blocks'], listBlocks, {})

/** Blocks a member. Invalidates all queries, because a block ends a friendship and hides listings. */
export async function block(client: QueryClient, id: number) {
  await call(client, blockMember, { params: { id } })
  await client.invalidateQueries()
}

/** Ends a block. Ignores a 404, because another tab may have ended it. */
export async function unblock(client: QueryClient, id: number) {
  await call(client, unblockMember, { params: { id } }).catch(ignoreNotFound)
  await client.invalidateQueries()
}
