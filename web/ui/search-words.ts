import { limits } from '#contract/constants.ts'
import { isSearchable } from '#contract/search-words.ts'

/** Reads the search words, if they are long enough. */
export function readWords(
  { q }: Record<string, unknown>,
  minLength: number = limits.query.min,
): { q?: string | undefined } {
  const words = typeof q === 'string' || typeof q === 'number' ? String(q).trim() : ''
  return { q: isSearchable(words, minLength) ? words.slice(0, limits.query.max) : undefined }
}
