import { conceptTerm, indexTerms } from '#server/features/matching/index-terms.ts'
import { wantTerms } from '#server/features/matching/match.ts'
import { readWant } from '#server/features/matching/pipeline.ts'
import type { Tx } from '#server/tables.ts'
import {
  deleteWantTerms,
  insertWantTerms,
  listUnindexedWants,
  updateTermsVersion,
} from './indexing-queries.ts'
import type { OwnedRow } from './queries.ts'

/** Increase it with each change of the rules below or the lexicon. A job then reindexes the wants. */
export const wantTermsVersion = 17

/** An index term of a want. A listing that matches offers one of the `wanted` terms. */
export interface WantTerm {
  readonly term: string
  readonly wanted: boolean
}

function termsOfWant(title: string): WantTerm[] {
  const wanted = wantTerms(readWant({ title })).map(conceptTerm)
  const named = indexTerms({ title, description: '' }).map(({ term }) => term)
  return [
    ...wanted.map((term) => ({ term, wanted: true })),
    ...named.filter((term) => !wanted.includes(term)).map((term) => ({ term, wanted: false })),
  ]
}

/** Replaces the index terms of wants. */
export async function indexWants(tx: Tx, wants: readonly OwnedRow[]): Promise<void> {
  if (wants.length === 0) return
  const ids = wants.map(({ id }) => id)
  await deleteWantTerms(tx, ids)
  await insertWantTerms(
    tx,
    wants.flatMap(({ id, user_id, category_id, title }) =>
      termsOfWant(title).map((term) => ({ want_id: id, user_id, category_id, ...term })),
    ),
  )
  await updateTermsVersion(tx, ids, wantTermsVersion)
}

/** Reindexes up to `limit` wants with missing or outdated terms. Returns their ids. */
export async function reindexSomeWants(tx: Tx, limit: number): Promise<number[]> {
  const wants = await listUnindexedWants(tx, wantTermsVersion, limit)
  await indexWants(tx, wants)
  return wants.map(({ id }) => id)
}
