/** The query string of the matches: the id of a want, or nothing. */
interface MatchesSearch {
  want?: number | undefined
}

export function parseMatchesSearch({ want }: Record<string, unknown>): MatchesSearch {
  return { want: Number.isSafeInteger(want) && Number(want) > 0 ? Number(want) : undefined }
}
