import type { CategoryId, TypeId } from '#contract/constants.ts'
import { types } from '#contract/constants.ts'
import { nowhere } from '#server/features/places/places.ts'
import { signatureOf, type Word } from './terms.ts'
import type { Values, Walk } from './walks.ts'

/** What a list leaves out. */
export interface Filters {
  readonly category: CategoryId | undefined
  readonly types: readonly TypeId[] | undefined
  readonly prices: { readonly min: number; readonly max: number } | undefined
  /** The places that are near enough; what is nowhere passes. */
  readonly places: readonly number[] | undefined
}

/** A condition on the listing `l`. */
export type Check = (values: Values) => string

export function filterChecks({ category, types: chosen, prices, places }: Filters): Check[] {
  return [
    ...(category === undefined
      ? []
      : [(values: Values) => `l.category_id = ${values.add(category, 'smallint')}`]),
    ...(chosen
      ? [(values: Values) => `l.type_id = any (${values.add(chosen, 'smallint[]')}::smallint[])`]
      : []),
    ...(prices ? [(values: Values) => withinPrices(values, prices)] : []),
    ...(places ? [(values: Values) => atOneOf(values, places)] : []),
  ]
}

/** Prices count for sales only. */
function withinPrices(values: Values, { min, max }: { min: number; max: number }): string {
  const [lowest, highest] = [values.add(min, 'numeric'), values.add(max, 'numeric')]
  return `(l.type_id <> ${types.sell} or l.price >= ${lowest} and l.price <= ${highest})`
}

/** The `or` keeps PostgreSQL from joining the places, and has it look each one up in a table of its own. */
function atOneOf(values: Values, places: readonly number[]): string {
  return `(l.place = ${nowhere} or l.place in (select unnest(${values.add(places, 'integer[]')})))`
}

/** One of the friends owns it; a walk along something else than their listings has to ask. */
export function ownedByOneOf(members: readonly { readonly id: number }[]): Check {
  const ids = members.map(({ id }) => id)
  return (values) => `l.owner_id = any (${values.add(ids, 'bigint[]')}::bigint[])`
}

/** Words that a listing has to have, in its title or anywhere. */
export interface Wording {
  readonly words: readonly Word[]
  readonly inTitle: boolean
}

/** So many terms of a word are looked for in the signature. */
const signed = 4

/** The listing has every one of the words, of which `under` needs no look. */
export function hasWords(values: Values, { words, inTitle }: Wording, under?: Walk['under']): string[] {
  const known = under && (under.inTitle || !inTitle) ? under.word : undefined
  return words
    .filter((word) => word !== known)
    .flatMap((word) => [mayHave(values, word), has(values, word, inTitle)])
}

/** Read in the listing's row, so that few have to be looked up. */
function mayHave(values: Values, word: Word): string {
  // Always as many, so that there is one text. A word of more terms is only looked up, as a mask of no bits lets all pass.
  const masks = Array.from({ length: signed }, (_, index) => {
    const term = word.length > signed ? undefined : (word[index] ?? word[0])
    return values.add(signatureOf(term === undefined ? [] : [term]), 'bit(256)')
  })
  return `(${masks.map((mask) => `l.signature & ${mask} = ${mask}`).join(' or ')})`
}

/** A lookup by the whole key for each candidate: an `exists` would be joined with everything that has the word. */
function has(values: Values, word: Word, inTitle: boolean): string {
  return `(select true from unnest(${values.add(word, 'text[]')}) g (term) cross join lateral (
    select from listing_terms t where t.term = g.term and t.listing_id = l.id ${inTitle ? 'and t.in_title' : ''}) t limit 1)`
}
