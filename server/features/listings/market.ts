import { types } from '#contract/constants.ts'
import type { ListingQuery, Sort } from '#contract/listings.ts'
import type { Deps } from '#server/deps.ts'
import { nowhere, placesWithin } from '#server/features/places/places.ts'
import { type Bookmark, bookmarkIn, cursorOf } from './cursor.ts'
import { type Check, type Filters, filterChecks, hasWords, ownedByOneOf, type Wording } from './filters.ts'
import { nearestFriends, nearestOverall } from './near.ts'
import {
  type FriendRow,
  findEnd,
  findPlace,
  type ListingRow,
  listFriends,
  listPublicListings,
  readWalk,
  type Scope,
  visibility,
} from './queries.ts'
import { isRare, rarerFirst, type Sought, soughtWords } from './search.ts'
import { mostCounted } from './search-queries.ts'
import {
  along,
  filedUnder,
  gathered,
  merged,
  type Order,
  ofOwner,
  orders,
  type Position,
  pricedWithin,
  type Values,
  type Walk,
} from './walks.ts'

/** The rows of a page, and the cursor of the next while there is one. */
export interface Page {
  readonly rows: ListingRow[]
  readonly next: string | undefined
  /** Where the caller is, if the list asks for it; else nowhere. */
  readonly place: number
}

/**
 * A list is one stretch after the other, as all sales by price and then the rest, and a stretch is read by the first of
 * its walks that fills the page or comes to the end, else by the one that finds the most.
 */
interface Stretch {
  readonly walks: readonly (() => Promise<Walk>)[]
  readonly checks?: readonly Check[]
  /** What a listing has to have, and what it must not have all of. */
  readonly has?: Wording
  readonly lacks?: Wording
  readonly key: 'price' | 'place' | undefined
}

/** Where a list goes on that has ended early. */
type End = Pick<ListingRow, 'id' | 'price' | 'place'>

/** What a list is made by, once everything that it depends on is known. */
interface Asked {
  readonly caller: number
  readonly scope: Scope
  readonly sort: Sort
  readonly place: number
  readonly filters: Filters
  readonly friends: readonly FriendRow[]
}

/** Throws `invalid` for a cursor of another list. */
export async function pageOfMarket(db: Deps['db'], caller: number, query: ListingQuery): Promise<Page> {
  const scope = scopeOf(query)
  const wantsPlace = query.near !== undefined || query.sort === 'nearest'
  const place = wantsPlace ? ((await findPlace(db, caller)) ?? nowhere) : nowhere
  const sort = sortOf(query, place)
  const bookmark = query.cursor === undefined ? undefined : bookmarkIn(query.cursor, sort)
  const filters = filtersOf(query, place)

  if (scope.of === 'public' && sort === 'newest' && query.q === undefined && isPlain(filters)) {
    const page = { before: bookmark?.id ?? orders.newest.start.id, limit: query.limit + 1 }
    const rows = await listPublicListings(db, page, filters.category)
    return pageOf(sort, rows, query.limit, place)
  }

  const friends =
    scope.of === 'friends' ? await listFriends(db, caller, { withPlaces: place !== nowhere }) : []
  if (scope.of === 'friends' && friends.length === 0) return { rows: [], next: undefined, place }
  const asked: Asked = { caller, scope, sort, place, filters, friends }
  if (query.q === undefined) return readPage(db, asked, plainStretches(db, asked), bookmark, query.limit)

  const words = await soughtWords(db, query.q)
  if (words.length === 0) return { rows: [], next: undefined, place }
  const whole = stretchesWith(db, asked, words)
  const onlyWhole = bookmark === undefined || bookmark.stretch < whole.length
  if (onlyWhole) {
    const page = await readPage(db, asked, whole, bookmark, query.limit)
    if (bookmark !== undefined || page.rows.length > 0 || page.next !== undefined || words.length === 1)
      return page
  }
  // Nothing has all the words: what lacks only one of them is better than nothing. No listing can lack two ways.
  const lacking: Stretch[] = []
  for (const word of words)
    lacking.push(
      ...(await stretchesWith(
        db,
        asked,
        words.filter((other) => other !== word),
      )),
    )
  return readPage(db, asked, lacking, bookmark, query.limit, whole.length)
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

function isUnfiltered({ category, types, prices }: Filters): boolean {
  return category === undefined && types === undefined && prices === undefined
}

function isPlain({ types, prices, places }: Filters): boolean {
  return types === undefined && prices === undefined && places === undefined
}

async function readPage(
  db: Deps['db'],
  { caller, scope, sort, place, filters, friends }: Asked,
  stretches: readonly Stretch[],
  bookmark: Bookmark | undefined,
  limit: number,
  first = 0,
): Promise<Page> {
  const start = bookmark === undefined ? 0 : bookmark.stretch - first
  const found: { row: ListingRow; bookmark: Bookmark }[] = []
  for (let index = start; index < stretches.length; index += 1) {
    const stretch = stretches[index]
    if (!stretch) break
    const mark = (row: End): Bookmark => ({
      stretch: first + index,
      id: row.id,
      key: stretch.key === undefined ? 0 : row[stretch.key],
    })
    const checks: Check[] = [
      (values) => visibility(values, scope, caller),
      ...filterChecks(filters),
      ...(stretch.checks ?? []),
    ]
    const checksOf = (walk: Walk) => (values: Values) => [
      ...checks.map((check) => check(values)),
      ...(scope.of === 'friends' && !walk.ofOwners ? [ownedByOneOf(friends)(values)] : []),
      ...wordChecks(stretch, values, walk.under),
    ]
    const from = index === start ? bookmark : undefined
    const { rows, end } = await readStretch(db, stretch.walks, from, checksOf, limit + 1 - found.length)
    found.push(...rows.map((row) => ({ row, bookmark: mark(row) })))
    const last = found[limit - 1]
    if (found.length > limit && last)
      return { rows: found.slice(0, limit).map(({ row }) => row), next: cursorOf(sort, last.bookmark), place }
    if (end) return { rows: found.map(({ row }) => row), next: cursorOf(sort, mark(end)), place }
  }
  return { rows: found.map(({ row }) => row), next: undefined, place }
}

function wordChecks({ has, lacks }: Stretch, values: Values, under: Walk['under']): string[] {
  return [
    ...(has ? hasWords(values, has, under) : []),
    ...(lacks ? [`(${hasWords(values, lacks).join(' and ')}) is not true`] : []),
  ]
}

async function readStretch(
  db: Deps['db'],
  walks: Stretch['walks'],
  from: Position | undefined,
  checksOf: (walk: Walk) => (values: Values) => string[],
  limit: number,
): Promise<{ rows: ListingRow[]; end: End | undefined }> {
  let best: { rows: ListingRow[]; end: () => Promise<End | undefined> } = {
    rows: [],
    end: async () => undefined,
  }
  for (const find of walks) {
    const walk = await find()
    const after = from ?? walk.start
    const rows = await readWalk(db, walk, after, checksOf(walk), limit)
    if (rows.length >= limit || walk.whole) return { rows, end: undefined }
    let asked: Promise<End | undefined> | undefined
    const end = () => {
      asked ??= endOf(db, walk, after)
      return asked
    }
    // Only what is read group by group is likely to be all there is.
    if (walk.end && (await end()) === undefined) return { rows, end: undefined }
    if (rows.length >= best.rows.length) best = { rows, end }
  }
  return { rows: best.rows, end: await best.end() }
}

async function endOf(db: Deps['db'], walk: Walk, after: Position): Promise<End | undefined> {
  const end = await findEnd(db, walk, after)
  const stop = end ? undefined : walk.stop?.(after)
  return stop ? { id: stop.id, price: 0, place: stop.key } : end
}

function pageOf(sort: Sort, rows: ListingRow[], limit: number, place: number): Page {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const next = rows.length > limit && last ? cursorOf(sort, { stretch: 0, id: last.id, key: 0 }) : undefined
  return { rows: shown, next, place }
}

/** The orders of a sort: one after the other they make the list. */
function ordersOf(sort: Sort, { types: chosen, prices }: Filters): Order[] {
  if (sort === 'oldest') return [orders.oldest]
  if (sort !== 'highest' && sort !== 'lowest') return [orders.newest]
  const sales = chosen === undefined || chosen.includes(types.sell)
  const others = chosen === undefined || chosen.some((type) => type !== types.sell)
  const byPrice = prices ? pricedWithin(sort, prices) : orders[sort]
  return [...(sales ? [byPrice] : []), ...(others ? [orders.unpriced] : [])]
}

/** So few candidates a quick look takes in, and so many a thorough one that merges what is in order by itself. */
const quick = 400
const manyMerged = 256
const merges = { all: [64, manyMerged], some: [128, manyMerged], few: [manyMerged] } as const
/** So few places are merged at once, and less is listed around them than under a common word. */
const lonelyPlaces = 128
/** So many are merged before the market has been looked through for long, and so many at most. */
const fewPlaces = 512
const mostPlaces = 2048

function plainStretches(db: Deps['db'], asked: Asked): Stretch[] {
  if (asked.sort === 'nearest') return [nearestStretch(db, asked, [])]
  return ordersOf(asked.sort, asked.filters).map((order) => ({
    walks: ready(walksOf(asked, order)),
    key: keyOf(order),
  }))
}

/** What has these words, the rarest of them first. */
function stretchesWith(db: Deps['db'], asked: Asked, sought: readonly Sought[]): Stretch[] {
  if (sought[0]?.used === 0) return []
  const words = sought.map(({ terms }) => terms)
  const anywhere: Wording = { words, inTitle: false }
  if (asked.sort === 'nearest') return [{ ...nearestStretch(db, asked, sought), has: anywhere }]
  if (asked.sort === 'best') {
    const inTitle: Wording = { words, inTitle: true }
    return [
      { walks: titleWalks(asked, sought), has: inTitle, key: undefined },
      { ...wordStretch(asked, orders.newest, sought), has: anywhere, lacks: inTitle },
    ]
  }
  return ordersOf(asked.sort, asked.filters).map((order) => ({
    ...wordStretch(asked, order, sought),
    has: anywhere,
    checks: [(values) => order.onlyInGroup(values)],
  }))
}

function wordStretch(asked: Asked, order: Order, words: readonly Sought[]): Stretch {
  return { walks: ready(wordWalks(asked, order, words[0], false)), key: keyOf(order) }
}

/** Along the word that is the rarest in titles; none when one is in no title. */
function titleWalks(asked: Asked, words: readonly Sought[]): Stretch['walks'] {
  const [rarest] = words.map(({ terms, inTitles }) => ({ terms, ...inTitles })).sort(rarerFirst)
  return rarest?.used === 0 ? [] : ready(wordWalks(asked, orders.newest, rarest, true))
}

/** Along the rarest word where that is the shorter way. */
function wordWalks(
  asked: Asked,
  order: Order,
  rarest: Pick<Sought, 'terms' | 'used' | 'oldest'> | undefined,
  inTitle: boolean,
): Walk[] {
  const { scope, filters } = asked
  if (!rarest || scope.of === 'me' || scope.of === 'member') return walksOf(asked, order)
  if (isRare(rarest))
    return [
      inTitle
        ? filedUnder(order, rarest.terms, { inTitle, size: mostCounted })
        : gathered(order, rarest.terms, mostCounted),
    ]
  if (scope.of === 'friends' || keyOf(order) !== undefined) return walksOf(asked, order, merges.few)
  const along = (size: number) => filedUnder(order, rarest.terms, { inTitle, size })
  const { places } = filters
  if (!places || places.length > fewPlaces) return [along(512), along(2048)]
  const around = merged(order, 'place', [...places, nowhere], manyMerged)
  return places.length <= lonelyPlaces ? [around, along(2048)] : [along(512), around, along(2048)]
}

function nearestStretch(db: Deps['db'], asked: Asked, words: readonly Sought[]): Stretch {
  const { scope, filters, friends, place } = asked
  if (scope.of === 'me' || scope.of === 'member')
    return { walks: ready(walksOf(asked, orders.newest)), key: undefined }
  if (scope.of === 'friends') {
    const near = friends.filter((friend) => isNearEnough(filters, friend.place))
    return { walks: nearestFriends(place, near), key: 'place' }
  }
  const [rarest] = words
  const rare = rarest && isRare(rarest) ? rarest.terms : undefined
  return { walks: nearestOverall(db, place, filters.places, rare), key: 'place' }
}

function ready(walks: readonly Walk[]): Stretch['walks'] {
  return walks.map((walk) => async () => walk)
}

function keyOf({ by }: Order): 'price' | undefined {
  return by.includes('price') ? 'price' : undefined
}

/** The ways to read a scope in an order, if about so many pass. */
function walksOf(
  { caller, scope, filters, friends }: Asked,
  order: Order,
  sizes: readonly number[] = merges[isUnfiltered(filters) ? 'all' : 'some'],
): Walk[] {
  if (scope.of === 'me') return [ofOwner(order, caller)]
  if (scope.of === 'member') return [ofOwner(order, scope.owner)]
  if (scope.of === 'friends') {
    const near = friends.filter(({ place }) => isNearEnough(filters, place)).map(({ id }) => id)
    return sizes.map((size) => merged(order, 'owner_id', near, size))
  }
  const isById = keyOf(order) === undefined && order !== orders.unpriced
  const isPublic = scope.of === 'public' && isById
  const where = isPublic ? `l.is_public and l.is_active${ofCategory(filters)}` : 'true'
  const through = (size?: number) => along(order, where, size)
  const { places } = filters
  if (!places) return [through()]
  const merge = sizes.map((size) => merged(order, 'place', [...places, nowhere], size))
  if (places.length <= lonelyPlaces) return [...merge, through()]
  if (places.length <= fewPlaces) return [through(quick), ...merge, through()]
  return places.length <= mostPlaces ? [through(), ...merge] : [through()]
}

/** In the text, so that a rare category has another plan than a common one. */
function ofCategory({ category }: Filters): string {
  return category === undefined ? '' : ` and l.category_id = ${Number(category)}`
}

function isNearEnough({ places }: Filters, place: number): boolean {
  return places === undefined || place === nowhere || places.includes(place)
}
