import type { Deps } from '#server/deps.ts'
import { isWord, type QueryWord, queryWords } from '#server/features/matching/index-terms.ts'
import { editDistance } from '#server/features/matching/typos.ts'
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
  /** Every word. */
  readonly all: SearchQuery
  /** Every word but any one of them; undefined for a search of one word. */
  readonly allButOne: SearchQuery | undefined
}

/** A word of a search by the terms that listings have. */
interface Word {
  readonly terms: readonly string[]
  readonly listing_count: number
}

/** Up to this many listings, sorting is as fast as any other plan. */
const rare = 2000

/** Undefined when no word of the search counts. */
export async function parseSearch(
  db: Deps['db'],
  { caller, scope }: Pick<List, 'caller' | 'scope'>,
  q: string,
): Promise<ParsedSearch | undefined> {
  const words = await resolveWords(db, { caller, seesMore: scope.of !== 'public' }, queryWords(q))
  if (words.length === 0) return undefined
  const [rarest = 0, secondRarest = 0] = words.map((word) => word.listing_count).sort((a, b) => a - b)
  const without = words.map((word) => words.filter((other) => other !== word))
  return {
    all: searchQuery([words], rarest < rare),
    allButOne: words.length > 1 ? searchQuery(without, secondRarest < rare) : undefined,
  }
}

function searchQuery(alternatives: readonly (readonly Word[])[], isRare: boolean): SearchQuery {
  const query = (anyOf: (terms: readonly string[]) => string) =>
    alternatives.map((words) => words.map(({ terms }) => `(${anyOf(terms)})`).join(' & ')).join(' | ')
  return { inTitle: query(anyTitleTermQuery), anywhere: query(anyTermQuery), isRare }
}

/**
 * Finds the terms that public listings have, and where `seesMore` those that the caller sees besides. A word without any is taken for the words that
 * begin with it if it is the last, since somebody may still be typing, else for the most common of the least misspelt ones.
 */
async function resolveWords(
  db: Deps['db'],
  { caller, seesMore }: { caller: number; seesMore: boolean },
  words: readonly QueryWord[],
): Promise<Word[]> {
  const terms = [...new Set(words.flat())]
  if (terms.length === 0) return []
  const known = new Map((await listKnownTerms(db, caller, terms)).map((found) => [found.term, found]))
  const missing = words.filter((word) => !word.some((term) => known.has(term))).flat()
  if (seesMore && missing.length > 0)
    for (const term of await listTermsOfFriends(db, caller, missing))
      known.set(term, { term, listing_count: 1 })

  const resolved: Word[] = []
  for (const [index, word] of words.entries()) {
    const found = word.flatMap((term) => known.get(term) ?? [])
    const isLast = index === words.length - 1
    const meant = found.length > 0 ? found : await correct(db, caller, word[0] ?? '', isLast)
    const listing_count = meant.reduce((sum, term) => sum + term.listing_count, 0)
    resolved.push({ terms: meant.length > 0 ? meant.map(({ term }) => term) : word, listing_count })
  }
  return resolved
}

const maxCompletions = 6

async function correct(db: Deps['db'], caller: number, word: string, isLast: boolean): Promise<SearchTerm[]> {
  if (!isWord(word)) return []
  if (isLast && word.length > 2) {
    const longer = await listWordsStarting(db, caller, word, maxCompletions)
    if (longer.length > 0) return longer
  }
  const most = maxSlips(word)
  if (most === 0) return []
  const [best] = (await listSimilarWords(db, caller, word))
    .map((found) => ({ ...found, editDistance: editDistance(word, found.term) }))
    .filter((found) => found.editDistance <= most)
    .sort(
      (a, b) =>
        a.editDistance - b.editDistance || b.listing_count - a.listing_count || (a.term < b.term ? -1 : 1),
    )
  return best ? [best] : []
}

/** Returns the allowed edit distance: 0 for short words and numbers, because too many others are as near. */
function maxSlips(word: string): number {
  if (/^\p{N}+$/u.test(word) || word.length < 4) return 0
  return word.length < 7 ? 1 : 2
}
