import { LRUCache } from 'lru-cache'
import { limits, types } from '#contract/constants.ts'
import type { ListingQuery, Sort } from '#contract/listings.ts'
import type { Deps } from '#server/deps.ts'
import { nowhere, placesWithin } from '#server/features/places/places.ts'
import { type Bookmark, cursorsFor } from './cursor.ts'
import { type Filters, filterChecks, hasWords, lacksWords, titlesFirst, type Wording } from './filters.ts'
import { everythingAt, glimpse, merged, tooMuch } from './groups.ts'
import { nearestFriends, nearestOverall } from './near.ts'
import { belongs, byPrice, type Order, orders, type Position } from './orders.ts'
import { samplePrices } from './prices.ts'
import {
  type End,
  type FriendRow,
  findEnd,
  findPlace,
  friendsOf,
  type ListingRow,
  listFriends,
  listPublicListings,
  ownedByFriends,
  readWalk,
  type Scope,
  visibility,
} from './queries.ts'
import { type Count, isRare, mostByRow, mostRare, rarerFirst, type Sought, soughtWords } from './search.ts'
import type { Word } from './terms.ts'
import type { Values } from './values.ts'
import {
  along,
  alongPrices,
  alongPublic,
  beforeMerge,
  type Check,
  filedUnder,
  gathered,
  ofOwner,
  type Walk,
} from './walks.ts'

/** The rows of a page, and where the next begins while there is one. */
interface Page {
  readonly rows: ListingRow[]
  readonly next: Bookmark | undefined
}

/** The rows of a page, and the cursor of the next while there is one. */
export interface MarketPage {
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

/** What a list is made by, once everything that it depends on is known. */
interface Asked {
  readonly caller: number
  readonly scope: Scope
  readonly sort: Sort
  readonly place: number
  readonly filters: Filters
  /** Whom the list is about. */
  readonly friends: () => Promise<readonly FriendRow[]>
  readonly limit: number
  /** What sales cost, where friends' are asked for by price. */
  readonly prices: readonly number[]
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

async function readPage(
  db: Deps['db'],
  { caller, scope, filters, limit }: Asked,
  stretches: readonly Stretch[],
  bookmark: Bookmark | undefined,
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
      ...visibility(scope, caller),
      ...filterChecks(filters),
      ...(stretch.checks ?? []),
    ]
    const checksOf = (walk: Walk) => [
      ...checks,
      ...(scope.of === 'friends' && !walk.ofOwners ? [ownedByFriends(caller)] : []),
      ...wordChecks(stretch, walk.under),
    ]
    const from = index === start ? bookmark : undefined
    const { rows, end } = await readStretch(db, stretch.walks, from, checksOf, limit + 1 - found.length)
    found.push(...rows.map((row) => ({ row, bookmark: mark(row) })))
    const last = found[limit - 1]
    if (found.length > limit && last)
      return { rows: found.slice(0, limit).map(({ row }) => row), next: last.bookmark }
    if (end) return { rows: found.map(({ row }) => row), next: mark(end) }
  }
  return { rows: found.map(({ row }) => row), next: undefined }
}

/** Where not too much is listed around, all of it is looked at in one go: what has the words in the title, then the rest. */
async function readGlance(
  db: Deps['db'],
  asked: Asked,
  words: readonly Sought[],
  bookmark: Bookmark | undefined,
): Promise<Page | undefined> {
  const { caller, scope, sort, place, filters, limit } = asked
  const { places } = filters
  if (sort !== 'best' || !places || places.length > mostAtAGlance || !areTitlesTold(words)) return undefined
  if (scope.of !== 'public' && scope.of !== 'all') return undefined
  const crowds = crowdsKnown(db)
  const area = `${place} ${places.length}`
  if (crowds.has(area)) return undefined
  const turns = titlesFirst(words.map(({ terms }) => terms))
  const walk = everythingAt([...places, nowhere], turns, headsFor(asked, []))
  const checks = [...visibility(scope, caller), ...filterChecks(filters)]
  const inNoTitle = words.some(({ inTitles }) => inTitles.used === 0)
  const start = inNoTitle ? { ...walk.start, key: 1 } : walk.start
  const after = bookmark && bookmark.stretch >= start.key ? { id: bookmark.id, key: bookmark.stretch } : start
  const { rows, end } = await readWalk(db, walk, after, checks, limit + 1)
  if (end?.turn === tooMuch) {
    crowds.set(area, true)
    return undefined
  }
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : end
  return { rows: shown, next: last && { stretch: last.turn ?? 0, id: last.id, key: 0 } }
}

/** Of what has a word at least so much has it in the title, where the rest is looked at only when titles fill no page. */
const mostlyInTitles = 1 / 4

/** Few of what has the words have to be looked at to find those with the words in the title. */
function areTitlesTold(words: readonly Sought[]): boolean {
  if (words[0]?.used === 0) return false
  return words.every(
    ({ used, share, inTitles }) =>
      share === 0 ||
      inTitles.used === 0 ||
      (inTitles.share === 0
        ? inTitles.used > mostlyInTitles * used
        : inTitles.share > mostlyInTitles * share),
  )
}

/** So many places around are taken in at a glance. */
const mostAtAGlance = 640

/** Where there is more than a glance takes there stays more for a while. */
const crowdedMs = 600_000
const crowdsByDb = new WeakMap<Deps['db'], LRUCache<string, true>>()

function crowdsKnown(db: Deps['db']): LRUCache<string, true> {
  const known = crowdsByDb.get(db) ?? new LRUCache<string, true>({ max: 5000, ttl: crowdedMs })
  crowdsByDb.set(db, known)
  return known
}

function wordChecks({ has, lacks }: Stretch, under: Walk['under']): Check[] {
  return [...(has ? hasWords(has, under) : []), ...(lacks ? [lacksWords(lacks)] : [])]
}

async function readStretch(
  db: Deps['db'],
  walks: Stretch['walks'],
  from: Position | undefined,
  checksOf: (walk: Walk) => readonly Check[],
  limit: number,
): Promise<{ rows: ListingRow[]; end: End | undefined }> {
  let best: { rows: ListingRow[]; end: () => Promise<End | undefined> } = {
    rows: [],
    end: async () => undefined,
  }
  for (const find of walks) {
    const walk = await find()
    const after = from ?? walk.start
    const { rows, end: known } = await readWalk(db, walk, after, checksOf(walk), limit)
    // Only what is read group by group is likely to be all there is.
    if (rows.length >= limit || walk.whole || (walk.tellsEnd && !known)) return { rows, end: undefined }
    if (!walk.isGlimpse && rows.length >= best.rows.length)
      best = { rows, end: async () => known ?? endOf(db, walk, after) }
  }
  return { rows: best.rows, end: await best.end() }
}

async function endOf(db: Deps['db'], walk: Walk, after: Position): Promise<End | undefined> {
  const end = await findEnd(db, walk, after)
  const stop = end ? undefined : walk.stop?.(after)
  return stop ? { id: stop.id, price: 0, place: stop.key } : end
}

function pageOf(rows: ListingRow[], limit: number): Page {
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : undefined
  return { rows: shown, next: last && { stretch: 0, id: last.id, key: 0 } }
}

/** The orders of a sort: one after the other they make the list. */
function ordersOf(sort: Sort, { types: chosen, prices }: Filters): Order[] {
  if (sort === 'oldest') return [orders.oldest]
  if (sort !== 'highest' && sort !== 'lowest') return [orders.newest]
  const sales = chosen === undefined || chosen.includes(types.sell)
  const others = chosen === undefined || chosen.some((type) => type !== types.sell)
  const priced = byPrice(sort, prices)
  return [...(sales ? [priced] : []), ...(others ? [orders.unpriced] : [])]
}

/** So few places are merged at once, and so few before a word is followed; so many at most. */
const closePlaces = 320
const mostPlaces = 2048
/** So many listings under a word are looked at. They stream: a page that is full early looks at few. */
const underWord = 2048
const underWordQuickly = 512

function plainStretches(db: Deps['db'], asked: Asked): Stretch[] {
  if (asked.sort === 'nearest') return [nearestStretch(db, asked, [])]
  return ordersOf(asked.sort, asked.filters).map((order) => ({
    walks: walksOf(asked, order, []),
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
    checks: [{ by: ['price'], sql: (_, name) => belongs(order, name) }],
  }))
}

function wordStretch(asked: Asked, order: Order, words: readonly Sought[]): Stretch {
  return { walks: wordWalks(asked, order, words, words[0], false), key: keyOf(order) }
}

/** Along the word that is the rarest in titles; none when one is in no title. */
function titleWalks(asked: Asked, words: readonly Sought[]): Stretch['walks'] {
  const [rarest] = words.map(({ terms, inTitles }) => ({ terms, ...inTitles })).sort(rarerFirst)
  return rarest?.used === 0 ? [] : wordWalks(asked, orders.newest, words, rarest, true)
}

/** Along the rarest word where that is the shorter way. */
function wordWalks(
  asked: Asked,
  order: Order,
  words: readonly Sought[],
  rarest: (Count & { readonly terms: Word }) | undefined,
  inTitle: boolean,
): Stretch['walks'] {
  const { scope, filters } = asked
  if (!rarest || scope.of === 'me' || scope.of === 'member') return walksOf(asked, order, words)
  const { places } = filters
  const isById = keyOf(order) === undefined
  const isPublic = scope.of === 'public'
  const through = (size: number) => filedUnder(order, rarest.terms, { inTitle, size, isPublic })
  const rare = isById
    ? { ...through(mostRare), whole: true }
    : gathered(order, rarest.terms, { size: mostRare, isPublic })
  const around =
    places && isById ? merged(order, 'place', [...places, nowhere], headsFor(asked, words)) : undefined
  if (isRare(rarest, isPublic ? mostRare : mostByRow)) return ready(rare)
  if (scope.of === 'friends' || !isById) return walksOf(asked, order, words)
  if (!around || places === undefined || places.length > closePlaces) return ready(through(underWord))
  return ready(through(underWordQuickly), around)
}

/** Of what lacks a word, so many seem to have it by their bits. */
const seeming = 0.01

/** So many groups of a merge are read for a page: more where many of those that pass do not have the words after all. */
function headsFor({ limit }: Asked, words: readonly Sought[]): number {
  const page = limit <= limits.page.size ? 32 : 112
  const having = words.reduce((share, word) => share * word.share, 1)
  const wrong = seeming ** words.length
  return page * (words.length === 0 ? 1 : having > wrong ? 2 : 4)
}

function nearestStretch(db: Deps['db'], asked: Asked, words: readonly Sought[]): Stretch {
  const { scope, filters, friends, place } = asked
  if (scope.of === 'me' || scope.of === 'member')
    return { walks: walksOf(asked, orders.newest, words), key: undefined }
  if (scope.of === 'friends') return { walks: nearestFriends(place, friends), key: 'place' }
  const [rarest] = words
  const rare = rarest && isRare(rarest, mostByRow) ? rarest.terms : undefined
  return { walks: nearestOverall(db, place, filters.places, rare), key: 'place' }
}

function ready(...walks: readonly Walk[]): Stretch['walks'] {
  return walks.map((walk) => async () => walk)
}

function keyOf({ rank }: Order): 'price' | undefined {
  return rank === undefined ? undefined : 'price'
}

/** The ways to read a scope in an order. */
function walksOf(asked: Asked, order: Order, words: readonly Sought[]): Stretch['walks'] {
  const { caller, scope, filters } = asked
  if (scope.of === 'me') return ready(ofOwner(order, caller))
  if (scope.of === 'member') return ready(ofOwner(order, scope.owner))
  if (scope.of === 'friends') return friendsWalks(asked, order, words)
  const { places } = filters
  if (!places || places.length > mostPlaces) return ready(throughAll(scope, order, filters))
  const through = throughAll(scope, order, filters, beforeMerge)
  const around = merged(order, 'place', [...places, nowhere], headsFor(asked, words))
  return places.length <= closePlaces ? ready(around) : ready(through, around)
}

/** So much a friend is taken to have listed, and so large a part of it to pass. */
const typical = { listings: 20, ofCategory: 1 / 3, forSale: 1 / 3, inPrices: 1 / 2, withWord: 1 / 500 }

/** A glimpse of the next listings is mostly enough, of a part of them all that should hold more than a page. */
function friendsWalks(asked: Asked, order: Order, words: readonly Sought[]): Stretch['walks'] {
  const { caller, filters, friends, limit, prices } = asked
  const heads = headsFor(asked, words)
  const isSales = order.only === 'sales'
  const passing =
    (isSales ? typical.forSale : filters.types ? filters.types.length / Object.keys(types).length : 1) *
    (filters.category === undefined ? 1 : typical.ofCategory) *
    (filters.prices && !isSales ? typical.inPrices : 1) *
    words.reduce((share, word) => share * Math.max(word.share, typical.withWord), 1)
  const partOfOne = (3 * limit) / (passing * typical.listings)
  const ids = async () => (await friends()).map(({ id }) => id)
  const owners = async () => {
    if (!filters.places) return (values: Values) => `array(${friendsOf(values.add(caller, 'bigint'))})`
    const near = await ids()
    return (values: Values) => values.add(near, 'bigint[]')
  }
  return [
    ...[partOfOne, 8 * partOfOne].map(
      (part) => async () => glimpse(order, await owners(), { partOfOne: part, prices }, heads),
    ),
    async () => merged(order, 'owner_id', await ids(), heads),
  ]
}

function throughAll(scope: Scope, order: Order, { category }: Filters, size?: number): Walk {
  if (keyOf(order) !== undefined) return alongPrices(order, size)
  return scope.of === 'public' ? alongPublic(order, category, size) : along(order)
}

function isNearEnough({ places }: Filters, place: number): boolean {
  return places === undefined || place === nowhere || places.includes(place)
}
