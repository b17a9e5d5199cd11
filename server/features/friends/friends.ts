import type { z } from 'zod/mini'
import type { Friend, FriendRequest, listFriendRequests, listFriends } from '#contract/friends.ts'
import { decodeIdCursor, type Page, paginate, positionOf } from '#server/platform/http/paging.ts'
import type { Db } from '#server/tables.ts'
import { listFriendRows, listRequestRows } from './queries.ts'

/** Returns a page of the caller's friends sorted by username; with `q`, of those whose username contains it. */
export async function friendsOf(
  db: Db,
  caller: number,
  { q = '', limit, cursor }: z.output<typeof listFriends.query>,
): Promise<Page<Friend>> {
  const after = cursor === undefined ? '' : positionOf(cursor, /^[a-z0-9_]{1,60}$/)
  const found = await listFriendRows(db, caller, after, q.toLowerCase(), limit + 1)
  return paginate(found, limit, ({ username }) => username.toLowerCase())
}

/** Returns a page of the friend requests to the caller, newest first. */
export async function requestsTo(
  db: Db,
  caller: number,
  { limit, cursor }: z.output<typeof listFriendRequests.query>,
): Promise<Page<FriendRequest>> {
  const found = await listRequestRows(db, caller, decodeIdCursor(cursor), limit + 1)
  return paginate(found, limit, ({ id }) => id)
}
