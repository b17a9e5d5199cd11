import { sql } from 'kysely'
import { profilePicture } from '#server/features/images/paths.ts'
import { friendsOf, me } from '#server/features/visibility/members.ts'
import type { Db, Row } from '#server/tables.ts'

const friendshipColumns = ['id', 'requester_id', 'status', 'declines', 'answered_at'] as const
export type FriendshipRow = Pick<Row<'friendships'>, (typeof friendshipColumns)[number]>

/** Returns the key of two members' friendship: the smaller id first. */
function pairOf(one: number, other: number) {
  return { low_id: Math.min(one, other), high_id: Math.max(one, other) }
}

export async function findFriendship(db: Db, one: number, other: number): Promise<FriendshipRow | undefined> {
  const { low_id, high_id } = pairOf(one, other)
  return db
    .selectFrom('friendships')
    .select(friendshipColumns)
    .where('low_id', '=', low_id)
    .where('high_id', '=', high_id)
    .executeTakeFirst()
}

/** Returns the requester of a pending request to this member. */
export async function findRequester(db: Db, id: number, receiver: number): Promise<number | undefined> {
  const row = await db
    .selectFrom('friendships')
    .select('requester_id')
    .where('id', '=', id)
    .where('receiver_id', '=', receiver)
    .where('status', '=', 'pending')
    .executeTakeFirst()
  return row?.requester_id
}

/** Inserts a request, or replaces a declined one. It gets a new id, which is returned. */
export async function upsertRequest(
  tx: Db,
  requester_id: number,
  receiver_id: number,
  declines: number,
): Promise<number> {
  const { low_id, high_id } = pairOf(requester_id, receiver_id)
  const { rows } = await sql<{ id: number }>`
    insert into friendships (low_id, high_id, requester_id, status)
    values (${low_id}, ${high_id}, ${requester_id}, 'pending')
    on conflict (low_id, high_id) do update
    set id = default, requester_id = excluded.requester_id, status = 'pending', created_at = now(), declines = ${declines}
    returning id`.execute(tx)
  const [row] = rows
  if (!row) throw new Error('A request was not stored')
  return row.id
}

export async function updateFriendship(
  tx: Db,
  id: number,
  changes: { status: 'accepted' | 'rejected'; declines: number; answered_at?: string },
): Promise<void> {
  await tx.updateTable('friendships').set(changes).where('id', '=', id).execute()
}

/** Deletes the friendship or request of two members. */
export async function deleteFriendship(tx: Db, one: number, other: number): Promise<void> {
  const { low_id, high_id } = pairOf(one, other)
  await tx.deleteFrom('friendships').where('low_id', '=', low_id).where('high_id', '=', high_id).execute()
}

/** Selects the ids of the friends of `me` as an array, so that they are read once and from indexes only. */
const friendIds = `array(${friendsOf('me.id')})`

/** Counts a member's friends, also suspended ones. */
export async function countFriends(db: Db, userId: number): Promise<number> {
  const { friends } = await db
    .selectFrom(me(userId))
    .select(sql.raw<number>(`cardinality(${friendIds})`).as('friends'))
    .executeTakeFirstOrThrow()
  return friends
}

/** Returns friends sorted by username: those after a username and with the word in theirs. Both are given in lower case. */
export function listFriendRows(db: Db, caller: number, after: string, word: string, limit: number) {
  const username = sql<string>`lower(u.username)`
  return db
    .selectFrom([me(caller), 'users as u'])
    .select(['u.id', 'u.username', 'u.city', 'u.state', profilePicture('u', 'small')])
    .where('u.id', '=', sql.raw<number>(`any (${friendIds})`))
    .where('u.suspended_at', 'is', null)
    .where(username, '>', after)
    .where(sql<boolean>`strpos(lower(u.username), ${word}) > 0`)
    .orderBy(username)
    .limit(limit)
    .execute()
}

/** Returns the pending requests to a member, newest first. */
export function listRequestRows(db: Db, receiver: number, before: number, limit: number) {
  return db
    .selectFrom('friendships as f')
    .innerJoin('users as u', 'u.id', 'f.requester_id')
    .select(['f.id', 'f.requester_id as user_id', 'u.username', profilePicture('u', 'small'), 'f.created_at'])
    .where('f.receiver_id', '=', receiver)
    .where('f.status', '=', sql.lit('pending'))
    .where('f.id', '<', before)
    .where('u.suspended_at', 'is', null)
    .orderBy('f.id', 'desc')
    .limit(limit)
    .execute()
}
