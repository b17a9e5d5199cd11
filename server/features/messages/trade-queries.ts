import { sql } from 'kysely'
import { firstPhoto } from '#server/features/images/paths.ts'
import type { Db } from '#server/tables.ts'
import { listingColumns, type MessageRow } from './queries.ts'
import { lockedConversations, pairColumns, sidesOfStored } from './sending-queries.ts'

/** The message that a trade begins with. */
export interface TradeMessage {
  readonly sender_id: number
  readonly receiver_id: number
  readonly content: string
  readonly listing_id: number
  readonly trade_id: number
}

/**
 * Locks the conversations in one order, as `insertMessages` does. The mail and the push are about the trade, so there are none about its
 * message: it does not set `unread_since` and `push_due_at`, which the next message sets.
 */
export async function insertWithTrade(tx: Db, messages: readonly TradeMessage[]): Promise<MessageRow[]> {
  const { rows } = await sql<MessageRow>`
    with drafts as materialized (
      select *, ${sql.raw(pairColumns)} from json_to_recordset(${JSON.stringify(messages)}::json) as x (
        sender_id bigint, receiver_id bigint, content text, listing_id bigint, trade_id bigint)
    ), ${sql.raw(lockedConversations('drafts'))}, stored as (
      insert into messages (low_id, high_id, sender_id, receiver_id, content, client_id, listing_id, trade_id, created_at)
      select low_id, high_id, sender_id, receiver_id, content, gen_random_uuid(), listing_id, trade_id, at
      from drafts cross join moment order by receiver_id
      returning id, sender_id, receiver_id, content, client_id, listing_id, trade_id, created_at
    ), sides as materialized (
      select * from ${sql.raw(sidesOfStored)}
    ), updated_threads as (
      insert into threads (member_id, partner_id, last_message_id, unread_count)
      select member_id, partner_id, id, unread from sides
      order by member_id, partner_id
      on conflict (member_id, partner_id) do update set
        last_message_id = excluded.last_message_id,
        unread_count = threads.unread_count + excluded.unread_count
    )
    select m.id, m.sender_id, m.receiver_id, m.content, m.created_at, m.client_id, m.trade_id, false as is_read, null as photos, ${sql.raw(listingColumns)}
    from stored m left join listings l on l.id = m.listing_id ${sql.raw(firstPhoto)}`.execute(tx)
  return rows
}
