import { sql } from 'kysely'
import type { Db, Tx } from '#server/tables.ts'
import { lockConversations } from './sending-queries.ts'

/** Withdraws or restores the messages of a member, or those that are younger than a moment, and returns their receivers. */
export async function updateWithdrawn(
  tx: Tx,
  sender: number,
  is_withdrawn: boolean,
  after?: string,
): Promise<number[]> {
  const rows = await tx
    .updateTable('messages')
    .set({ is_withdrawn })
    .where('sender_id', '=', sender)
    .where('is_withdrawn', '=', !is_withdrawn)
    .$if(after !== undefined, (messages) => messages.where('created_at', '>', after ?? ''))
    .returning('receiver_id')
    .execute()
  return [...new Set(rows.map(({ receiver_id }) => receiver_id))]
}

export async function hasWithdrawn(db: Db, sender: number): Promise<boolean> {
  const message = await db
    .selectFrom('messages')
    .select('id')
    .where('sender_id', '=', sender)
    .where('is_withdrawn', '=', true)
    .limit(1)
    .executeTakeFirst()
  return message !== undefined
}

/** Returns the members whose messages to a member are withdrawn, at most so many. */
export async function listSenders(db: Db, receiver: number, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom('threads')
    .select('partner_id')
    .where('member_id', '=', receiver)
    .where('has_withdrawn', '=', true)
    .orderBy('partner_id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ partner_id }) => partner_id)
}

/** Locks the conversations of a sender with receivers until the transaction ends, so that no message is stored while they are counted. */
export async function lockReceivers(tx: Tx, sender: number, receivers: readonly number[]): Promise<void> {
  await sql`
    with pairs as (
      select least(id, ${sender}::bigint) as low_id, greatest(id, ${sender}::bigint) as high_id
      from unnest(${receivers}::bigint[]) as id
    ) ${sql.raw(lockConversations('pairs'))}`.execute(tx)
}

/**
 * Sets the last message and the unread messages of the receivers' threads with a sender by the messages that they may see. A mail about
 * restored unread messages is due in some minutes, if there was none.
 */
export async function recountThreads(tx: Tx, sender: number, receivers: readonly number[]): Promise<void> {
  await sql`
    with t as materialized (
      select member_id, last_read_id, mailed_at from threads
      where member_id = any (${receivers}::bigint[]) and partner_id = ${sender}
    ), m as materialized (
      select id, sender_id, is_withdrawn and sender_id = ${sender} as is_gone,
        case when sender_id = ${sender} then receiver_id else sender_id end as member_id from messages
      where low_id = any (${receivers.map((id) => Math.min(id, sender))}::bigint[])
        and (low_id, high_id) in (
          select least(id, ${sender}::bigint), greatest(id, ${sender}::bigint) from unnest(${receivers}::bigint[]) as id
        )
    ), counted as materialized (
      select t.member_id, max(m.id) filter (where not m.is_gone) as last_message_id,
        count(m.id) filter (where m.sender_id = ${sender} and not m.is_gone and m.id > t.last_read_id)::int as unread_count,
        coalesce(bool_or(m.is_gone), false) as has_withdrawn, t.mailed_at, now() as at
      from t left join m on m.member_id = t.member_id
      group by t.member_id, t.mailed_at
    )
    update threads set last_message_id = counted.last_message_id, unread_count = counted.unread_count, push_due_at = null,
      has_withdrawn = counted.has_withdrawn,
      unread_since = case when counted.unread_count > 0 and counted.mailed_at is null then counted.at end
    from counted where threads.member_id = counted.member_id and threads.partner_id = ${sender}`.execute(tx)
}
