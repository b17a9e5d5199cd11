import { type StateId, states } from '#contract/constants.ts'
import type { ListingEffect } from './state-machine.ts'

/** How many of a listing there are. Its quantities are null if it is given as a whole. */
export interface Stock {
  readonly quantity: number | null
  /** How many are neither promised nor handed over. */
  readonly quantity_left: number | null
  /** The number of trades that promise some of it. */
  readonly promise_count: number
}

/** Returns how many of a listing a leg moves; null for a listing that is given as a whole. */
export function amountIn({ quantity }: Pick<Stock, 'quantity'>, asked: number | null | undefined) {
  return quantity === null ? null : (asked ?? 1)
}

/** Returns whether so many of a listing can be promised now. */
export function isEnough({ quantity_left, promise_count }: Stock, amount: number | null): boolean {
  return quantity_left === null ? promise_count === 0 : (amount ?? 1) <= quantity_left
}

/** Returns the state of a listing with a quantity. */
export function stateOf({ quantity_left, promise_count }: Omit<Stock, 'quantity'>): StateId {
  if (quantity_left !== null && quantity_left > 0) return states.available
  return promise_count > 0 ? states.reserved : states.gone
}

const statesOfWhole = { promise: states.reserved, finish: states.gone, release: states.available } as const

/** Returns the state of a listing and what is left of it after an effect on a leg that moves this amount. */
export function afterEffect(
  effect: ListingEffect,
  { quantity_left, promise_count }: Stock,
  amount: number | null,
): { readonly state_id: StateId; readonly quantity_left: number | null } {
  if (quantity_left === null) return { state_id: statesOfWhole[effect], quantity_left }
  const change = { promise: -(amount ?? 0), finish: 0, release: amount ?? 0 }[effect]
  const left = quantity_left + change
  return { state_id: stateOf({ quantity_left: left, promise_count }), quantity_left: left }
}
