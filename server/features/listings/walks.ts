// How the market is read: along an index, a bounded number of candidates at a time, of which those are kept that pass every check.
// A list that is rare among its candidates may so end early; it then says where to go on.

import type { Word } from './terms.ts'

/** What some indexes tell of a listing by themselves, so that its row is read only when it passes. */
export type Fact = 'is_public' | 'is_active' | 'type_id' | 'category_id' | 'price' | 'place' | 'word_bits'

/** A condition on a listing: by these facts of it, or, where it names none, by its row `l`. */
export interface Check {
  readonly by: readonly Fact[]
  sql(values: Values, name: string): string
}

/** Where a list has got to: the last listing's id, and its price or place where the order goes by that first. */
export interface Position {
  readonly id: number
  readonly key: number
}

/**
 * The values of a statement. Each stands in the text as a query of its own, which hides from the planner what it is: where it
 * sees how long an array is, or how common a word, it plans anew at every call, and that takes longer than the page.
 */
export class Values {
  readonly list: unknown[] = []

  add(value: unknown, type: string): string {
    return `(select $${this.list.push(value)}::${type})`
  }
}

const mostId = Number.MAX_SAFE_INTEGER
const abovePrices = 1_000_000

/** An order that indexes serve, for all listings and within a group such as one member's: by id, or by price and then by id. */
export interface Order {
  readonly only?: 'sales' | 'unpriced'
  /** By what of the price, which goes the same way as the id. */
  readonly rank?: 'l.price' | '(-l.price)'
  readonly goes: 'up' | 'down'
  readonly start: Position
  readonly last: Position
}

const highestId = { id: mostId, key: 0 }
const lowestId = { id: 0, key: 0 }

export const orders = {
  newest: { goes: 'down', start: highestId, last: lowestId },
  oldest: { goes: 'up', start: lowestId, last: highestId },
  /** What is no sale has no price, and comes after the sales. */
  unpriced: { only: 'unpriced', goes: 'down', start: highestId, last: lowestId },
} satisfies Record<string, Order>

/** Sales, by price. */
export function byPrice(sort: 'highest' | 'lowest', { min, max } = { min: 0, max: abovePrices }): Order {
  const [first, last] = sort === 'lowest' ? [min, max] : [max, min]
  return {
    only: 'sales',
    rank: sort === 'lowest' ? '(-l.price)' : 'l.price',
    goes: 'down',
    start: { id: mostId, key: first },
    last: { id: 0, key: last },
  }
}

/** What belongs in the order at all. */
export function belongs({ only }: Order, name = 'l'): string {
  if (only === undefined) return 'true'
  return only === 'sales' ? `${name}.price > 0` : `${name}.price = 0`
}

/** The order of listings that tell their rank. */
function orderIn(name: string, { rank, goes }: Order): string {
  const way = goes === 'down' ? ' desc' : ''
  return `${rank ? `${name}.rank${way}, ` : ''}${name}.id${way}`
}

/** The same as the indexes have it, behind the group if that is part of it. */
function inIndex(order: Order, group: Group = noGroup): string {
  const way = order.goes === 'down' ? ' desc' : ''
  return columnsOf(order, group)
    .map((column) => column + way)
    .join(', ')
}

function columnsOf({ rank }: Order, { column }: Group): string[] {
  return [...(column ? [column] : []), ...(rank ? [rank] : []), 'l.id']
}

/** A position in SQL. */
interface Place {
  readonly id: string
  readonly rank: string
}

/** A group whose column is compared along with the rest. */
interface Group {
  readonly column?: string
  readonly key?: string
}

const noGroup: Group = {}

/** What comes after a position, or also at it. */
function after(order: Order, at: Place, orAt: '' | '=' = '', group: Group = noGroup): string {
  return compared(order, (order.goes === 'up' ? '>' : '<') + orAt, at, group)
}

/** What comes no later than a position. */
function upTo(order: Order, at: Place, group: Group = noGroup): string {
  return compared(order, order.goes === 'up' ? '<=' : '>=', at, group)
}

function compared(order: Order, how: string, { id, rank }: Place, group: Group): string {
  const values = [...(group.key ? [group.key] : []), ...(order.rank ? [rank] : []), id]
  return `(${columnsOf(order, group).join(', ')}) ${how} (${values.join(', ')})`
}

function placed(values: Values, { rank }: Order, { id, key }: Position): Place {
  const price = rank ? values.add(key, 'numeric') : ''
  return { id: values.add(id, 'bigint'), rank: rank?.replace('l.price', price) ?? '' }
}

/** Where a table of one listing says, or else a position. */
function foundIn(table: string, otherwise: Place): Place {
  return {
    id: `coalesce((select id from ${table}), ${otherwise.id})`,
    rank: `coalesce((select rank from ${table}), ${otherwise.rank})`,
  }
}

/** A way to the candidates of a list: SQL that yields listings in order from a position on, `size` of them at most. */
export interface Walk {
  readonly size: number
  /** By these its candidates can be checked; what of them is always so needs no check. */
  readonly facts?: readonly Fact[]
  readonly given?: readonly Fact[]
  /** Whole listings, named `l`, or, named `c`, only their ids and what they are in order by, where an index alone tells that. */
  readonly yields: 'listings' | 'ids'
  /** The order of the candidates; none where they stream in order and nothing in them says so. */
  readonly by: string | undefined
  readonly start: Position
  /** There may be more, however few these are: where they fill no page, another walk has to. */
  readonly isGlimpse?: boolean
  /** There are no more than these. */
  readonly whole?: boolean
  /** They are all of members whom the list is about. */
  readonly ofOwners?: boolean
  /** The word that they all have, anywhere or in the title. */
  readonly under?: { readonly word: Word; readonly inTitle: boolean }
  /** Behind its candidates comes the last that was looked at, marked as `is_end`, unless that were all. */
  readonly tellsEnd?: boolean
  /** Fewer candidates than `size` do not mean that there are no more: where to go on then, unless another walk goes further. */
  stop?(after: Position): Position | undefined
  /** Those that pass the checks, which are all by facts that the walk tells. */
  candidates(values: Values, after: Position, checks: readonly Check[]): string
}

/** So many listings a walk along an index looks at. They stream: a page that is full early looks at few. */
const manyCandidates = 1200

/** Along an index over all listings. */
export function along(order: Order, size = manyCandidates): Walk {
  return {
    size,
    yields: 'listings',
    by: orderIn('l', order),
    start: order.start,
    candidates: (values, from) =>
      `select l.* from listings l where ${belongs(order)} and ${after(order, placed(values, order, from))}
      order by ${inIndex(order)} limit ${size}`,
  }
}

/** So many a walk looks at where the index tells what is to be known of them: that takes a tenth of what their rows take. */
const manyFacts = 3600

const ofPublic: readonly Fact[] = ['type_id', 'category_id', 'price', 'place']
const ofOwners: readonly Fact[] = ['is_active', 'type_id', 'category_id', 'price', 'word_bits']
const ofPlaces: readonly Fact[] = ['is_public', ...ofOwners]
const ofSales: readonly Fact[] = ['place', ...ofPlaces]

/** Along the index of what is public, by id, or of one category of it. */
export function alongPublic(order: Order, category: number | undefined): Walk {
  if (category === undefined)
    return alongFacts(order, 'l.is_public and l.is_active', ofPublic, ['is_public', 'is_active'])
  // The category stands in the text, so that a rare one has another plan than a common one.
  return alongFacts(
    order,
    `l.is_public and l.is_active and l.category_id = ${Number(category)}`,
    ofPublic.filter((fact) => fact !== 'category_id'),
    ['is_public', 'is_active', 'category_id'],
  )
}

/** Along the index of sales, by price. */
export function alongPrices(order: Order): Walk {
  return alongFacts(order, belongs(order), ofSales, [])
}

function alongFacts(order: Order, where: string, facts: readonly Fact[], given: readonly Fact[]): Walk {
  const size = manyFacts
  return {
    size,
    yields: 'ids',
    by: orderIn('c', order),
    start: order.start,
    facts,
    given,
    candidates(values, from, checks) {
      const [start, last] = [placed(values, order, from), placed(values, order, order.last)]
      return `select ${keyOf('c', order)} from (
          select ${told(order, facts)} from listings l
          where ${where} and ${after(order, start)} and ${upTo(order, last)} order by ${inIndex(order)} limit ${size}
        ) c where ${passing([...ofOrder(order), ...checks], values)}`
    },
  }
}

/** What is no sale is left to a check, so that no index is read on and on for it. */
function ofOrder(order: Order): readonly Check[] {
  return order.only === 'unpriced' ? [{ by: ['price'], sql: (_, name) => belongs(order, name) }] : []
}

/** What an index tells of a listing: where it is in the order, and what it is checked by. */
function told({ rank }: Order, facts: readonly Fact[]): string {
  return ['l.id', ...(rank ? [`${rank} as rank`] : []), ...facts.map((fact) => `l.${fact}`)].join(', ')
}

function keyOf(name: string, { rank }: Order): string {
  return rank ? `${name}.id, ${name}.rank` : `${name}.id`
}

function passing(checks: readonly Check[], values: Values): string {
  return ['true', ...checks.map((check) => check.sql(values, 'c'))].join(' and ')
}

/** Along the index of one member's listings. */
export function ofOwner(order: Order, owner: number): Walk {
  return {
    size: manyCandidates,
    yields: 'listings',
    by: orderIn('l', order),
    start: order.start,
    candidates: (values, from) =>
      `select l.*${order.rank ? `, ${order.rank} as rank` : ''} from listings l
      where l.owner_id = ${values.add(owner, 'bigint')} and ${belongs(order)} and ${after(order, placed(values, order, from))}
      order by ${inIndex(order)} limit ${manyCandidates}`,
  }
}

/** So many of all groups together are looked at for the first that passes, and so many of each in any case. */
const ofGroups = { most: 8000, ofEach: 32 }

/**
 * Groups that are each in order, such as the listings of many friends, merged. The first of each group that passes, its head,
 * is looked for; the list comes as far as the last of the first `size` heads, its edge, and of the groups of these heads what
 * passes is read up to there. A group in which none passes for long ends the list where that was given up.
 */
export function merged(
  order: Order,
  column: 'owner_id' | 'place',
  groups: readonly number[],
  size: number,
  { most, ofEach } = ofGroups,
): Walk {
  const facts = column === 'place' ? ofPlaces : ofOwners
  // A place is compared along with what follows in its index: where an equal place is asked for and places are few, PostgreSQL
  // would rather go through all that is newest, or costs as much, even for a place at which there is nothing.
  const group: Group = column === 'place' ? { column: 'l.place', key: 'g.key' } : noGroup
  const ofGroup = [
    ...(column === 'owner_id' ? ['l.owner_id = g.key'] : []),
    ...(order.only === 'sales' ? [belongs(order)] : []),
  ]
  const by = inIndex(order, group)
  const [byHead, byCandidate] = [orderIn('h', order), orderIn('c', order)]

  const tables = (values: Values, from: Position, checks: readonly Check[]) => {
    const mostOfGroup = Math.max(ofEach, Math.ceil(most / Math.max(1, groups.length)))
    const each = values.add(mostOfGroup, 'bigint')
    const butOne = values.add(mostOfGroup - 1, 'bigint')
    const [start, last] = [placed(values, order, from), placed(values, order, order.last)]
    const passes = passing([...ofOrder(order), ...checks], values)
    const ahead = [...ofGroup, after(order, start, '', group), upTo(order, last, group)].join(' and ')
    const head = { id: 'g.id', rank: 'g.rank' }
    const upToEdge = [
      ...ofGroup,
      after(order, head, '=', group),
      upTo(order, foundIn('edge', last), group),
    ].join(' and ')
    // Behind the first that pass, if they are fewer, the one at which the group is given up.
    const firstOf = (which: string, few: number) =>
      `(select ${keyOf('c', order)}, true as passes from (
             select ${told(order, facts)} from listings l where ${which} order by ${by} limit ${each}
           ) c where ${passes} limit ${few})
          union all
          (select ${told(order, [])}, false from listings l where ${which} order by ${by} offset ${butOne} limit 1)
          limit ${few}`
    return `with heads as materialized (
        select g.key, ${keyOf('h', order)}, h.passes
        from unnest(${values.add(groups, column === 'place' ? 'integer[]' : 'bigint[]')}) g (key) cross join lateral (
          ${firstOf(ahead, 1)}
        ) h order by ${byHead} limit ${size}
      ), edge as materialized (
        select ${keyOf('h', order)} from (select h.*, row_number() over (order by ${byHead}) as turn from heads h) h
        where not h.passes or h.turn = ${size} order by h.turn limit 1
      ), found as materialized (
        select ${keyOf('c', order)}, c.passes from heads g cross join lateral (
          ${firstOf(upToEdge, size)}
        ) c where g.passes
      ), cut as materialized (
        select ${keyOf('c', order)} from found c where not c.passes order by ${byCandidate} limit 1
      ), fitting as materialized (
        select ${keyOf('c', order)} from found c
        where c.passes and not exists (select from cut where ${later('c', 'cut', order)})
        order by ${byCandidate} limit ${size}
      )`
  }
  return {
    size,
    yields: 'ids',
    ofOwners: column === 'owner_id',
    tellsEnd: true,
    by: `c.is_end, ${byCandidate}`,
    start: order.start,
    facts,
    // A group is chosen for its place.
    given: ['place'],
    candidates: (values, from, checks) => `${tables(values, from, checks)}
      select c.* from (
        select c.*, false as is_end from fitting c
        union all
        (select c.*, true from (
           select * from cut union all select * from edge union all (select * from fitting offset ${size - 1} limit 1)
         ) c order by ${byCandidate} limit 1)
      ) c order by c.is_end, ${byCandidate} limit ${size + 1}`,
  }
}

/** One listing comes later than another, by what they tell. */
function later(one: string, other: string, order: Order): string {
  const [left, right] = [keyOf(one, order), keyOf(other, order)].map((key) => key.split(', ').reverse())
  return `(${left?.join(', ')}) ${order.goes === 'up' ? '>' : '<'} (${right?.join(', ')})`
}

/** So many listings of all owners together are looked at between two ids. */
const manyOfOwners = 4000

/** How far a glimpse goes: through a part of all ids, or of what sales cost, by some prices in order. */
interface Reach {
  readonly part: number
  readonly prices: readonly number[]
}

/**
 * What many members have listed, as far as it reaches. It tells nothing of what comes behind, and nothing at all where they
 * have listed very much.
 */
export function glimpse(
  order: Order,
  owners: readonly number[],
  reach: Reach,
  size: number,
  most = manyOfOwners,
): Walk {
  return {
    size,
    yields: 'ids',
    isGlimpse: true,
    ofOwners: true,
    by: orderIn('c', order),
    start: order.start,
    facts: ofOwners,
    given: ['place'],
    candidates(values, from, checks) {
      const start = placed(values, order, from)
      const reached = [
        ...(order.rank
          ? [
              belongs(order),
              upTo(order, placed(values, order, { ...order.last, key: priceAfter(from, order, reach) })),
            ]
          : [withinPart(values, order, start.id, reach.part)]),
      ].join(' and ')
      return `with lately as materialized (
          select count(*) as looked_at, array_agg(${packed(order)}) filter (where ${passing([...ofOrder(order), ...checks], values)}) as found
          from (
            select ${told(order, ofOwners)} from listings l
            where l.owner_id = any (${values.add(owners, 'bigint[]')}::bigint[])
              and ${after(order, start)} and ${reached} limit ${most}
          ) c
        ) select ${keyOf('c', order)} from lately cross join ${unpacked(order)} where looked_at < ${most}
        order by ${orderIn('c', order)} limit ${size}`
    },
  }
}

/** What the part of the sales that follow a position cost at most, or at least. */
function priceAfter({ key }: Position, { rank, last }: Order, { part, prices }: Reach): number {
  const ahead =
    rank === 'l.price'
      ? prices.filter((price) => price <= key).reverse()
      : prices.filter((price) => price >= key)
  return ahead[Math.ceil(part * prices.length)] ?? last.key
}

function withinPart(values: Values, { goes }: Order, id: string, part: number): string {
  const share = values.add(part, 'float8')
  return goes === 'down'
    ? `l.id >= (select (least(${id}, max(id) + 1) * (1 - ${share}))::bigint from listings)`
    : `l.id <= (select (${id} + (max(id) - ${id}) * ${share})::bigint from listings)`
}

/** What one tells of many, as one row: PostgreSQL counts them the cheaper. */
function packed({ rank }: Order): string {
  return rank ? 'array[c.id, c.rank]' : 'c.id'
}

function unpacked({ rank }: Order): string {
  return rank
    ? 'lateral (select found[turn][1]::bigint as id, found[turn][2] as rank from generate_subscripts(found, 1) turn) c'
    : 'unnest(found) c (id)'
}

/** The start of an order by place. */
export const atHome: Position = { id: mostId, key: -1 }

/** Place by place, the nearest first, and the newest first at each; `places` begins with the place of the position. */
export function placeByPlace(places: (after: Position) => readonly number[]): Walk {
  return {
    size: manyCandidates,
    yields: 'listings',
    by: undefined,
    start: atHome,
    candidates(values, from) {
      const within = values.add(places(from), 'integer[]')
      const id = values.add(from.id, 'bigint')
      // The places come in the order of the array and bring their listings along, so all is in order without being sorted.
      return `select l.* from unnest(${within}) with ordinality g (place, turn) cross join lateral (
          select l.* from listings l
          where (l.place, l.id) >= (g.place, 0) and (l.place, l.id) < (g.place, case g.turn when 1 then ${id} else ${mostId} end)
          order by l.place desc, l.id desc limit ${manyCandidates}
        ) l limit ${manyCandidates}`
    },
  }
}

/** Member by member, those at the nearest place first, and at each place the newest first. `turns` says whose turn comes when. */
export function memberByMember(
  members: (after: Position) => { readonly owners: readonly number[]; readonly turns: readonly number[] },
  size: number,
): Walk {
  return {
    size,
    yields: 'ids',
    ofOwners: true,
    by: 'c.turn, c.id desc',
    start: atHome,
    candidates(values, from) {
      const { owners, turns } = members(from)
      const [who, when] = [values.add(owners, 'bigint[]'), values.add(turns, 'integer[]')]
      const id = values.add(from.id, 'bigint')
      return `select l.id, g.turn from unnest(${who}, ${when}) g (owner, turn) cross join lateral (
          select l.id from listings l
          where l.owner_id = g.owner and l.id < case g.turn when 0 then ${id} else ${mostId} end
          order by l.id desc limit ${size}
        ) l order by g.turn, l.id desc limit ${size}`
    },
  }
}

/** Along what is filed under a word, by id. */
export function filedUnder(
  order: Order,
  word: Word,
  { inTitle, size }: { inTitle: boolean; size: number },
): Walk {
  const direction = order.goes === 'up' ? 'asc' : 'desc'
  return {
    size,
    yields: 'ids',
    by: `c.id ${direction}`,
    start: order.start,
    under: { word, inTitle },
    candidates(values, from) {
      const id = values.add(from.id, 'bigint')
      // Term by term in the text: so they are merged as they come, and no more is read than the page takes.
      const each = word.map(
        (term) => `(select t.listing_id from listing_terms t
          where t.term = ${values.add(term, 'text')} ${inTitle ? 'and t.in_title' : ''} and t.listing_id ${direction === 'asc' ? '>' : '<'} ${id}
          order by t.listing_id ${direction} limit ${size})`,
      )
      return `select distinct on (t.listing_id) t.listing_id as id from (${each.join(' union all ')}) t
        order by t.listing_id ${direction} limit ${size}`
    },
  }
}

/** Everything that is filed under a rare word, put in any order. */
export function gathered(order: Order, word: Word, size: number): Walk {
  return {
    size,
    yields: 'listings',
    by: orderIn('l', order),
    start: order.start,
    whole: true,
    under: { word, inTitle: false },
    candidates(values, from) {
      const found = everyListingWith(values.add(word, 'text[]'), size)
      return `select l.*${order.rank ? `, ${order.rank} as rank` : ''} from (${found}) l
        where ${belongs(order)} and ${after(order, placed(values, order, from))}
        order by ${inIndex(order)} limit ${size}`
    },
  }
}

/** Everything that is filed under a rare word, the nearest first. */
export function gatheredByPlace(
  places: (after: Position) => readonly number[],
  word: Word,
  size: number,
): Walk {
  return {
    size,
    yields: 'listings',
    by: 'l.turn, l.id desc',
    start: atHome,
    whole: true,
    under: { word, inTitle: false },
    candidates(values, from) {
      const found = everyListingWith(values.add(word, 'text[]'), size)
      const id = values.add(from.id, 'bigint')
      return `select l.*, g.turn from (${found}) l
        join unnest(${values.add(places(from), 'integer[]')}) with ordinality g (place, turn) on g.place = l.place
        where g.turn > 1 or l.id < ${id} order by g.turn, l.id desc`
    },
  }
}

/** Row by row, as PostgreSQL would rather go through a market that is not much larger than what may be found. */
export function everyListingWith(terms: string, size: number): string {
  return `select l.* from (
      select distinct t.listing_id from unnest(${terms}) g (term) cross join lateral (
        select t.listing_id from listing_terms t where t.term = g.term order by t.listing_id desc limit ${size}
      ) t limit ${size}
    ) t cross join lateral (select * from listings where id = t.listing_id limit 1) l`
}
