import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '#server/tables.ts'
import { pairOf } from './queries.ts'

/** Serializes deletions of members, so that the second of two concurrent ones sees that the first member is gone. */
export async function lockLeaving(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('rhubarb: members leave', 0))`.execute(tx)
}

/** Returns the partners of a member's conversations who are deleted. */
export async function listFormerPartners(tx: Tx, userId: number): Promise<number[]> {
  const { rows } = await sql<{ partner_id: number }>`
    with t as materialized (select partner_id from threads where member_id = ${userId})
    select partner_id from t where not exists (select from users u where u.id = t.partner_id)`.execute(tx)
  return rows.map(({ partner_id }) => partner_id)
}

/** Holds for the messages between a member and others. */
function ofConversations(userId: number, partners: readonly number[]): RawBuilder<boolean> {
  const pairs = partners.map((partner) => pairOf(userId, partner))
  const lows = pairs.map(([low]) => low)
  const highs = pairs.map(([, high]) => high)
  return sql`low_id = any (${lows}::bigint[])
    and (low_id, high_id) in (select * from unnest(${lows}::bigint[], ${highs}::bigint[]))`
}

/** Returns the photos of the messages between a member and others. */
export async function listSentPhotos(tx: Tx, userId: number, partners: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with m as materialized (select id from messages where has_images and ${ofConversations(userId, partners)})
    select i.id from m join images i on i.message_id = m.id`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Deletes the messages between a member and others, and returns their ids. */
export async function deleteConversations(
  tx: Tx,
  userId: number,
  partners: readonly number[],
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    delete from messages where ${ofConversations(userId, partners)} returning id`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Deletes a member's side of all conversations. */
export async function deleteThreads(db: Db, userId: number): Promise<void> {
  await db.deleteFrom('threads').where('member_id', '=', userId).execute()
}
