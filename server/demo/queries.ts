import { type Insertable, sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import type { Tables } from '#server/tables.ts'
import type { TradedListing, TradeRows } from './rows.ts'

export async function hasMembers(db: Db<Tables>): Promise<boolean> {
  return (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined
}

/** Blocks registrations and other fills until the transaction ends. */
export async function lockMembers(tx: Db<Tables>): Promise<void> {
  await sql`lock table users in share row exclusive mode`.execute(tx)
}

export async function insertImages(
  tx: Db<Tables>,
  images: readonly Insertable<Tables['images']>[],
): Promise<void> {
  await tx
    .insertInto('images')
    .values([...images])
    .execute()
}

/** Sets the picture of each member to their avatar, which already has its row in `images`. */
export async function updatePictures(tx: Db<Tables>): Promise<void> {
  await sql`update users u set picture_name = i.name from images i where i.owner_id = u.id and i.purpose = 'avatar'`.execute(
    tx,
  )
}

/** Returns the ids by username. */
export async function insertMembers(
  tx: Db<Tables>,
  members: readonly Insertable<Tables['users']>[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await tx
    .insertInto('users')
    .values([...members])
    .returning(['id', 'username'])
    .execute()
  return new Map(rows.map(({ id, username }) => [username, id]))
}

export async function insertFriendships(
  tx: Db<Tables>,
  friendships: readonly Insertable<Tables['friendships']>[],
): Promise<void> {
  await tx
    .insertInto('friendships')
    .values([...friendships])
    .execute()
}

export async function insertListings(
  tx: Db<Tables>,
  listings: readonly Insertable<Tables['listings']>[],
): Promise<TradedListing[]> {
  return tx
    .insertInto('listings')
    .values([...listings])
    .returning(['id', 'owner_id', 'title', 'type_id', 'price', 'category_id'])
    .execute()
}

export async function insertTrade(tx: Db<Tables>, { trade, legs, thanks }: TradeRows): Promise<void> {
  const { id: trade_id } = await tx
    .insertInto('trades')
    .values(trade)
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('trade_legs')
    .values(legs.map((leg) => ({ ...leg, trade_id })))
    .execute()
  const members = new Set(legs.flatMap(({ giver_id, taker_id }) => [giver_id, taker_id]))
  const is_open = trade.expires_at !== null
  await tx
    .insertInto('trade_parties')
    .values([...members].map((member_id) => ({ trade_id, member_id, is_open })))
    .execute()
  if (thanks.length > 0)
    await tx
      .insertInto('thanks')
      .values(thanks.map((row) => ({ ...row, trade_id })))
      .execute()
}

export async function insertWants(
  tx: Db<Tables>,
  wants: readonly Insertable<Tables['wants']>[],
): Promise<void> {
  await tx
    .insertInto('wants')
    .values([...wants])
    .execute()
}

/** Returns the stored messages in the same order. */
export async function insertMessages(
  tx: Db<Tables>,
  messages: readonly Insertable<Tables['messages']>[],
): Promise<{ id: number; sender_id: number; receiver_id: number; created_at: string }[]> {
  const stored = await tx
    .insertInto('messages')
    .values([...messages])
    .returning(['id', 'sender_id', 'receiver_id', 'created_at'])
    .execute()
  return stored.sort((a, b) => a.id - b.id)
}

export async function insertThreads(
  tx: Db<Tables>,
  threads: readonly Insertable<Tables['threads']>[],
): Promise<void> {
  await tx
    .insertInto('threads')
    .values([...threads])
    .execute()
}

export async function findPasswordHash(db: Db<Tables>, email: string): Promise<string | undefined> {
  const member = await db
    .selectFrom('users')
    .select('password_hash')
    .where('email', '=', email)
    .executeTakeFirst()
  return member?.password_hash
}
