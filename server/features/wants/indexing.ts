import { cropsOfWant } from '#server/features/matching/crop-keys.ts'
import type { ExtractedWant } from '#server/features/matching/extract-want.ts'
import { conceptTerm, indexTerms } from '#server/features/matching/index-terms.ts'
import { wantTerms } from '#server/features/matching/match.ts'
import { readWant } from '#server/features/matching/pipeline.ts'
import type { Tx } from '#server/tables.ts'
import { deleteWantTerms, insertWantTerms, listUnindexedWants, updateIndexed } from './indexing-queries.ts'
import type { OwnedRow } from './queries.ts'

/** Increase it with each change of the rules below or the lexicon. A job then reindexes the wants. */
export const wantTermsVersion = 22

/** An index term of a want. A listing that matches offers one of the `wanted` terms. */
export interface WantTerm {
  readonly term: string
  readonly wanted: boolean
}

function termsOfWant(title: string, want: ExtractedWant): WantTerm[] {
  const wanted = wantTerms(want).map(conceptTerm)
  const named = indexTerms({ title, description: '' }).map(({ term }) => term)
  return [
    ...wanted.map((term) => ({ term, wanted: true })),
    ...named.filter((term) => !wanted.includes(term)).map((term) => ({ term, wanted: false })),
  ]
}

/** Replaces the index terms, crops and locations of wants. */
export async function indexWants(tx: Tx, wants: readonly OwnedRow[]): Promise<void> {
  if (wants.length === 0) return
  const read = wants.map((want) => ({ ...want, extracted: readWant({ title: want.title }) }))
  await deleteWantTerms(
    tx,
    wants.map(({ id }) => id),
  )
  await insertWantTerms(
    tx,
    read.flatMap(({ id, user_id, category_id, title, extracted }) =>
      termsOfWant(title, extracted).map((term) => ({ want_id: id, user_id, category_id, ...term })),
    ),
  )
  const crops = read.map(({ id, extracted }) => ({ id, crops: cropsOfWant(extracted) }))
  await updateIndexed(tx, crops, wantTermsVersion)
}

/** Reindexes up to `limit` wants with missing or outdated terms. Returns their ids. */
export async function reindexSomeWants(tx: Tx, limit: number): Promise<number[]> {
  const wants = await listUnindexedWants(tx, wantTermsVersion, limit)
  await indexWants(tx, wants)
  return wants.map(({ id }) => id)
}
