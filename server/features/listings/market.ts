import { types } from '#contract/constants.ts'
import type { ListingQuery, Sort } from '#contract/listing-queries.ts'
import { listingMessages } from '#contract/listings.ts'
import { locationsOfArea } from '#server/features/locations/areas.ts'
import {
  allPostalCodes,
  byDistance,
  nearestPostalCodes,
  postalCodesWithin,
  unknownLocation,
} from '#server/features/locations/postal-codes.ts'
import { AppError, invalid } from '#server/platform/errors.ts'
import type { Page } from '#server/platform/http/paging.ts'
import type { Db } from '#server/tables.ts'
import type { VisibleRow } from './columns.ts'
import { type Cursor, decodeCursor, encodeCursor } from './cursor.ts'
import { countParts, type List, type Scope, type SearchQuery, sortKeyOf } from './list-query.ts'
import { findPlace, listPage, listPostalCodesOf, listShownFriends } from './queries.ts'
import { parseSearch } from './search.ts'

export type MarketPage = Page<VisibleRow>

/** Reads a page. Throws `bad_request` for a cursor of another list, `invalid` for a distance from an unknown location. */
export async function pageOfMarket(db: Db, caller: number, query: ListingQuery): Promise<MarketPage> {
  const start = query.cursor === undefined ? undefined : decodeCursor(query.cursor, query)
  const postalCode = await postalCodeFor(db, caller, query)
  const list = await listOf(db, caller, query, postalCode)
  const read = async (search: SearchQuery | undefined, relaxed: boolean): Promise<MarketPage> => {
    const found = await readParts(db, { ...list, search }, { start, postalCode, limit: query.limit + 1 })
    const shown = found.slice(0, query.limit)
    const last = found.length > query.limit ? shown.at(-1) : undefined
    const next = last && encodeCursor({ ...last.position, relaxed }, query)
    return { rows: shown.map(({ row }) => row), next }
  }
  if (query.q === undefined) return read(undefined, false)

  const search = await parseSearch(db, list, query.q)
  if (!search) return { rows: [], next: undefined }
  if (!start?.relaxed) {
    const page = await read(search.all, false)
    if (start || page.rows.length > 0) return page
  }
  // If no listing has all words, list those that lack one of them.
  return search.allButOne ? read(search.allButOne, true) : { rows: [], next: undefined }
}

/** Returns the caller's location, if the list needs it. */
async function postalCodeFor(db: Db, caller: number, { near, sort }: ListingQuery): Promise<number> {
  if (near === undefined && sort !== 'nearest') return unknownLocation
  return knownPlace(db, caller, near === undefined ? 'sort' : 'near')
}

/** Returns a member's location. Throws `invalid` for a field if it is unknown. */
export async function knownPlace(db: Db, member: number, field: 'near' | 'sort'): Promise<number> {
  const place = await findPlace(db, member)
  if (place.postal_code_id === unknownLocation) {
    const message = place.is_given ? listingMessages.placeUnknown : listingMessages.locationUnknown
    throw invalid(field, message, 'location_unknown')
  }
  return place.postal_code_id
}

/** Returns the list of a query: its scope and filters with the locations that it names. */
export async function listOf(db: Db, caller: number, query: ListQuery, postalCode: number): Promise<List> {
  const { min_price: min = 0, max_price: max = Infinity } = query
  const typeIds = query.type_id && [...new Set(query.type_id)]
  return {
    caller,
    scope: await scopeOf(db, caller, query),
    sort: sortOf(query),
    category: query.category_id,
    types: typeIds && typeIds.length < Object.keys(types).length ? typeIds : undefined,
    prices: min > 0 || max < Infinity ? { min, max } : undefined,
    near: locationsIn(query, postalCode),
  }
}

/** Returns the locations that a list is limited to: those within a distance, of an area, or both. */
function locationsIn({ near, area }: Pick<ListingQuery, 'near' | 'area'>, from: number) {
  const within = near === undefined ? undefined : postalCodesWithin(from, near)
  if (area === undefined) return within
  const ofArea = locationsOfArea(area)
  return within === undefined ? ofArea : ofArea.filter((location) => within.includes(location))
}

type ListQuery = Omit<ListingQuery, 'limit' | 'cursor'>

async function scopeOf(db: Db, caller: number, query: ListQuery): Promise<Scope> {
  if (query.mine) return { of: 'me' }
  if (query.friends) return { of: 'friends', ids: await listShownFriends(db, caller) }
  if (query.public) return { of: 'public' }
  return query.user_id === undefined ? { of: 'all' } : { of: 'member', id: query.user_id }
}

/** Returns the sort of a query: `newest` instead of `best` if it has no words. */
function sortOf({ sort = 'best', q }: ListQuery): Sort {
  return sort === 'best' && q === undefined ? 'newest' : sort
}

interface PositionedRow {
  readonly row: VisibleRow
  readonly position: Omit<Cursor, 'relaxed'>
}

interface PageBounds {
  readonly start: Cursor | undefined
  readonly postalCode: number
  readonly limit: number
}

/** Reads the parts of a list one after the other until the page is full. */
async function readParts(db: Db, list: List, bounds: PageBounds): Promise<PositionedRow[]> {
  if (list.sort === 'nearest') return readNearest(db, list, bounds)
  const { start, limit } = bounds
  const found: PositionedRow[] = []
  for (let part = start?.part ?? 0; part < countParts(list.sort) && found.length < limit; part += 1) {
    const after = start?.part === part ? start : undefined
    const rows = await listPage(db, { list, part, after, limit: limit - found.length })
    found.push(
      ...rows.map((row) => ({ row, position: { part, key: sortKeyOf(list.sort, part, row), id: row.id } })),
    )
  }
  return found
}

/** The number of postal codes of each statement. The first is small, because in a dense area a few fill a page. */
const codesPerStatement = [64, 512, Infinity]

/** Reads a page by distance: postal codes from the cursor's on, in statements of more and more codes. Throws `bad_request` for a cursor of another location. */
async function readNearest(
  db: Db,
  list: List,
  { start, postalCode, limit }: PageBounds,
): Promise<PositionedRow[]> {
  const candidates = list.near ?? (await codesOfOwners(db, list))
  const allCodes = () => (candidates ? byDistance(postalCode, candidates) : allPostalCodes(postalCode))
  let codes = candidates ? allCodes() : nearestPostalCodes(postalCode)
  if (start && !codes.includes(start.key)) codes = allCodes()
  let next = start ? codes.indexOf(start.key) : 0
  if (next < 0) throw new AppError('bad_request', listingMessages.cursorUnknown)

  const found: PositionedRow[] = []
  for (const size of codesPerStatement) {
    if (next + size > codes.length) codes = allCodes()
    const postalCodes = codes.slice(next, next + size)
    if (postalCodes.length === 0 || found.length >= limit) break
    const after = start && codes[next] === start.key ? start : undefined
    const rows = await listPage(db, { list, part: 0, after, postalCodes, limit: limit - found.length })
    found.push(...rows.map((row) => ({ row, position: { part: 0, key: row.postal_code_id, id: row.id } })))
    next += size
  }
  return found
}

/** Returns the postal codes of the owners of a list; undefined for lists of all owners. */
async function codesOfOwners(db: Db, { scope, caller }: List): Promise<number[] | undefined> {
  switch (scope.of) {
    case 'me':
      return listPostalCodesOf(db, [caller])
    case 'member':
      return listPostalCodesOf(db, [scope.id])
    case 'friends':
      return listPostalCodesOf(db, scope.ids)
    default:
      return undefined
  }
}
