/** The query string of the matches: the id of a want, or nothing. */
export interface MatchesAddress {
  want?: number
}

export function matchesAddress({ want }: Record<string, unknown>): MatchesAddress {
  return Number.isSafeInteger(want) && Number(want) > 0 ? { want: Number(want) } : {}
}
