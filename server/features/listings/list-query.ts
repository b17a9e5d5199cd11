// Builds the SQL of a list. A filter is an entry of `filters`, a sort an entry of `sorts`; PostgreSQL plans the statement.

import { type CategoryId, limits, type TypeId } from '#contract/constants.ts'
import type { Sort } from '#contract/listings.ts'
import type { Cursor } from './cursor.ts'
import { friendsOf, isPublic, shownTo, visibleTo } from './visibility.ts'

/** Whose listings a list is about. */
export type Scope =
  | { readonly of: 'public' | 'all' | 'me' }
  | { readonly of: 'member'; readonly id: number }
  | { readonly of: 'friends'; readonly ids: readonly number[] }

/** The words of a search as `tsquery`. */
export interface SearchQuery {
  readonly inTitle: string
  readonly anywhere: string
  /** So few listings have the words that all of them can be sorted. */
  readonly isRare: boolean
}

/** What a list holds and in which order. What is undefined filters nothing. */
export interface List {
  readonly caller: number
  readonly scope: Scope
  readonly sort: Sort
  readonly category?: CategoryId | undefined
  readonly types?: readonly TypeId[] | undefined
  /** Of sales: what is not for sale has no price and passes. */
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
  /** With `nearest`: the postal codes to read, nearest first, beginning with that of the cursor. */
  readonly postalCodes?: readonly number[] | undefined
}

/** Adds a value to the statement and returns its placeholder. */
type Bind = (value: unknown, type: string) => string
/** Returns a condition on a listing `l`, or a falsy value where the list does not ask for it. */
type Filter = (list: List, bind: Bind) => string | false | undefined

const filters: readonly Filter[] = [
  ({ category }) => category && `l.category_id = ${category}`,
  ({ types }, bind) => types && `l.type_id = any (${bind(types, 'smallint[]')})`,
  ({ prices }, bind) =>
    prices &&
    `(l.price = 0 or l.price between ${bind(prices.min, 'numeric')} and ${bind(prices.max, 'numeric')})`,
  ({ near }, bind) => near && `l.postal_code_id = any (${bind(near, 'integer[]')})`,
]

/** A list or a part of it: what belongs to it, and by what it is sorted before the id. Both go the same way, as in the index. */
interface Part {
  readonly where: Filter
  readonly key?: 'l.price' | '(-l.price)'
  readonly direction: 'asc' | 'desc'
}

const hasWords: Filter = ({ search }, bind) => search && `l.search @@ ${bind(search.anywhere, 'tsquery')}`
const hasWordsInTitle: Filter = ({ search }, bind) =>
  search && `l.search @@ ${bind(search.inTitle, 'tsquery')}`

function sales(key: NonNullable<Part['key']>): Part {
  // The planner does not find the range of the index in the filter.
  const range: Filter = ({ prices: { min, max } = { min: 0, max: Infinity } }, bind) => {
    const [low, high] = key === 'l.price' ? [min, max] : [-max, -min]
    return `${key} between ${bind(low, 'numeric')} and ${bind(high, 'numeric')}`
  }
  return { where: both(() => 'l.price > 0', range, hasWords), key, direction: 'desc' }
}
const unpriced: Part = { where: both(() => 'l.price = 0', hasWords), direction: 'desc' }

/** The parts of each sort, one after the other. */
const sorts: Record<Sort, readonly Part[]> = {
  newest: [{ where: hasWords, direction: 'desc' }],
  oldest: [{ where: hasWords, direction: 'asc' }],
  highest: [sales('l.price'), unpriced],
  lowest: [sales('(-l.price)'), unpriced],
  nearest: [{ where: hasWords, direction: 'desc' }],
  best: [
    { where: hasWordsInTitle, direction: 'desc' },
    { where: both(hasWords, (list, bind) => `not ${hasWordsInTitle(list, bind)}`), direction: 'desc' },
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

export const listingColumns = `l.id, l.title, l.description, l.price, l.is_active, l.is_public, l.type_id, l.state_id, l.category_id,
  l.owner_id, l.postal_code_id, o.username as owner_username, o.picture_name as owner_picture_name, l.created_at, l.updated_at,
  i.name as image_name, i.width as image_width, i.height as image_height, i.placeholder as image_placeholder,
  array_to_string(i.widths, ',') as image_widths`

export const ownerAndImage = 'join users o on o.id = l.owner_id left join images i on i.name = l.image_name'

export interface SqlQuery {
  readonly text: string
  readonly values: readonly unknown[]
  /** Prepared under a name; else PostgreSQL plans it for these values. */
  readonly isPrepared: boolean
}

/** The lengths of a page stand in the text, since the planner has to see that it is short. Two keep prepared statements few. */
const lengths = [limits.page.size + 1, limits.page.max + 1]

/** Returns the statement of a page: the ids from indexes, then their rows. It reads at least `limit` rows if there are so many. */
export function pageQuery(page: PageRequest): SqlQuery {
  const values: unknown[] = []
  const bind: Bind = (value, type) => `$${values.push(value)}::${type}`
  const caller = bind(page.list.caller, 'bigint')
  const part = partOf(page)
  const end = `order by ${orderOf(page, part)} limit ${lengths.find((length) => length >= page.limit)}`
  const sources = sourcesOf(page.list, caller, bind).map(
    (source) => `(${idsQuery(page, part, source, bind)} ${end})`,
  )
  const [only, ...others] = sources
  const ids = others.length === 0 ? only : `(select * from (${sources.join(' union all ')}) s ${end})`
  const text = `select ${listingColumns} from ${ids} p join listings l on l.id = p.listing_id ${ownerAndImage}
    order by ${orderOf(page, part)}`
  return { text, values, isPrepared: isPlain(page.list) }
}

/** One plan serves all values: no filter but the category, and the order of the ids. */
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

/** Where the listings of a list are found. A list of two sources takes the first of both. */
interface Source {
  readonly where: string
  /** Through the index of owners: all that passes is read, and then sorted. */
  readonly isOfOwners: boolean
}

function sourcesOf({ scope }: List, caller: string, bind: Bind): Source[] {
  const everybody = { where: `${isPublic} and ${shownTo(caller)}`, isOfOwners: false }
  switch (scope.of) {
    case 'public':
      return [everybody]
    case 'all': {
      const owners = `array(${friendsOf(caller)} union all select ${caller})`
      const where = `l.owner_id = any (${owners}) and not (${isPublic}) and ${visibleTo(caller)}`
      return [everybody, { where, isOfOwners: true }]
    }
    case 'me':
      return [{ where: `l.owner_id = ${caller}`, isOfOwners: true }]
    case 'member':
      return [
        { where: `l.owner_id = ${bind(scope.id, 'bigint')} and ${visibleTo(caller)}`, isOfOwners: true },
      ]
    case 'friends': {
      const owners = bind(scope.ids, 'bigint[]')
      return [{ where: `l.owner_id = any (${owners}) and ${shownTo(caller)}`, isOfOwners: true }]
    }
  }
}

function idsQuery(
  { list, after, limit, postalCodes }: PageRequest,
  part: Part,
  source: Source,
  bind: Bind,
): string {
  const conditions = [source.where, ...[...filters, part.where].map((filter) => filter(list, bind))]
  const where = (...more: (string | false | undefined)[]) =>
    [...conditions, ...more].filter((condition) => condition).join(' and ')
  if (!postalCodes) {
    const sortKey = part.key ? `${part.key} as sort_key, ` : ''
    return `select ${sortKey}l.id as listing_id from listings l where ${where(after && isAfter(part, after, bind))}`
  }
  const codes = `unnest(${bind(postalCodes, 'integer[]')}) with ordinality c (postal_code_id, rank)`
  const isNext = after && `(c.rank > 1 or l.id < ${bind(after.id, 'bigint')})`
  if (source.isOfOwners || list.search?.isRare)
    return `select c.rank as sort_key, l.id as listing_id from listings l join ${codes} using (postal_code_id) where ${where(isNext)}`
  return `select c.rank as sort_key, l.id as listing_id from ${codes} cross join lateral (
    select l.id from listings l where ${where('l.postal_code_id = c.postal_code_id', isNext)} order by l.id desc limit ${limit}) l`
}

function isAfter({ key, direction }: Part, after: Cursor, bind: Bind): string {
  const operator = direction === 'asc' ? '>' : '<'
  const id = bind(after.id, 'bigint')
  if (!key) return `l.id ${operator} ${id}`
  return `(${key}, l.id) ${operator} (${bind(key === 'l.price' ? after.key : -after.key, 'numeric')}, ${id})`
}

function orderOf({ postalCodes }: PageRequest, { key, direction }: Part): string {
  const sortKey = postalCodes ? 'sort_key, ' : key ? `sort_key ${direction}, ` : ''
  return `${sortKey}listing_id ${direction}`
}

function partOf({ list: { sort }, part }: PageRequest): Part {
  const found = sorts[sort][part]
  if (!found) throw new RangeError(`The sort ${sort} has no part ${part}`)
  return found
}

function both(...conditions: readonly Filter[]): Filter {
  return (list, bind) =>
    conditions
      .map((condition) => condition(list, bind))
      .filter((condition) => condition)
      .join(' and ')
}
