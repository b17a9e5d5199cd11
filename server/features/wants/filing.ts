import type { Transaction } from 'kysely'
import { conceptTerm, indexTerms } from '#server/features/matching/index-terms.ts'
import { wantTerms } from '#server/features/matching/match.ts'
import type { Tables } from '#server/tables.ts'
import { deleteWantTerms, insertWantTerms, listUnfiledWants, updateTermsVersion } from './filing-queries.ts'
import type { OwnedRow } from './queries.ts'

/** Goes up with the rules below and with the lexicon: a job files anew what was filed by older ones. */
export const wantTermsVersion = 7

/** What a want is found by; it asks for what is `wanted`, and a listing that fits it offers one of these. */
export interface WantTerm {
  readonly term: string
  readonly wanted: boolean
}

function termsOfWant(title: string): WantTerm[] {
  const wanted = wantTerms({ title }).map(conceptTerm)
  const named = indexTerms({ title, description: '' }).map(({ term }) => term)
  return [
    ...wanted.map((term) => ({ term, wanted: true })),
    ...named.filter((term) => !wanted.includes(term)).map((term) => ({ term, wanted: false })),
  ]
}

/** Files wants under their terms, instead of what they were filed under before. */
export async function fileWants(tx: Transaction<Tables>, wants: readonly OwnedRow[]): Promise<void> {
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

/** Files wants that were filed by older rules or not at all, so many of them. Returns their ids. */
export async function fileSomeWants(tx: Transaction<Tables>, most: number): Promise<number[]> {
  const wants = await listUnfiledWants(tx, wantTermsVersion, most)
  await fileWants(tx, wants)
  return wants.map(({ id }) => id)
}
