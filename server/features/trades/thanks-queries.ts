import { existsStatement, rowStatement, statement } from '#server/platform/db/database.ts'
import type { Row } from '#server/tables.ts'

export interface TradeThanksRow extends Omit<Row<'thanks'>, 'hidden_at'> {
  is_hidden: boolean
}

/** Returns the thank-yous of trades. The author of a hidden one still sees it. Those of suspended members are hidden. */
export const listThanksOfTrades = statement<[caller: number, trades: readonly number[]], TradeThanksRow>(
  `select k.id, k.trade_id, k.author_id, k.receiver_id, k.text, k.listing_title, k.created_at,
     k.author_id <> $1 and (k.hidden_at is not null or a.suspended_at is not null) as is_hidden
   from thanks k join users a on a.id = k.author_id where k.trade_id = any ($2::bigint[]) order by k.id`,
)

export interface ThanksRow extends Omit<Row<'thanks'>, 'hidden_at'> {
  author_username: string
  author_picture: string | null
}

const columns = `k.id, k.trade_id, k.author_id, k.receiver_id, k.text, k.listing_title, k.created_at,
  a.username as author_username, a.picture_name as author_picture`

/** Lists thank-yous, newest first, without hidden ones and those of members whom the caller has blocked. */
export const listThanksTo = statement<
  [caller: number, receiver: number, before: number, limit: number],
  ThanksRow
>(
  `select ${columns} from thanks k join users a on a.id = k.author_id
   where k.receiver_id = $2 and k.id < $3 and k.hidden_at is null and a.suspended_at is null
     and not exists (select from blocks b where b.blocker_id = $1 and b.blocked_id = k.author_id)
   order by k.id desc limit $4`,
)

/** Inserts a thank-you unless its author has thanked for the trade already. */
export const insertThanks = statement<
  [trade: number, author: number, receiver: number, text: string, title: string | null],
  object
>(
  `insert into thanks (trade_id, author_id, receiver_id, text, listing_title) values ($1, $2, $3, $4, $5)
   on conflict (trade_id, author_id) do nothing`,
)

export const findThanks = rowStatement<[trade: number, author: number], ThanksRow>(
  `select ${columns} from thanks k join users a on a.id = k.author_id where k.trade_id = $1 and k.author_id = $2`,
)

/** Hides a thank-you. Returns false if the member has not received it. */
export const updateThanksHidden = existsStatement<[id: number, receiver: number]>(
  'update thanks set hidden_at = coalesce(hidden_at, now()) where id = $1 and receiver_id = $2 returning id',
)

/** Returns whether a member may see a thank-you. */
export const isThanksShown = existsStatement<[id: number, caller: number]>(
  `select from thanks k join users a on a.id = k.author_id
   where k.id = $1 and (k.hidden_at is null or k.receiver_id = $2) and a.suspended_at is null`,
)
