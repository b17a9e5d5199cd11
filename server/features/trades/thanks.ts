import type { z } from 'zod/mini'
import { type listThanks, type ThankYou, tradeMessages } from '#contract/trades.ts'
import { hasBlockAmong } from '#server/features/members/blocks.ts'
import { publicProfile } from '#server/features/members/members.ts'
import { inTransaction } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { decodeIdCursor, type Page, paginate } from '#server/platform/http/paging.ts'
import type { Db } from '#server/tables.ts'
import { notifyAll } from './notifications.ts'
import { findTrade, listListings } from './queries.ts'
import {
  findThanks,
  insertThanks,
  isThanksShown,
  listThanksTo,
  updateThanksHidden,
} from './thanks-queries.ts'
import { conflict, lockForStep, type Needs } from './trades.ts'
import { mainLegOf } from './views.ts'

/**
 * Leaves a member's one thank-you for a trade that is done: for the giver of what they took, or in a single trade for the taker. The
 * same again changes nothing. Throws `not_found`, `forbidden` for a block, and `trade_conflict` for another text, before the trade is
 * done or when the other side has left.
 */
export async function thank(
  { db, ...deps }: Needs,
  caller: number,
  id: number,
  text: string,
): Promise<{ thanks: ThankYou; isNew: boolean }> {
  const isNew = await inTransaction(db, async (tx) => {
    const locked = (await findTrade(tx, id, caller)) && (await lockForStep(tx, id))
    if (!locked) throw new AppError('not_found', tradeMessages.notFound)
    const before = await findThanks(tx, id, caller)
    if (before && before.text !== text) throw conflict(tradeMessages.thankedAlready)
    if (before) return false
    const leg = mainLegOf(locked.legs, caller)
    if (!leg) throw new Error('A party of a trade has no leg')
    const receiver_id = leg.taker_id === caller ? leg.giver_id : leg.taker_id
    if (locked.trade.state !== 'done' || !locked.members.includes(receiver_id)) throw conflict()
    if (await hasBlockAmong(tx, [caller, receiver_id]))
      throw new AppError('forbidden', tradeMessages.notPossible)
    const listing = (await listListings(tx, [leg.listing_id])).get(leg.listing_id)
    const listing_title = listing?.is_public ? leg.title : null
    await insertThanks(tx, { trade_id: id, author_id: caller, receiver_id, text, listing_title })
    await notifyAll(deps, tx, id, [
      { user_id: receiver_id, from_id: caller, kind: 'trade_thanked', trade_id: id },
    ])
    return true
  })
  const thanks = await findThanks(db, id, caller)
  if (!thanks) throw new AppError('not_found', tradeMessages.notFound)
  return { thanks, isNew }
}

/** Returns a page of the thank-yous to a member. Throws `not_found`. */
export async function pageOfThanks(
  db: Db,
  caller: number,
  member: number,
  { limit, cursor }: z.output<typeof listThanks.query>,
): Promise<Page<ThankYou>> {
  await publicProfile(db, member)
  const found = await listThanksTo(db, caller, member, decodeIdCursor(cursor), limit + 1)
  return paginate(found, limit, ({ id }) => id)
}

/** Hides a thank-you from everyone but its author. Throws `not_found` for one that the caller has not received. */
export async function hide(db: Db, caller: number, id: number): Promise<void> {
  const isHidden = await inTransaction(db, (tx) => updateThanksHidden(tx, id, caller))
  if (!isHidden) throw new AppError('not_found', tradeMessages.thanksNotFound)
}

/** Throws `not_found` for a thank-you that the caller may not see. */
export async function requireThanks(db: Db, caller: number, id: number): Promise<void> {
  if (!(await isThanksShown(db, id, caller))) throw new AppError('not_found', tradeMessages.thanksNotFound)
}
