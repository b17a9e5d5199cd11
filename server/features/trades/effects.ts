import { states } from '#contract/constants.ts'
import { setAmounts } from '#server/features/listings/edit.ts'
import type { Tx } from '#server/tables.ts'
import { afterEffect, amountIn } from './amounts.ts'
import { type LegRow, listListings, listWaiting } from './queries.ts'
import type { ListingEffect } from './state-machine.ts'

type WaitingRow = Awaited<ReturnType<typeof listWaiting>>[number]

/** The listings that an effect has changed, and the requests that concerns, in order of arrival. */
export interface Effect {
  readonly changed: readonly { listing_id: number; owner_id: number; changed: string[]; is_given: boolean }[]
  /** The requests for listings of which nothing is left to promise now. */
  readonly waiting: readonly WaitingRow[]
  /** For each listing that is free again, the first request that it is enough for now and was not before. */
  readonly next: readonly WaitingRow[]
}

/** Applies an effect to the listings of a trade whose state is changed already. Everything is locked. */
export async function applyEffect(
  tx: Tx,
  effect: ListingEffect,
  trade: number,
  legs: readonly LegRow[],
): Promise<Effect> {
  const listings = await listListings(
    tx,
    legs.map(({ listing_id }) => listing_id),
  )
  const applied = legs.flatMap((leg) => {
    const before = listings.get(leg.listing_id)
    if (!before) return []
    const onLeg = effect === 'release' && leg.handed_over ? 'finish' : effect
    const amount = onLeg === 'promise' ? amountIn(before, leg.quantity) : leg.quantity
    return [{ leg, before, onLeg, after: afterEffect(onLeg, before, amount) }]
  })
  await setAmounts(
    tx,
    applied.map(({ before, after }) => ({ id: before.id, ...after })),
  )
  const waiting = await listWaiting(tx, [...listings.keys()], trade)
  const reserved = applied.flatMap(({ before, after }) =>
    after.state_id === states.reserved ? before.id : [],
  )
  return {
    changed: applied.map(({ leg, before, after, onLeg }) => ({
      listing_id: before.id,
      owner_id: leg.giver_id,
      changed: [before.state_id === after.state_id ? 'quantity_left' : 'state_id'],
      is_given: onLeg === 'finish',
    })),
    waiting: waiting.filter(({ listing_id }) => reserved.includes(listing_id)),
    next: applied.flatMap(({ before, after, onLeg }) => {
      const isNext = ({ listing_id, quantity }: WaitingRow) =>
        listing_id === before.id &&
        (before.quantity_left === null ||
          ((quantity ?? 1) > before.quantity_left && (quantity ?? 1) <= (after.quantity_left ?? 0)))
      return onLeg === 'release' ? (waiting.find(isNext) ?? []) : []
    }),
  }
}
