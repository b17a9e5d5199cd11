import type { Trade } from '#contract/trades.ts'

/** Returns whether a trade is open. */
export function isOpen({ state }: Pick<Trade, 'state'>): boolean {
  return state === 'requested' || state === 'accepted'
}

/** Returns whether a trade waits for an answer or a thank-you of the member. */
export function waitsForMember({ allowed }: Pick<Trade, 'allowed'>): boolean {
  return (['accept', 'accept_pickup', 'deny_hand_over', 'thank'] as const).some((action) =>
    allowed.includes(action),
  )
}
