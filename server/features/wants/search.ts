import type { z } from 'zod/mini'
import type { searchWants, WantResult } from '#contract/wants.ts'
import { type QueryWord, queryWords } from '#server/features/matching/index-terms.ts'
import { cursorAt, decodeIdCursor, type Page, paginate } from '#server/platform/http/paging.ts'
import type { Db } from '#server/tables.ts'
import {
  countWantsWith,
  findLastCandidate,
  listNewestWants,
  listWantsWith,
  listWantTermsStarting,
} from './search-queries.ts'

/**
 * Returns the wants of others, newest first. Each word of `q` must be in the title, under any of its names. A page examines a
 * limited number of wants that have the rarest word, so it may be short and still have a next page.
 */
export async function searchWantLists(
  db: Db,
  caller: number,
  { q, category_id, limit, cursor }: z.output<typeof searchWants.query>,
): Promise<Page<WantResult>> {
  const before = decodeIdCursor(cursor)
  const page = { caller, before, limit: limit + 1, category: category_id ?? null }
  if (q === undefined) return paginate(await listNewestWants(db, page), limit, ({ id }) => id)

  const words = await readQueryWords(db, q)
  if (words.length === 0) return { rows: [], next: undefined }
  const [rarest = [], ...others] = words.sort((a, b) => a.wantCount - b.wantCount).map(({ word }) => word)
  const rows = await listWantsWith(db, page, rarest, others)
  if (rows.length > limit) return paginate(rows, limit, ({ id }) => id)
  const last = await findLastCandidate(db, rarest, before)
  return { rows, next: last && cursorAt(last.want_id) }
}

/** A word of a search with the number of wants that have it. */
interface CountedWord {
  readonly word: QueryWord
  readonly wantCount: number
}

/** Returns the words of a search with their counts. If no want has the last one, it is replaced by the words that begin with it. */
async function readQueryWords(db: Db, q: string): Promise<CountedWord[]> {
  const words = queryWords(q)
  const counts = await countWantsWith(db, words)
  const counted = words.map((word, index) => ({ word, wantCount: counts[index] ?? 0 }))
  const last = counted.at(-1)
  if (last?.wantCount !== 0) return counted
  return [...counted.slice(0, -1), (await completionsOf(db, last.word[0] ?? '')) ?? last]
}

const maxCompletions = 6

/** Returns the most common words with this prefix, or undefined if there are none or the prefix is too short. */
async function completionsOf(db: Db, prefix: string): Promise<CountedWord | undefined> {
  if (prefix.length < 3) return undefined
  const terms = await listWantTermsStarting(db, prefix)
  if (terms.length === 0) return undefined
  const counts = await countWantsWith(
    db,
    terms.map((term) => [term]),
  )
  const common = terms
    .map((term, index) => ({ term, wantCount: counts[index] ?? 0 }))
    .sort((a, b) => b.wantCount - a.wantCount)
    .slice(0, maxCompletions)
  return {
    word: common.map(({ term }) => term),
    wantCount: common.reduce((sum, { wantCount }) => sum + wantCount, 0),
  }
}
