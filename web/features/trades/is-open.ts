import type { Trade } from '#contract/trades.ts'

/** Returns whether a trade is open. */
export function isOpen({ state }: Pick<Trade, 'state'>): boolean {
  return state === 'requested' || state === 'accepted'
}
