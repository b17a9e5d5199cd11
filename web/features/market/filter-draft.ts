import { t } from '@lingui/core/macro'
import { defaultPriceRange, limits } from '#contract/constants.ts'
import { normalizeIdentifier } from '#contract/identifiers.ts'
import type { Sort } from '#contract/listing-queries.ts'
import { readNumber } from '#web/i18n/read-number.ts'
import {
  type ListingFilter,
  type MarketSearch,
  type TypeName,
  typeChoices,
  typesShown,
} from './market-search.ts'

/** Returns the filter of a query string. */
export function filterOf({ sort, show, min, max, near }: MarketSearch): ListingFilter {
  return { sort, show, min, max, near }
}

/** The sorts that a list can have without a choice. `best` needs words, and `newest` is the default without any. */
function isDefaultSort(sort: Sort | undefined, hasWords: boolean): boolean {
  return sort === undefined || sort === 'best' || (sort === 'newest' && !hasWords)
}

/** Counts the choices of a filter. A price range counts as one. */
export function countChoices({ sort, show, min, max, near }: ListingFilter, hasWords: boolean): number {
  const chosenSort = isDefaultSort(sort, hasWords) ? undefined : sort
  return [chosenSort, show, min ?? max, near].filter((choice) => choice !== undefined).length
}

/** The values of the filter's fields. Prices are the typed digits, and an empty `near` is any distance. */
export interface FilterDraft {
  readonly sort: Sort
  readonly show: readonly TypeName[]
  readonly min: string
  readonly max: string
  readonly near: string
}

export const emptyDraft: FilterDraft = {
  sort: 'newest',
  show: [],
  min: String(defaultPriceRange.min),
  max: String(defaultPriceRange.max),
  near: '',
}

/** Returns the values of the fields for a filter. */
export function draftOf({ sort, show, min, max, near }: ListingFilter, hasWords: boolean): FilterDraft {
  return {
    sort: sort ?? (hasWords ? 'best' : 'newest'),
    show: typesShown(show),
    min: String(min ?? defaultPriceRange.min),
    max: String(max ?? defaultPriceRange.max),
    near: near === undefined ? '' : String(near),
  }
}

/** Returns the whole amount of a typed or pasted price in ASCII digits, at most as many as a price can have. */
export function digitsOf(text: string): string {
  const amount = readNumber(text.replaceAll(/[^\p{Nd}\s.,'’\u066B\u066C]/gu, ''))
  const digits = Number.isNaN(amount)
    ? normalizeIdentifier(text).replaceAll(/\D/g, '')
    : String(Math.floor(amount))
  return digits.slice(0, String(Math.floor(limits.price.max)).length)
}

/** Returns the error message of an invalid price range, or undefined. */
export function rangeProblem({ min, max }: FilterDraft): string | undefined {
  const isInverted =
    min !== '' && max !== '' && Number(max) !== defaultPriceRange.max && Number(min) > Number(max)
  return isInverted ? t`The lowest price must not be above the highest` : undefined
}

/** Returns the filter for the query string, without the default values. */
export function filterOfDraft({ sort, show, min, max, near }: FilterDraft, hasWords: boolean): ListingFilter {
  const defaultSort = hasWords ? 'best' : 'newest'
  const lowest = min === '' ? defaultPriceRange.min : Number(min)
  const highest = max === '' ? defaultPriceRange.max : Number(max)
  return {
    sort: sort === defaultSort ? undefined : sort,
    show: show.length > 0 && show.length < typeChoices.length ? show.join(',') : undefined,
    min: lowest > defaultPriceRange.min ? lowest : undefined,
    max: highest === defaultPriceRange.max ? undefined : highest,
    near: near === '' ? undefined : Number(near),
  }
}
