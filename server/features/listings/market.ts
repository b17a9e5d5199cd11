import { types } from '#contract/constants.ts'
import type { ListingQuery, Sort } from '#contract/listings.ts'
import type { Deps } from '#server/deps.ts'
import { nowhere, placesWithin } from '#server/features/places/places.ts'
import { type Bookmark, cursorsFor } from './cursor.ts'
import { type Filters, isNearEnough } from './filters.ts'
import { readGlance } from './glance.ts'
import { orders } from './orders.ts'
import { samplePrices } from './prices.ts'
import {
  type FriendRow,
  findPlace,
  type ListingRow,
  listFriends,
  listPublicListings,
  type Scope,
} from './queries.ts'
import { type Page, pageOf, readPage } from './reading.ts'
import { soughtWords } from './search.ts'
import { type Asked, plainStretches, type Stretch, stretchesWith } from './stretches.ts'

/** The rows of a page, and the cursor of the next while there is one. */
export interface MarketPage {
  readonly rows: ListingRow[]
  readonly next: string | undefined
  /** Where the caller is, if the list asks for it; else nowhere. */
  readonly place: number
}

/** Throws `invalid` for a cursor of another list. */
export async function pageOfMarket(db: Deps['db'], caller: number, query: ListingQuery): Promise<MarketPage> {
  const { cursorOf, bookmarkIn } = await cursorsFor(db)
  const wantsPlace = query.near !== undefined || query.sort === 'nearest'
  const place = wantsPlace ? ((await findPlace(db, caller)) ?? nowhere) : nowhere
  const sort = sortOf(query, place)
  const bookmark = query.cursor === undefined ? undefined : bookmarkIn(query.cursor, sort)
  const { rows, next } = await findPage(db, { caller, place, sort, query, bookmark })
  return { rows, next: next && cursorOf(sort, next), place }
}

async function findPage(
  db: Deps['db'],
  {
    caller,
    place,
    sort,
    query,
    bookmark,
  }: Pick<Asked, 'caller' | 'place' | 'sort'> & { query: ListingQuery; bookmark: Bookmark | undefined },
): Promise<Page> {
  const scope = scopeOf(query)
  const filters = filtersOf(query, place)

  if (scope.of === 'public' && sort === 'newest' && query.q === undefined && isPlain(filters)) {
    const page = { before: bookmark?.id ?? orders.newest.start.id, limit: query.limit + 1 }
    return pageOf(await listPublicListings(db, page, filters.category), query.limit)
  }

  let listed: Promise<FriendRow[]> | undefined
  const friends = async () => {
    listed ??= listFriends(db, caller, { withPlaces: place !== nowhere })
    return (await listed).filter((friend) => isNearEnough(filters, friend.place))
  }
  const isByPrice = sort === 'highest' || sort === 'lowest'
  const prices = scope.of === 'friends' && isByPrice ? await samplePrices(db) : []
  const asked: Asked = { caller, scope, sort, place, filters, friends, limit: query.limit, prices }
  if (query.q === undefined) return readPage(db, asked, plainStretches(db, asked), bookmark)

  const words = await soughtWords(db, caller, query.q)
  if (words.length === 0) return { rows: [], next: undefined }
  const whole = stretchesWith(db, asked, words)
  const onlyWhole = bookmark === undefined || bookmark.stretch < whole.length
  if (onlyWhole) {
    const page =
      (await readGlance(db, asked, words, bookmark)) ?? (await readPage(db, asked, whole, bookmark))
    if (bookmark !== undefined || page.rows.length > 0 || page.next !== undefined || words.length === 1)
      return page
  }
  // Nothing has all the words: what lacks only one of them is better than nothing. No listing can lack two ways. Without its
  // only word nothing is left to search for, whatever a cursor says.
  const lacking: Stretch[] = []
  for (const word of words.length > 1 ? words : [])
    lacking.push(
      ...(await stretchesWith(
        db,
        asked,
        words.filter((other) => other !== word),
      )),
    )
  return readPage(db, asked, lacking, bookmark, whole.length)
}

function scopeOf(query: ListingQuery): Scope {
  if (query.mine) return { of: 'me' }
  if (query.friends) return { of: 'friends' }
  if (query.public) return { of: 'public' }
  return query.user_id === undefined ? { of: 'all' } : { of: 'member', owner: query.user_id }
}

/** Without words nothing is best, and from nowhere nothing is nearest: then it is the newest. */
function sortOf({ sort, q }: ListingQuery, place: number): Sort {
  const chosen = sort ?? 'best'
  if (chosen === 'best') return q === undefined ? 'newest' : 'best'
  return chosen === 'nearest' && place === nowhere ? 'newest' : chosen
}

function filtersOf(query: ListingQuery, place: number): Filters {
  const { min_price: min = 0, max_price: max = Infinity } = query
  const chosen = query.type_id && [...new Set(query.type_id)].sort()
  return {
    category: query.category_id,
    types: chosen && chosen.length < Object.keys(types).length ? chosen : undefined,
    prices: min > 0 || max < Infinity ? { min, max: Math.min(max, 1_000_000) } : undefined,
    places: query.near !== undefined && place !== nowhere ? placesWithin(place, query.near) : undefined,
  }
}

function isPlain({ types, prices, places }: Filters): boolean {
  return types === undefined && prices === undefined && places === undefined
}
