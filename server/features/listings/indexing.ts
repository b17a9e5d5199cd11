import { cropsOfOffer } from '#server/features/matching/crop-keys.ts'
import { drawingOf } from '#server/features/matching/drawing.ts'
import { indexTerms, indexVersion } from '#server/features/matching/index-terms.ts'
import { type ListingReading, type ListingText, readTexts } from '#server/features/matching/pipeline.ts'
import { inBatches } from '#server/platform/db/database.ts'
import type { Db, Tx } from '#server/tables.ts'
import { titleLexeme } from './lexemes.ts'
import {
  hasOutdated,
  insertSearchTerms,
  listOutdatedForUpdate,
  refreshSearchTerms,
  updateIndex,
} from './search-queries.ts'

/** The lexemes for the column `search` of a listing, the terms for the table `search_terms`, and the crops that it offers. */
export interface SearchIndex {
  readonly terms: readonly string[]
  readonly lexemes: readonly string[]
  readonly crops: string[]
}

/** Returns the search index of a listing's texts. */
export function searchIndexOf(text: ListingText, reading: ListingReading = readTexts(text)): SearchIndex {
  const terms = indexTerms(text, reading)
  return {
    terms: terms.map(({ term }) => term),
    lexemes: terms.map(({ term, in_title }) => (in_title ? titleLexeme(term) : term)),
    crops: cropsOfOffer(reading.offer),
  }
}

const batchSize = 200

/** Updates the search index and the drawing of listings with an old index version. Returns whether it has updated the last of them. */
export async function reindexListings(db: Db): Promise<boolean> {
  let total = 0
  await inBatches(db, batchSize, async (tx) => {
    const indexed = await reindexSome(tx)
    total += indexed
    return indexed
  })
  return total > 0 && (await isMarketIndexed(db))
}

/** Updates the search index of new rows that have none, and the counts of terms. */
export async function indexNewListings(db: Db): Promise<void> {
  await reindexListings(db)
  await refreshSearchTerms(db)
}

/** Reindexes a batch and returns its size. Skips locked rows, which the next run reindexes. */
async function reindexSome(tx: Tx): Promise<number> {
  const rows = await listOutdatedForUpdate(tx, indexVersion, batchSize)
  const publicTerms = new Set<string>()
  for (const { id, is_public, is_active, ...text } of rows) {
    const reading = readTexts(text)
    const { terms, lexemes, crops } = searchIndexOf(text, reading)
    await updateIndex(
      tx,
      id,
      { drawing: drawingOf(text, reading.title), index_version: indexVersion, crops },
      lexemes,
    )
    if (is_public && is_active) for (const term of terms) publicTerms.add(term)
  }
  await insertSearchTerms(tx, publicTerms)
  return rows.length
}

/** Returns whether all listings have the current index version. */
export async function isMarketIndexed(db: Db): Promise<boolean> {
  return !(await hasOutdated(db, indexVersion))
}
