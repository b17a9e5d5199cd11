/** What the matches keep in their address: of which want they are, where it is one. */
export interface MatchesAddress {
  want?: number
}

export function matchesAddress({ want }: Record<string, unknown>): MatchesAddress {
  return Number.isSafeInteger(want) && Number(want) > 0 ? { want: Number(want) } : {}
}
