import type { Trade } from '#contract/trades.ts'

/** Whether a trade still waits for something. */
export function isOpen({ state }: Pick<Trade, 'state'>): boolean {
  return state === 'requested' || state === 'accepted'
}
