import {
  type CategoryId,
  categories,
  defaultPriceRange,
  limits,
  sorts,
  type TypeId,
  types,
} from '#contract/constants.ts'
import type { Sort } from '#contract/listing-queries.ts'
import { categoryChoices } from '#web/features/listings/categories.ts'
import { distances, toMiles } from '#web/features/listings/distance.ts'
import type { ListingsFilter, Owners } from '#web/features/listings/listing-queries.ts'
import { readWords } from '#web/ui/search-words.ts'

export type TypeName = keyof typeof types

/** The types of the filter, in the order of the screens. */
export const typeChoices = ['exchange', 'sell', 'giveaway'] as const satisfies TypeName[]

/** A filter. Without any it shows everything, newest first. A full price range is no filter. */
export interface ListingFilter {
  sort?: Sort | undefined
  /** The names of the shown types, joined by commas. */
  show?: string | undefined
  min?: number | undefined
  max?: number | undefined
  /** In the site's unit of distance. */
  near?: number | undefined
}

/** The query string of the marketplace. Public and all categories are the default. */
export interface MarketSearch extends ListingFilter {
  tab?: 'friends' | undefined
  category?: keyof typeof categories | undefined
  q?: string | undefined
  /** The id of the only area that is shown. */
  area?: number | undefined
  /** The unsaved filter of a member who left to add a postal code. The filter dialog opens with it. */
  choosing?: ListingFilter | undefined
}

type Address = Record<string, unknown>

/** Reads the search parameters. Leaves out invalid ones. */
export function parseMarketSearch(address: Address): MarketSearch {
  const { choosing } = address
  return {
    tab: address.tab === 'friends' ? 'friends' : undefined,
    category: categoryChoices.find((name) => name === address.category),
    ...readWords(address),
    ...readFilter(address),
    area: isArea(address.area) ? address.area : undefined,
    choosing: typeof choosing === 'object' && choosing !== null ? readFilter({ ...choosing }) : undefined,
  }
}

function readFilter({ sort, show, min, max, near }: Address): ListingFilter {
  const shown = typesShown(show)
  return {
    sort: sorts.find((choice) => choice === sort),
    show: shown.length > 0 && shown.length < typeChoices.length ? shown.join(',') : undefined,
    min: isPrice(min) && min > defaultPriceRange.min ? min : undefined,
    max: isPrice(max) && max !== defaultPriceRange.max ? max : undefined,
    near: distances().find((band) => band === near),
  }
}

/** Reads the names of the shown types. */
export function typesShown(show: unknown): TypeName[] {
  const names = typeof show === 'string' ? show.split(',') : []
  return typeChoices.filter((name) => names.includes(name))
}

function isArea(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) > 0
}

function isPrice(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= limits.price.max
}

/** Returns whether a list is filtered or sorted by distance. */
export function isByDistance({ near, sort }: MarketSearch): boolean {
  return near !== undefined || sort === 'nearest'
}

export function marketOwners({ tab }: MarketSearch): Owners {
  return tab ?? 'public'
}

export function marketCategory({ category }: MarketSearch): CategoryId | undefined {
  return category && categories[category]
}

/** Returns the filter of the API call. */
export function marketFilter(search: MarketSearch): ListingsFilter {
  const { q, sort, show, min, max, near, area } = search
  return {
    area,
    category_id: marketCategory(search),
    q,
    sort,
    type_id: show === undefined ? undefined : typesShown(show).map((name): TypeId => types[name]),
    min_price: min,
    max_price: max,
    near: near && toMiles(near),
  }
}
