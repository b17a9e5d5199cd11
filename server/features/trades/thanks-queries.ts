import { type Insertable, sql } from 'kysely'
import type { BriefMember } from '#contract/fields.ts'
import { briefMember } from '#server/features/members/brief-member.ts'
import { isLegWithheld } from '#server/features/visibility/listings.ts'
import { hasBlocked, me } from '#server/features/visibility/members.ts'
import { anyOf } from '#server/platform/db/expressions.ts'
import type { Db, Tables } from '#server/tables.ts'

const isAnyLegWithheld = sql.raw(isLegWithheld('leg', 'me.id'))

/** Selects thank-yous `k` and their authors `a` as the caller `me` sees them. */
function selectThanks(db: Db, caller: number) {
  return db
    .selectFrom([me(caller), 'thanks as k'])
    .innerJoin('users as a', 'a.id', 'k.author_id')
    .select(['k.id', 'k.trade_id', 'k.author_id', 'k.receiver_id', 'k.text', 'k.created_at'])
    .select(
      sql<string | null>`case when not exists (
        select from trade_legs leg where leg.trade_id = k.trade_id and ${isAnyLegWithheld}
      ) then k.listing_title end`.as('listing_title'),
    )
}

export type TradeThanksRow = Awaited<ReturnType<typeof listThanksOfTrades>>[number]

/** Returns the thank-yous of trades. The author of a hidden one still sees it. Those of suspended members are hidden. */
export function listThanksOfTrades(db: Db, caller: number, trades: readonly number[]) {
  return selectThanks(db, caller)
    .select(
      sql<boolean>`k.author_id <> ${caller} and (k.hidden_at is not null or a.suspended_at is not null)`.as(
        'is_hidden',
      ),
    )
    .where('k.trade_id', '=', anyOf(trades))
    .orderBy('k.id')
    .execute()
}

const authorMember = sql.raw<BriefMember>(briefMember('a')).as('author')

/** Lists thank-yous, newest first, without hidden ones and those of members whom the caller has blocked. */
export function listThanksTo(db: Db, caller: number, receiver: number, before: number, limit: number) {
  return selectThanks(db, caller)
    .select(authorMember)
    .where('k.receiver_id', '=', receiver)
    .where('k.id', '<', before)
    .where('k.hidden_at', 'is', null)
    .where('a.suspended_at', 'is', null)
    .where(sql.raw<boolean>(`not ${hasBlocked('me.id', 'k.author_id')}`))
    .orderBy('k.id', 'desc')
    .limit(limit)
    .execute()
}

/** Inserts a thank-you unless its author has thanked for the trade already. */
export async function insertThanks(tx: Db, thanks: Insertable<Tables['thanks']>): Promise<void> {
  await tx
    .insertInto('thanks')
    .values(thanks)
    .onConflict((conflict) => conflict.columns(['trade_id', 'author_id']).doNothing())
    .execute()
}

export function findThanks(db: Db, trade: number, author: number) {
  return selectThanks(db, author)
    .select(authorMember)
    .where('k.trade_id', '=', trade)
    .where('k.author_id', '=', author)
    .executeTakeFirst()
}

/** Hides a thank-you. Returns false if the member has not received it. */
export async function updateThanksHidden(tx: Db, id: number, receiver: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('thanks')
    .set({ hidden_at: sql`coalesce(hidden_at, now())` })
    .where('id', '=', id)
    .where('receiver_id', '=', receiver)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Returns whether a member may see a thank-you. */
export async function isThanksShown(db: Db, id: number, caller: number): Promise<boolean> {
  const thanks = await selectThanks(db, caller)
    .where('k.id', '=', id)
    .where(({ eb, or }) => or([eb('k.hidden_at', 'is', null), eb('k.receiver_id', '=', caller)]))
    .where('a.suspended_at', 'is', null)
    .executeTakeFirst()
  return thanks !== undefined
}
