// Which walks read a list, by who asks for what.

import { limits, types } from '#contract/constants.ts'
import type { Sort } from '#contract/listings.ts'
import type { Deps } from '#server/deps.ts'
import { nowhere } from '#server/features/places/places.ts'
import type { Filters, Wording } from './filters.ts'
import { glimpse, merged } from './groups.ts'
import { nearestFriends, nearestOverall } from './near.ts'
import { belongs, byPrice, type Order, orders } from './orders.ts'
import type { FriendRow, Scope } from './queries.ts'
import { type Count, isRare, mostByRow, mostRare, rarerFirst, type Sought } from './search.ts'
import type { Word } from './terms.ts'
import type { Values } from './values.ts'
import { friendsOf } from './visibility.ts'
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

/** What a list is made by, once everything that it depends on is known. */
export interface Asked {
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

/**
 * A list is one stretch after the other, as all sales by price and then the rest, and a stretch is read by the first of
 * its walks that fills the page or comes to the end, else by the one that finds the most.
 */
export interface Stretch {
  readonly walks: readonly (() => Promise<Walk>)[]
  readonly checks?: readonly Check[]
  /** What a listing has to have, and what it must not have all of. */
  readonly has?: Wording
  readonly lacks?: Wording
  readonly key: 'price' | 'place' | undefined
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

export function plainStretches(db: Deps['db'], asked: Asked): Stretch[] {
  if (asked.sort === 'nearest') return [nearestStretch(db, asked, [])]
  return ordersOf(asked.sort, asked.filters).map((order) => ({
    walks: walksOf(asked, order, []),
    key: keyOf(order),
  }))
}

/** What has these words, the rarest of them first. */
export function stretchesWith(db: Deps['db'], asked: Asked, sought: readonly Sought[]): Stretch[] {
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
export function headsFor({ limit }: Asked, words: readonly Sought[]): number {
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
