import { defaultPriceRange, limits } from '#contract/constants.ts'
import {
  type ListingFilter,
  type MarketSearch,
  type SortChoice,
  type TypeName,
  typeChoices,
  typesShown,
} from './market-search.ts'

/** Returns the filter of a query string. */
export function filterOf({ sort, show, min, max, near }: MarketSearch): ListingFilter {
  return {
    ...(sort && { sort }),
    ...(show && { show }),
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
    ...(near && { near }),
  }
}

/** How many choices of a filter narrow or order a list; a price range is one. */
export function countChoices({ sort, show, min, max, near }: ListingFilter): number {
  return [sort, show, min ?? max, near].filter((choice) => choice !== undefined).length
}

/** A filter while it is being chosen: prices are the digits in their fields, no distance is an empty choice. */
export interface FilterDraft {
  readonly sort: SortChoice
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

export function draftOf({ sort, show, min, max, near }: ListingFilter, hasWords: boolean): FilterDraft {
  return {
    sort: sort ?? (hasWords ? 'best' : 'newest'),
    show: typesShown(show),
    min: String(min ?? defaultPriceRange.min),
    max: String(max ?? defaultPriceRange.max),
    near: near === undefined ? '' : String(near),
  }
}

/** Digits only, and no more of them than a price can have. */
export function digitsOf(text: string): string {
  return text.replaceAll(/\D/g, '').slice(0, String(Math.floor(limits.price.max)).length)
}

/** Returns the error message of an invalid price range, or undefined. */
export function rangeProblem({ min, max }: FilterDraft): string | undefined {
  const isUpsideDown =
    min !== '' && max !== '' && Number(max) !== defaultPriceRange.max && Number(min) > Number(max)
  return isUpsideDown ? 'The lowest price must not be above the highest' : undefined
}

/** The filter as an address has it: what is as usual is not said. */
export function filterOfDraft({ sort, show, min, max, near }: FilterDraft, hasWords: boolean): ListingFilter {
  const usualSort = hasWords ? 'best' : 'newest'
  const lowest = min === '' ? defaultPriceRange.min : Number(min)
  const highest = max === '' ? defaultPriceRange.max : Number(max)
  return {
    ...(sort !== usualSort && { sort }),
    ...(show.length > 0 && show.length < typeChoices.length && { show: show.join(',') }),
    ...(lowest > defaultPriceRange.min && { min: lowest }),
    ...(highest !== defaultPriceRange.max && { max: highest }),
    ...(near !== '' && { near: Number(near) }),
  }
}
