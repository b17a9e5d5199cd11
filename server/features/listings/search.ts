import { isWord, type QueryWord, queryWords } from '#server/features/matching/index-terms.ts'
import { editDistance } from '#server/features/matching/spelling-index.ts'
import type { Db } from '#server/tables.ts'
import { anyTermQuery, anyTitleTermQuery } from './lexemes.ts'
import type { List, SearchQuery } from './list-query.ts'
import {
  listKnownTerms,
  listSimilarWords,
  listTermsOfFriends,
  listWordsStarting,
  type SearchTerm,
} from './search-queries.ts'

/** A search as `tsquery`. */
export interface ParsedSearch {
  /** Requires every word. */
  readonly all: SearchQuery
  /** Requires every word except one; undefined for a search of one word. */
  readonly allButOne: SearchQuery | undefined
}

/** A word of a search, resolved to terms of listings. */
interface ResolvedWord {
  readonly terms: readonly string[]
  readonly listing_count: number
}

/** A search of fewer listings sorts all of them, which is as fast as any other plan. */
const rareBelow = 2000

/** Parses a search. Returns undefined if it has only stop words. */
export async function parseSearch(
  db: Db,
  { caller, scope }: Pick<List, 'caller' | 'scope'>,
  q: string,
): Promise<ParsedSearch | undefined> {
  const words = await resolveWords(db, { caller, seesMore: scope.of !== 'public' }, queryWords(q))
  if (words.length === 0) return undefined
  const [rarest = 0, secondRarest = 0] = words.map((word) => word.listing_count).sort((a, b) => a - b)
  const without = words.map((word) => words.filter((other) => other !== word))
  return {
    all: searchQuery([words], rarest < rareBelow),
    allButOne: words.length > 1 ? searchQuery(without, secondRarest < rareBelow) : undefined,
  }
}

function searchQuery(alternatives: readonly (readonly ResolvedWord[])[], isRare: boolean): SearchQuery {
  const query = (anyOf: (terms: readonly string[]) => string) =>
    alternatives.map((words) => words.map(({ terms }) => `(${anyOf(terms)})`).join(' & ')).join(' | ')
  return { inTitle: query(anyTitleTermQuery), anywhere: query(anyTermQuery), isRare }
}

/**
 * Resolves words to terms of public listings and, with `seesMore`, of other listings that the caller sees. If the last word has none,
 * it is completed, because it may be incomplete. Other words without any are corrected to the most common of the most similar terms.
 */
async function resolveWords(
  db: Db,
  { caller, seesMore }: { caller: number; seesMore: boolean },
  words: readonly QueryWord[],
): Promise<ResolvedWord[]> {
  const terms = [...new Set(words.flat())]
  if (terms.length === 0) return []
  const known = new Map((await listKnownTerms(db, caller, terms)).map((found) => [found.term, found]))
  const missing = words.filter((word) => !word.some((term) => known.has(term))).flat()
  if (seesMore && missing.length > 0)
    for (const term of await listTermsOfFriends(db, caller, missing))
      known.set(term, { term, listing_count: 1 })

  const resolved: ResolvedWord[] = []
  for (const [index, word] of words.entries()) {
    const found = word.flatMap((term) => known.get(term) ?? [])
    const isLast = index === words.length - 1
    const matching = found.length > 0 ? found : await correctWord(db, caller, word[0] ?? '', isLast)
    const listing_count = matching.reduce((sum, term) => sum + term.listing_count, 0)
    resolved.push({ terms: matching.length > 0 ? matching.map(({ term }) => term) : word, listing_count })
  }
  return resolved
}

const maxCompletions = 6

/** Returns the completions of the last word, or the most similar term, or none. */
async function correctWord(db: Db, caller: number, word: string, isLast: boolean): Promise<SearchTerm[]> {
  if (!isWord(word)) return []
  if (isLast && word.length > 2) {
    const longer = await listWordsStarting(db, caller, word, maxCompletions)
    if (longer.length > 0) return longer
  }
  const maxDistance = maxEditDistance(word)
  if (maxDistance === 0) return []
  const [best] = (await listSimilarWords(db, caller, word))
    .map((found) => ({ ...found, editDistance: editDistance(word, found.term) }))
    .filter((found) => found.editDistance <= maxDistance)
    .sort(
      (a, b) =>
        a.editDistance - b.editDistance || b.listing_count - a.listing_count || (a.term < b.term ? -1 : 1),
    )
  return best ? [best] : []
}

/** Returns the allowed edit distance: 0 for short words and numbers, because too many others are similar. */
function maxEditDistance(word: string): number {
  if (/^\p{N}+$/u.test(word) || word.length < 4) return 0
  return word.length < 7 ? 1 : 2
}
