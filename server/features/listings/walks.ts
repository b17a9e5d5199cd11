// How the market is read: along an index, a bounded number of candidates at a time, of which those are kept that pass every check.
// A list that is rare among its candidates may so end early; it then says where to go on.

import type { Word } from './terms.ts'

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

/** An order that indexes serve: for all listings, and within a group such as one member's. */
export interface Order {
  /** Where it goes by price first: which way, and between which prices. */
  readonly prices?: { readonly go: 'up' | 'down'; readonly min: number; readonly max: number }
  /** What of the market is in this order at all, and in a form that its index can stop at. */
  only(values: Values): string
  onlyInGroup(values: Values): string
  readonly by: string
  readonly byInGroup: string
  readonly start: Position
  after(id: string, price: string): string
  afterInGroup(id: string, price: string): string
  /** As early as `edge` or earlier. */
  readonly upToEdge: string
}

const edgeId = (otherwise: number) => `coalesce((select id from edge), ${otherwise})`
const edgePrice = (otherwise: number) => `coalesce((select price from edge), ${otherwise})`

export const orders = {
  newest: {
    only: () => 'true',
    onlyInGroup: () => 'true',
    by: 'l.id desc',
    byInGroup: 'l.id desc',
    start: { id: mostId, key: 0 },
    after: (id) => `l.id < ${id}`,
    afterInGroup: (id) => `l.id < ${id}`,
    upToEdge: `l.id >= ${edgeId(0)}`,
  },
  oldest: {
    only: () => 'true',
    onlyInGroup: () => 'true',
    by: 'l.id',
    byInGroup: 'l.id',
    start: { id: 0, key: 0 },
    after: (id) => `l.id > ${id}`,
    afterInGroup: (id) => `l.id > ${id}`,
    upToEdge: `l.id <= ${edgeId(mostId)}`,
  },
  /** Sales only. */
  highest: {
    prices: { go: 'down', min: 0, max: abovePrices },
    only: () => 'l.price > 0',
    onlyInGroup: () => 'l.price > 0',
    by: 'l.price desc, l.id desc',
    byInGroup: 'l.price desc, l.id desc',
    start: { id: mostId, key: abovePrices },
    after: (id, price) => `(l.price, l.id) < (${price}, ${id})`,
    afterInGroup: (id, price) => `(l.price, l.id) < (${price}, ${id})`,
    upToEdge: `(l.price, l.id) >= (${edgePrice(0)}, ${edgeId(0)})`,
  },
  /** Sales only. Over all it goes down the negative price, so that both columns of the index go one way. */
  lowest: {
    prices: { go: 'up', min: 0, max: abovePrices },
    only: () => 'l.price > 0',
    onlyInGroup: () => 'l.price > 0',
    by: '(-l.price) desc, l.id desc',
    byInGroup: 'l.price, l.id desc',
    start: { id: mostId, key: 0 },
    after: (id, price) => `(-l.price, l.id) < (-${price}, ${id})`,
    afterInGroup: (id, price) => `l.price >= ${price} and (l.price > ${price} or l.id < ${id})`,
    upToEdge: `l.price <= ${edgePrice(abovePrices)} and (l.price < ${edgePrice(abovePrices)} or l.id >= ${edgeId(0)})`,
  },
  /** What is no sale has no price, and comes after the sales. */
  unpriced: {
    only: () => 'l.price = 0',
    onlyInGroup: () => 'l.price = 0',
    by: 'l.id desc',
    byInGroup: 'l.id desc',
    start: { id: mostId, key: 0 },
    after: (id) => `l.id < ${id}`,
    afterInGroup: (id) => `l.id < ${id}`,
    upToEdge: `l.id >= ${edgeId(0)}`,
  },
} satisfies Record<string, Order>

/** The sales within a range of prices, which the index begins and ends with. */
export function pricedWithin(sort: 'highest' | 'lowest', { min, max }: { min: number; max: number }): Order {
  const within = (values: Values) =>
    `l.price > 0 and l.price >= ${values.add(min, 'numeric')} and l.price <= ${values.add(max, 'numeric')}`
  const order = orders[sort]
  return {
    ...order,
    prices: { ...order.prices, min, max },
    only:
      sort === 'highest'
        ? within
        : (values) =>
            `l.price > 0 and (-l.price) >= -${values.add(max, 'numeric')} and (-l.price) <= -${values.add(min, 'numeric')}`,
    onlyInGroup: within,
    start: { ...order.start, key: sort === 'highest' ? max : min },
  }
}

/** A way to the candidates of a list: SQL that yields listings in order from a position on, `size` of them at most. */
export interface Walk {
  readonly size: number
  /** Whole listings, named `l`, or, named `c`, only their ids and what they are in order by, where an index alone tells that. */
  readonly yields: 'listings' | 'ids'
  /** The order of the candidates; none where they stream in order and nothing in them says so. */
  readonly by: string | undefined
  readonly start: Position
  /** There are no more than these. */
  readonly whole?: boolean
  /** They are all of members whom the list is about. */
  readonly ofOwners?: boolean
  /** The word that they all have, anywhere or in the title. */
  readonly under?: { readonly word: Word; readonly inTitle: boolean }
  /** The last candidate where there are more, if it takes more than to count them. */
  end?(values: Values, after: Position): string
  /** Fewer candidates than `size` do not mean that there are no more: where to go on then, unless another walk goes further. */
  stop?(after: Position): Position | undefined
  candidates(values: Values, after: Position): string
}

/** So many listings a walk along an index looks at. They stream: a page that is full early looks at few. */
const manyCandidates = 1200

/** Along an index over all listings, or over those that `where` picks. */
export function along(order: Order, where: string, size = manyCandidates): Walk {
  return {
    size,
    yields: 'listings',
    // What is sorted by has to be a column of the candidates, or they would be sorted again.
    by: order.by.replace('(-l.price)', 'l.falling'),
    start: order.start,
    candidates(values, after) {
      const [id, key] = positionValues(values, order, after)
      const falling = order.by.includes('-l.price') ? ', -l.price as falling' : ''
      return `select l.*${falling} from listings l where ${where} and ${order.only(values)} and ${order.after(id, key)}
        order by ${order.by} limit ${size}`
    },
  }
}

/** Along the index of one member's listings. */
export function ofOwner(order: Order, owner: number): Walk {
  return {
    size: manyCandidates,
    yields: 'listings',
    by: order.byInGroup,
    start: order.start,
    candidates(values, after) {
      const [id, key] = positionValues(values, order, after)
      return `select l.* from listings l
        where l.owner_id = ${values.add(owner, 'bigint')} and ${order.onlyInGroup(values)} and ${order.afterInGroup(id, key)}
        order by ${order.byInGroup} limit ${manyCandidates}`
    },
  }
}

function positionValues(values: Values, order: Order, { id, key }: Position): [id: string, price: string] {
  return [values.add(id, 'bigint'), order.by.includes('price') ? values.add(key, 'numeric') : '']
}

/**
 * At a place, said so that only an index by place can bring it in order. To PostgreSQL an equal place would be a constant, and
 * where places are few it would rather go through all that is newest, even for a place at which there is nothing.
 */
function isAt(place: string): string {
  return `l.place >= ${place} and l.place <= ${place}`
}

/** How a walk through many groups reads each of them, by the indexes of these groups. */
interface Groups {
  readonly keys: string
  readonly by: string
  only(values: Values, key: string): string
  after(key: string, id: string, price: string): string
}

function byOwner(order: Order): Groups {
  return {
    keys: 'bigint[]',
    by: order.byInGroup,
    only: (values, key) => `l.owner_id = ${key} and ${order.onlyInGroup(values)}`,
    after: (_, id, price) => order.afterInGroup(id, price),
  }
}

function byPlace(order: Order): Groups {
  const { prices, byInGroup } = order
  const keys = 'integer[]'
  if (prices === undefined) {
    return {
      keys,
      by: `l.place${byInGroup === 'l.id' ? ' desc' : ''}, ${byInGroup}`,
      only: (values, key) => `${isAt(key)} and ${order.onlyInGroup(values)}`,
      after: (_, id) => order.afterInGroup(id, ''),
    }
  }
  // Prices only together with the place, as PostgreSQL would look up all that costs as much by the index of prices.
  const only: Groups['only'] = (values, key) =>
    `l.price > 0 and (l.place, l.price) >= (${key}, ${values.add(prices.min, 'numeric')})
      and (l.place, l.price) <= (${key}, ${values.add(prices.max, 'numeric')})`
  if (prices.go === 'down')
    return {
      keys,
      by: 'l.place desc, l.price desc, l.id desc',
      only,
      after: (key, id, price) => `(l.place, l.price, l.id) < (${key}, ${price}, ${id})`,
    }
  return {
    keys,
    by: 'l.place, l.price, l.id desc',
    only,
    after: (key, id, price) =>
      `(l.place, l.price) >= (${key}, ${price}) and (l.price > ${price} or l.id < ${id})`,
  }
}

/** So many of each group are looked at in any case. */
const fewestHeads = 3

/**
 * Groups that are each in order, such as the listings of many friends, merged. The first few of each group, the heads, tell how
 * far the merged list reaches for sure; of groups with as many heads as were asked for, more is read up to there.
 */
export function merged(
  order: Order,
  column: 'owner_id' | 'place',
  groups: readonly number[],
  size: number,
): Walk {
  const { keys, by, only, after: afterIn } = column === 'place' ? byPlace(order) : byOwner(order)
  // Only what the order goes by, so that the index alone tells it.
  const price = order.prices ? 'l.price' : '0'
  const byOf = (name: string) => order.byInGroup.replaceAll('l.', `${name}.`)
  const reached = (values: Values, after: Position) => {
    const [id, key] = positionValues(values, order, after)
    const ofGroup = `${only(values, 'g.key')} and ${afterIn('g.key', id, key)}`
    const each = values.add(
      Math.max(fewestHeads, Math.ceil((2 * size) / Math.max(1, groups.length))),
      'bigint',
    )
    const firstOfGroup = (howMany: string) =>
      `select l.id, ${price} as price from listings l where ${ofGroup} order by ${by} limit ${howMany}`
    return `with heads as materialized (
        select g.key, h.id, h.price from unnest(${values.add(groups, keys)}) g (key)
        cross join lateral (${firstOfGroup(each)}) h order by ${byOf('h')} limit ${size}
      ), edge as materialized (
        select h.id, h.price from heads h order by ${byOf('h')} offset greatest((select count(*) from heads) - 1, 0) limit 1
      ), cut as materialized (
        select key from heads group by key having count(*) = ${each}
      ), reached as materialized (
        select c.id, c.price from (
          select h.id, h.price from heads h where h.key not in (select key from cut)
          union all
          select l.id, l.price from cut g cross join lateral (${firstOfGroup(String(size))}) l where ${order.upToEdge}
        ) c order by ${byOf('c')} limit ${size}
      )`
  }
  return {
    size,
    yields: 'ids',
    ofOwners: column === 'owner_id',
    by: byOf('c'),
    start: order.start,
    candidates: (values, after) =>
      `${reached(values, after)} select c.id, c.price from reached c order by ${byOf('c')}`,
    // There is more where a group was cut, however few the candidates.
    end: (values, after) => `${reached(values, after)}
      select c.id from reached c where (select count(*) from heads) = ${size} or exists (select from cut)
      order by ${byOf('c')} offset greatest((select count(*) from reached) - 1, 0) limit 1`,
  }
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
    candidates(values, after) {
      const within = values.add(places(after), 'integer[]')
      const id = values.add(after.id, 'bigint')
      // The places come in the order of the array and bring their listings along, so all is in order without being sorted.
      return `select l.* from unnest(${within}) with ordinality g (place, turn) cross join lateral (
          select l.* from listings l where ${isAt('g.place')} and l.id < case g.turn when 1 then ${id} else ${mostId} end
          order by l.place, l.id desc limit ${manyCandidates}
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
    candidates(values, after) {
      const { owners, turns } = members(after)
      const [who, when] = [values.add(owners, 'bigint[]'), values.add(turns, 'integer[]')]
      const id = values.add(after.id, 'bigint')
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
  const direction = order.by === 'l.id' ? 'asc' : 'desc'
  return {
    size,
    yields: 'ids',
    by: `c.id ${direction}`,
    start: order.start,
    under: { word, inTitle },
    candidates(values, after) {
      const id = values.add(after.id, 'bigint')
      return `select t.listing_id as id from unnest(${values.add(word, 'text[]')}) g (term) cross join lateral (
          select t.listing_id from listing_terms t
          where t.term = g.term ${inTitle ? 'and t.in_title' : ''} and t.listing_id ${direction === 'asc' ? '>' : '<'} ${id}
          order by t.listing_id ${direction} limit ${size}
        ) t group by t.listing_id order by t.listing_id ${direction} limit ${size}`
    },
  }
}

/** Everything that is filed under a rare word, put in any order. */
export function gathered(order: Order, word: Word, size: number): Walk {
  return {
    size,
    yields: 'listings',
    by: order.byInGroup,
    start: order.start,
    whole: true,
    under: { word, inTitle: false },
    candidates(values, after) {
      const [id, key] = positionValues(values, order, after)
      return `${everyListingWith(values.add(word, 'text[]'), size)}
        where ${order.onlyInGroup(values)} and ${order.afterInGroup(id, key)} order by ${order.byInGroup}`
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
    candidates(values, after) {
      const found = everyListingWith(values.add(word, 'text[]'), size)
      const id = values.add(after.id, 'bigint')
      return `select l.*, g.turn from (${found}) l
        join unnest(${values.add(places(after), 'integer[]')}) with ordinality g (place, turn) on g.place = l.place
        where g.turn > 1 or l.id < ${id} order by g.turn, l.id desc`
    },
  }
}

export function everyListingWith(terms: string, size: number): string {
  return `select l.* from (
      select distinct t.listing_id from unnest(${terms}) g (term) cross join lateral (
        select t.listing_id from listing_terms t where t.term = g.term order by t.listing_id desc limit ${size}
      ) t limit ${size}
    ) t join listings l on l.id = t.listing_id`
}
