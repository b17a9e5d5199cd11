// Ways through the listings of many groups, such as of friends or of places, each of which is in order by itself.

import {
  after,
  belongs,
  foundIn,
  type Group,
  inIndex,
  keyOf,
  later,
  noGroup,
  type Order,
  orderIn,
  orders,
  type Position,
  placed,
  upTo,
} from './orders.ts'
import type { Values } from './values.ts'
import { type Check, ofOrder, ofOwners, ofPlaces, passing, told, type Walk } from './walks.ts'

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
    const [start, last] = [placed(values, order, from), placed(values, order, order.last)]
    const passes = passing([...ofOrder(order), ...checks], values)
    const ahead = [...ofGroup, after(order, start, '', group), upTo(order, last, group)].join(' and ')
    const head = { id: 'g.id', rank: 'g.rank' }
    const upToEdge = [
      ...ofGroup,
      after(order, head, '=', group),
      upTo(order, foundIn('edge', last), group),
    ].join(' and ')
    // The first that pass, or the one at which the group is given up.
    const firstOf = (which: string, few: number) =>
      `select * from (
             select ${keyOf('c', order)}, ${passes} as passes, row_number() over () = ${each} as is_last from (
               select ${told(order, facts)} from listings l where ${which} order by ${by} limit ${each}
             ) c
           ) c where c.passes or c.is_last limit ${few}`
    return `with heads as materialized (
        select g.key, ${keyOf('h', order)}, h.passes
        from unnest(${values.add(groups, column === 'place' ? 'integer[]' : 'bigint[]')}) g (key) cross join lateral (
          ${firstOf(ahead, 1)}
        ) h order by ${byHead} limit ${size}
      ), edge as materialized (
        select ${keyOf('h', order)} from (select h.*, row_number() over (order by ${byHead}) as turn from heads h) h
        where h.passes is not true or h.turn = ${size} order by h.turn limit 1
      ), found as materialized (
        select ${keyOf('c', order)}, c.passes, c.is_last from heads g cross join lateral (
          ${firstOf(upToEdge, size)}
        ) c where g.passes
      ), cut as materialized (
        select ${keyOf('c', order)} from found c where c.is_last order by ${byCandidate} limit 1
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

/** So many listings of all owners together are looked at between two ids. */
const manyOfOwners = 4000

/** How far a glimpse goes: through a part of all ids, or of what sales cost, by some prices in order. */
interface Reach {
  /** That holds enough of one owner's; of more owners it may be smaller by as much. */
  readonly partOfOne: number
  readonly prices: readonly number[]
}

/**
 * What many members have listed, as far as it reaches, and a mark that there may be more unless that was everything; nothing
 * but the mark where they have listed very much. `owners` is an array of them in SQL.
 */
export function glimpse(
  order: Order,
  owners: (values: Values) => string,
  { partOfOne, prices }: Reach,
  size: number,
  most = manyOfOwners,
): Walk {
  const by = `c.is_end, ${orderIn('c', order)}`
  return {
    size,
    yields: 'ids',
    isGlimpse: true,
    ofOwners: true,
    tellsEnd: true,
    by,
    start: order.start,
    facts: ofOwners,
    given: ['place'],
    candidates(values, from, checks) {
      const start = placed(values, order, from)
      const edge = '(select edge from reach)'
      const last = order.rank
        ? upTo(order, { id: values.add(order.last.id, 'bigint'), rank: order.rank.replace('l.price', edge) })
        : `l.id ${order.goes === 'down' ? '>=' : '<='} ${edge}`
      const upToThere = [...(order.rank ? [belongs(order)] : []), last].join(' and ')
      return `with newest as materialized (select max(id) as id from listings),
        whose as materialized (select ${owners(values)} as ids),
        reach as materialized (
          select r.part, ${order.rank ? edgeByPrice(values, order, from, prices) : edgeById(order, start.id)} as edge
          from (select least(1, ${values.add(partOfOne, 'float8')} / greatest(1, cardinality(ids))) as part from whose) r
        ), lately as materialized (
          select count(*) as looked_at, array_agg(${packed(order)}) filter (where ${passing([...ofOrder(order), ...checks], values)}) as found
          from (
            select ${told(order, ofOwners)} from listings l
            where l.owner_id = any ((select ids from whose)::bigint[]) and ${after(order, start)} and ${upToThere} limit ${most}
          ) c
        ) select c.* from (
          (select ${keyOf('c', order)}, false as is_end from lately cross join ${unpacked(order)} where looked_at < ${most}
           order by ${orderIn('c', order)} limit ${size})
          union all
          select newest.id${order.rank ? ', 0' : ''}, true from lately cross join reach cross join newest
          where part < 1 or looked_at = ${most} or array_length(found, 1) > ${size}
        ) c order by ${by}`
    },
  }
}

function edgeById({ goes }: Order, from: string): string {
  const newest = '(select id from newest)'
  return goes === 'down'
    ? `(least(${from}, ${newest} + 1) - ${newest} * r.part)::bigint`
    : `(${from} + ${newest} * r.part)::bigint`
}

/** So many of the prices stand in the statement. */
const steps = 100

/** What the part of the sales that follow a position cost at most, or at least. */
function edgeByPrice(
  values: Values,
  { rank, last }: Order,
  { key }: Position,
  prices: readonly number[],
): string {
  const ahead =
    rank === 'l.price'
      ? prices.filter((price) => price <= key).reverse()
      : prices.filter((price) => price >= key)
  const step = Math.max(1, Math.ceil(prices.length / steps))
  const some = values.add(
    ahead.filter((_, nth) => nth % step === 0),
    'numeric[]',
  )
  const nth = `1 + ceil(r.part * ${values.add(prices.length / step, 'float8')})::int`
  return `case when r.part < 1 then coalesce((${some})[${nth}], ${values.add(last.key, 'numeric')}) else ${values.add(last.key, 'numeric')} end`
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

/** So many listings at some places are looked at. */
const manyAtPlaces = 12_000

/** What is first and what comes after it. A position's key is its turn. */
export interface Turns {
  /** What nothing of either passes without, by facts. */
  readonly hints: readonly Check[]
  /** What those facts tell of a listing `c`, as a number. */
  sign(values: Values, name: string): string
  /** 0, 1 or nothing, by the `id` and the `sign` of a listing: asked of one after the other until the page is full. */
  turn(values: Values, name: string): string
}

/** The turn of the end of what is too much. */
export const tooMuch = 2

/** Everything at some places: what is first, by id, then the rest; where there is very much, nothing but an end that says so. */
export function everythingAt(
  places: readonly number[],
  turns: Turns,
  size: number,
  most = manyAtPlaces,
): Walk {
  const { newest } = orders
  const group: Group = { column: 'l.place', key: 'g.key' }
  return {
    size,
    yields: 'ids',
    tellsEnd: true,
    tellsTurn: true,
    by: 'c.is_end, c.turn, c.id desc',
    start: { ...newest.start, key: 0 },
    facts: ofPlaces,
    given: ['place'],
    candidates(values, from, checks) {
      const [start, last] = [placed(values, newest, newest.start), placed(values, newest, newest.last)]
      const within = `${after(newest, start, '', group)} and ${upTo(newest, last, group)}`
      const passes = passing([...checks, ...turns.hints], values)
      const [turn, id] = [values.add(from.key, 'int'), values.add(from.id, 'bigint')]
      // Each of the two takes no more of `ranked` than it needs, which is ranked no further than that.
      return `with here as materialized (
          select count(*) as looked_at, max(c.id) as one, array_agg(array[c.id, ${turns.sign(values, 'c')}]) filter (where ${passes}) as found
          from (
            select c.* from unnest(${values.add(places, 'integer[]')}) g (key) cross join lateral (
              select ${told(newest, ofPlaces)} from listings l
              where ${within} order by ${inIndex(newest, group)} limit ${most}
            ) c limit ${most}
          ) c
        ), ranked as materialized (
          select c.id, ${turns.turn(values, 'c')} as turn from (
            select found[nth][1] as id, found[nth][2] as sign from here cross join generate_subscripts(found, 1) nth
            where looked_at < ${most} order by 1 desc
          ) c
        ), fitting as materialized (
          select * from (
            select * from ranked c where c.turn = 0 and c.id < ${id} and ${turn} = 0
            union all
            select * from ranked c where c.turn = 1 and (c.id < ${id} or ${turn} = 0)
          ) c limit ${size}
        ) select c.* from (
          select c.*, false as is_end from fitting c
          union all
          (select c.*, true from fitting c offset ${size - 1} limit 1)
          union all
          select one, ${tooMuch}, true from here where looked_at = ${most}
        ) c order by c.is_end, c.turn, c.id desc limit ${size + 1}`
    },
  }
}
