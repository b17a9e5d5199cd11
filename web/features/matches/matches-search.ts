/** The query string of the matches: the id of a want, or nothing. */
export interface MatchesSearch {
  want?: number
}

export function parseMatchesSearch({ want }: Record<string, unknown>): MatchesSearch {
  return Number.isSafeInteger(want) && Number(want) > 0 ? { want: Number(want) } : {}
}
