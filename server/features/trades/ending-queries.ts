import { sql } from 'kysely'
import { isVisibleTo } from '#server/features/visibility/listings.ts'
import { anyOf } from '#server/platform/db/expressions.ts'
import type { Db } from '#server/tables.ts'

/** Returns those of the listings for which a request is unanswered. */
export function listRequested(db: Db, listings: readonly number[]): Promise<{ listing_id: number }[]> {
  return db
    .selectFrom('trade_legs')
    .select('listing_id')
    .distinct()
    .where('listing_id', '=', anyOf(listings))
    .where('status', '=', sql.lit('open'))
    .execute()
}

/** Selects a member's open trades of parties `p`, in the order of their ids. */
function selectOpenTrades(db: Db, member: number) {
  return db
    .selectFrom('trade_parties as p')
    .select('p.trade_id')
    .where('p.member_id', '=', member)
    .where(({ ref }) => ref('p.is_open'))
    .orderBy('p.trade_id')
}

/** Returns the open trades of a member. */
export async function listOpenOf(db: Db, member: number): Promise<number[]> {
  const trades = await selectOpenTrades(db, member).execute()
  return trades.map(({ trade_id }) => trade_id)
}

/** Returns the open trades of which both members are parties. */
export async function listOpenBetween(db: Db, one: number, other: number): Promise<number[]> {
  const trades = await selectOpenTrades(db, one)
    .innerJoin('trade_parties as o', 'o.trade_id', 'p.trade_id')
    .where('o.member_id', '=', other)
    .execute()
  return trades.map(({ trade_id }) => trade_id)
}

/** Erases what trades keep of a listing that is about to be deleted, if the operator has hidden it. */
export async function eraseHidden(tx: Db, listing: number): Promise<void> {
  const isHidden = sql<boolean>`exists (select from listings where id = ${listing} and hidden_at is not null)`
  const trades = sql<number>`any (array(select trade_id from trade_legs where listing_id = ${listing}))`
  await tx
    .updateTable('thanks')
    .set({ listing_title: null })
    .where('trade_id', '=', trades)
    .where(isHidden)
    .execute()
  await tx
    .updateTable('trade_legs')
    .set({ title: '', unit: null })
    .where('listing_id', '=', listing)
    .where(isHidden)
    .execute()
}

/** Deletes the trades of a leaving member whose other parties have all left. */
export async function deleteTradesOfFormer(tx: Db, leaving: number): Promise<void> {
  await tx
    .deleteFrom('trades as t')
    .using('trade_parties as p')
    .whereRef('t.id', '=', 'p.trade_id')
    .where('p.member_id', '=', leaving)
    .where(
      sql<boolean>`not exists (
        select from trade_parties o join users u on u.id = o.member_id where o.trade_id = t.id and o.member_id <> ${leaving}
      )`,
    )
    .execute()
}

/** Returns the requested trades with a listing that one of their members can not see. */
export async function listRequestsUnseen(db: Db, listing: number) {
  const { rows } = await sql<{ trade_id: number }>`
    select leg.trade_id from trade_legs leg join listings l on l.id = leg.listing_id
    where leg.listing_id = ${listing} and leg.status = 'open' and coalesce((
      select true from trade_parties p where p.trade_id = leg.trade_id and not ${sql.raw(isVisibleTo('p.member_id'))} limit 1
    ), false)
    order by leg.trade_id`.execute(db)
  return rows
}

/** Returns the requested trades of two members with a listing that one of them can not see, and its owner. */
export async function listUnseenBetween(db: Db, one: number, other: number) {
  const { rows } = await sql<{ trade_id: number; giver_id: number }>`
    select distinct on (leg.trade_id) leg.trade_id, leg.giver_id
    from (select ${one}::bigint as one, ${other}::bigint as other) two
    join trade_parties p on p.member_id = two.one and p.is_open
    join trade_parties o on o.trade_id = p.trade_id and o.member_id = two.other
    join trade_legs leg on leg.trade_id = p.trade_id and leg.status = 'open' and leg.giver_id in (two.one, two.other)
    join listings l on l.id = leg.listing_id
    where not (${sql.raw(isVisibleTo('two.one'))} and ${sql.raw(isVisibleTo('two.other'))})
    order by leg.trade_id`.execute(db)
  return rows
}
