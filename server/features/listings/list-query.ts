// Builds the SQL of a list. A filter is an entry of `filters`, a sort an entry of `sorts`; PostgreSQL plans the statement.

import { type CategoryId, limits, type TypeId } from '#contract/constants.ts'
import type { Sort } from '#contract/listing-queries.ts'
import {
  isCurrent,
  isListed,
  isListedFor,
  isNotGone,
  isPublished,
  isVisibleTo,
} from '#server/features/visibility/listings.ts'
import { friendsOf } from '#server/features/visibility/members.ts'
import { visibleColumns } from './columns.ts'
import type { Cursor } from './cursor.ts'

/** The owners of the listings of a list. */
export type Scope =
  | { readonly of: 'public' | 'all' | 'me' }
  | { readonly of: 'member'; readonly id: number }
  | { readonly of: 'friends'; readonly ids: readonly number[] }

/** The words of a search as `tsquery`. */
export interface SearchQuery {
  readonly inTitle: string
  readonly anywhere: string
  /** True if so few listings have the words that sorting all of them is cheap. */
  readonly isRare: boolean
}

/** The filters and the order of a list. Undefined fields filter nothing. */
export interface List {
  readonly caller: number
  readonly scope: Scope
  readonly sort: Sort
  readonly category?: CategoryId | undefined
  readonly types?: readonly TypeId[] | undefined
  /** The price range of sales. Listings that are not for sale pass. */
  readonly prices?: { readonly min: number; readonly max: number } | undefined
  /** The postal codes within the distance. */
  readonly near?: readonly number[] | undefined
  readonly search?: SearchQuery | undefined
}

/** A page of a list, or of one of its parts. */
export interface PageRequest {
  readonly list: List
  readonly part: number
  readonly after: Cursor | undefined
  readonly limit: number
  /** With `nearest`: the postal codes to read, nearest first, starting with that of the cursor. */
  readonly postalCodes?: readonly number[] | undefined
  /** True to read on until the page is full without folded listings. */
  readonly withoutFolded?: boolean
}

/** Adds a value to the statement and returns its placeholder. */
type Bind = (value: unknown, type: string) => string
/** Returns a condition on a listing `l`, or a falsy value if the list does not filter by it. */
type Filter = (list: List, bind: Bind) => string | false | undefined

const prices: Filter = ({ prices }, bind) =>
  prices &&
  `(l.price = 0 or l.price between ${bind(prices.min, 'numeric')} and ${bind(prices.max, 'numeric')})`

const filters: readonly Filter[] = [
  ({ scope }) => scope.of !== 'me' && scope.of !== 'member' && isNotGone,
  ({ category }) => category && `l.category_id = ${category}`,
  ({ types }, bind) => types && `l.type_id = any (${bind(types, 'smallint[]')})`,
  prices,
  ({ near }, bind) => near && `l.postal_code_id = any (${bind(near, 'integer[]')})`,
]

const anywhere: Filter = ({ search }, bind) => search && `l.search @@ ${bind(search.anywhere, 'tsquery')}`

/**
 * Holds for listings that are folded under a newer equal one of their owner, if that is listed and passes the filters: equal listings can
 * differ in their descriptions and prices. Lists of one owner's listings have all.
 */
function isFolded(list: List, bind: Bind): string {
  if (list.scope.of === 'me' || list.scope.of === 'member') return 'false'
  const passed = [isListed, prices(list, bind), anywhere(list, bind)].filter((condition) => condition)
  return `(l.folded_under is not null
    and exists (select from (select l.folded_under as id) f join listings l using (id) where ${passed.join(' and ')}))`
}

/** A list or a part of it. It is sorted by key and id in the same direction, like the index. */
interface Part {
  readonly where?: (list: List, bind: Bind, after: Cursor | undefined) => string
  readonly words: Filter
  readonly key?: 'l.price' | '(-l.price)'
  readonly direction: 'asc' | 'desc'
}

const inTitle: Filter = ({ search }, bind) => search && `l.search @@ ${bind(search.inTitle, 'tsquery')}`
const notInTitle: Filter = (list, bind) => `${anywhere(list, bind)} and not ${inTitle(list, bind)}`

const newest: Part = { words: anywhere, direction: 'desc' }
const unpriced: Part = { where: () => 'l.price = 0', words: anywhere, direction: 'desc' }
/** A cursor replaces the bound of the price range: with both, PostgreSQL may start the index scan at the wider one. */
const sales = (key: NonNullable<Part['key']>): Part => ({
  where({ prices: { min, max } = { min: 0, max: Infinity } }, bind, after) {
    const [low, high] = key === 'l.price' ? [min, max] : [-max, -min]
    const from = `l.price > 0 and ${key} >= ${bind(low, 'numeric')}`
    return after ? from : `${from} and ${key} <= ${bind(high, 'numeric')}`
  },
  words: anywhere,
  key,
  direction: 'desc',
})

/** The parts of each sort, one after the other. */
const sorts: Record<Sort, readonly Part[]> = {
  newest: [newest],
  oldest: [{ words: anywhere, direction: 'asc' }],
  highest: [sales('l.price'), unpriced],
  lowest: [sales('(-l.price)'), unpriced],
  nearest: [newest],
  best: [
    { words: inTitle, direction: 'desc' },
    { words: notInTitle, direction: 'desc' },
  ],
}

export function countParts(sort: Sort): number {
  return sorts[sort].length
}

/** Returns the value that a part is sorted by before the id, for its cursor. */
export function sortKeyOf(sort: Sort, part: number, row: { price: number; postal_code_id: number }): number {
  if (sort === 'nearest') return row.postal_code_id
  return sorts[sort][part]?.key ? row.price : 0
}

export const withOwner = 'join users o on o.id = l.owner_id'

export interface SqlQuery {
  readonly text: string
  readonly values: readonly unknown[]
  /** Prepared under a name; else PostgreSQL plans it for these values. */
  readonly isPrepared: boolean
}

/** The limit is a literal, because the planner needs it to choose a plan for a short page. There are only two, so few statements are prepared. */
const preparedLimits = [limits.page.size + 1, limits.page.max + 1]

/** Returns the statement of a page: the ids from indexes, then their rows. */
export function pageQuery(page: PageRequest): SqlQuery {
  const values: unknown[] = []
  const bind: Bind = (value, type) => `$${values.push(value)}::${type}`
  const order = orderOf(page)
  const end = `${order} limit ${preparedLimits.find((length) => length >= page.limit)}`
  const [first, ...others] = sourcesOf(page, bind).map(
    (source) => `(${idsQuery(page, source, end, bind)} ${end})`,
  )
  const ids =
    others.length === 0 ? first : `(select * from (${[first, ...others].join(' union all ')}) s ${end})`
  const columns = visibleColumns(bind(page.list.caller, 'bigint'))
  const text = `select ${columns}, ${isFolded(page.list, bind)} as is_folded from ${ids} p join listings l on l.id = p.listing_id ${withOwner} ${order}`
  return { text, values, isPrepared: isPlain(page.list) }
}

/** Returns whether one plan is good for all values: only a category filter, and sorted by id. */
function isPlain({ scope, sort, types, prices, near, search }: List): boolean {
  return (
    (sort === 'newest' || sort === 'oldest') &&
    scope.of !== 'friends' &&
    !types &&
    !prices &&
    !near &&
    !search
  )
}

/** Returns the statement that counts the listings of each source of a list by postal code, of these codes only and at most `limits.area.counted` of each. */
export function countsQuery(list: List, postalCodes: readonly number[]): SqlQuery {
  const values: unknown[] = []
  const bind: Bind = (value, type) => `$${values.push(value)}::${type}`
  const codes = bind(postalCodes, 'integer[]')
  const page = { list, part: 0, after: undefined, limit: 0, postalCodes }
  const counts = sourcesOf(page, bind).map(({ where, isOfOwners }) => {
    const conditions = [where, ...filters.map((filter) => filter(list, bind)), anywhere(list, bind)]
    const shown = `listings l where ${conditions.filter((condition) => condition).join(' and ')}`
    if (isOfOwners || list.search?.isRare)
      return `select l.postal_code_id, count(*)::int as listings from ${shown} and l.postal_code_id = any (${codes}) group by 1`
    return `select g.postal_code_id, c.listings from unnest(${codes}) g (postal_code_id) cross join lateral (
      select count(*)::int as listings from (
        select from ${shown} and l.postal_code_id = g.postal_code_id limit ${limits.area.counted}
      ) counted
    ) c where c.listings > 0`
  })
  return { text: counts.join(' union all '), values, isPrepared: false }
}

/** A source of a list's listings. A list with two sources merges the first rows of both. */
interface Source {
  readonly where: string
  /** True if the statement uses the index of owners, which reads and sorts all matching rows. */
  readonly isOfOwners?: boolean
  /** A row `g` for each group of listings. The first rows of each group are read and sorted. */
  readonly groups?: string
}

function sourcesOf({ list: { scope, search, ...list }, postalCodes }: PageRequest, bind: Bind): Source[] {
  if (scope.of === 'friends') return friendsSources(scope.ids, { search, postalCodes }, bind)
  const caller = bind(list.caller, 'bigint')
  const publicSource = { where: `${isPublished} and ${isListedFor(caller)}` }
  switch (scope.of) {
    case 'public':
      return [publicSource]
    case 'all': {
      const owners = `array(${friendsOf(caller)} union all select ${caller})`
      const where = `l.owner_id = any (${owners}) and ${isCurrent} and not (${isPublished}) and ${isVisibleTo(caller)}`
      return [publicSource, { where, isOfOwners: true }]
    }
    case 'me':
      return [{ where: `l.owner_id = ${caller}`, isOfOwners: true }]
    case 'member':
      return [
        {
          where: `l.owner_id = ${bind(scope.id, 'bigint')} and ${isCurrent} and ${isVisibleTo(caller)}`,
          isOfOwners: true,
        },
      ]
  }
}

function friendsSources(
  ids: readonly number[],
  { search, postalCodes }: { search: SearchQuery | undefined; postalCodes: readonly number[] | undefined },
  bind: Bind,
): Source[] {
  const friends = bind(ids, 'bigint[]')
  const where = `l.owner_id = any (${friends}) and ${isListed}`
  // The full-text index has public listings only.
  if (search?.isRare)
    return [isPublished, `not (${isPublished})`].map((condition) => ({
      where: `${where} and ${condition}`,
      isOfOwners: true,
    }))
  if (postalCodes) return [{ where, isOfOwners: true }]
  return [{ where: `l.owner_id = g.owner_id and ${isListed}`, groups: `unnest(${friends}) g (owner_id)` }]
}

function idsQuery(page: PageRequest, { where, isOfOwners, groups }: Source, end: string, bind: Bind): string {
  const { list, after, postalCodes } = page
  const part = partOf(page)
  const words = part.words(list, bind)
  const select = (
    sortKey: string | undefined,
    from: string,
    ...conditions: readonly ReturnType<Filter>[]
  ) => {
    const all = [
      where,
      ...filters.map((filter) => filter(list, bind)),
      page.withoutFolded && `not ${isFolded(list, bind)}`,
      part.where?.(list, bind, after),
      ...conditions,
    ]
    const key = sortKey === undefined ? '' : `${sortKey} as sort_key, `
    return `select ${key}l.id as listing_id from ${from} where ${all.filter((condition) => condition).join(' and ')}`
  }
  if (postalCodes) {
    const codes = `unnest(${bind(postalCodes, 'integer[]')}) with ordinality g (postal_code_id, rank)`
    const isNext = after && `(g.rank > 1 or l.id < ${bind(after.id, 'bigint')})`
    if (isOfOwners || list.search?.isRare)
      return select('g.rank', `listings l join ${codes} using (postal_code_id)`, words, isNext)
    const ids = select('g.rank', 'listings l', words, isNext, 'l.postal_code_id = g.postal_code_id')
    return `select s.* from ${codes} cross join lateral (${ids} ${end}) s`
  }
  const isNext = after && isAfter(part, after, bind)
  if (!groups) return select(part.key, 'listings l', words, isNext)
  const ids = select(part.key, 'listings l', isNext)
  if (!words) return `select s.* from ${groups} cross join lateral (${ids} ${end}) s`
  // The index of owners has no words, so rows are read in the order of the list until the page is full.
  const ordered = `select s.* from ${groups} cross join lateral (${ids}) s ${orderOf(page)} offset 0`
  return `select s.* from (${ordered}) s join listings l on l.id = s.listing_id where ${words}`
}

function isAfter({ key, direction }: Part, after: Cursor, bind: Bind): string {
  const operator = direction === 'asc' ? '>' : '<'
  const id = bind(after.id, 'bigint')
  if (!key) return `l.id ${operator} ${id}`
  return `(${key}, l.id) ${operator} (${bind(key === 'l.price' ? after.key : -after.key, 'numeric')}, ${id})`
}

function orderOf(page: PageRequest): string {
  const { key, direction } = partOf(page)
  const sortKey = page.postalCodes ? 'sort_key, ' : key ? `sort_key ${direction}, ` : ''
  return `order by ${sortKey}listing_id ${direction}`
}

function partOf({ list: { sort }, part }: PageRequest): Part {
  const selected = sorts[sort][part]
  if (!selected) throw new RangeError(`The sort ${sort} has no part ${part}`)
  return selected
}
