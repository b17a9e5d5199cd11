// How the market is read: along an index, a bounded number of candidates at a time, of which those are kept that pass every check.
// A list that is rare among its candidates may so end early; it then says where to go on.

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
  /** The order of the candidates, named `l`; none where they stream in order and nothing in them says so. */
  readonly by: string | undefined
  readonly start: Position
  /** There are no more than these. */
  readonly whole?: boolean
  /** The last candidate where there are more, if it takes more than to count them. */
  end?(values: Values, after: Position): string
  /** Fewer candidates than `size` do not mean that there are no more: where to go on then, unless another walk goes further. */
  stop?(after: Position): Position | undefined
  candidates(values: Values, after: Position): string
}

/** So many listings a walk along an index looks at. They stream: a page that is full early looks at few. */
const manyCandidates = 2000

/** Along an index over all listings, or over those that `where` picks. */
export function along(order: Order, where: string, size = manyCandidates): Walk {
  return {
    size,
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

function byPlaceThen({ byInGroup }: Order): string {
  const isBackward = byInGroup === 'l.id' || byInGroup === 'l.price desc, l.id desc'
  return `l.place${isBackward ? ' desc' : ''}, ${byInGroup}`
}

/**
 * Groups that are each in order, such as the listings of many friends, merged. The first few of each group tell how far the
 * merged list reaches for sure, and only what is no further is read.
 */
export function merged(
  order: Order,
  column: 'owner_id' | 'place',
  groups: readonly number[],
  size: number,
): Walk {
  const type = column === 'place' ? 'integer' : 'bigint'
  const headsBy = order.byInGroup.replaceAll('l.', 'h.')
  const isOfGroup = column === 'place' ? isAt('g.key') : 'l.owner_id = g.key'
  const byInGroup = column === 'place' ? byPlaceThen(order) : order.byInGroup
  const fewest = column === 'place' ? 16 : 4
  // Only what the order goes by, so that the index alone tells it.
  const price = order.by.includes('price') ? 'l.price' : '0'
  const ofGroup = (values: Values, after: Position) => {
    const [id, key] = positionValues(values, order, after)
    return `${isOfGroup} and ${order.onlyInGroup(values)} and ${order.afterInGroup(id, key)}`
  }
  const headsOf = (values: Values, after: Position) => {
    const keys = values.add(groups, `${type}[]`)
    const each = values.add(Math.max(fewest, Math.ceil((4 * size) / Math.max(1, groups.length))), 'bigint')
    return `select g.key, h.id, h.price, h.turn = ${each} as is_cut from unnest(${keys}) g (key)
      cross join lateral (
        select l.id, ${price} as price, row_number() over (order by ${byInGroup}) as turn from listings l
        where ${ofGroup(values, after)} order by ${byInGroup} limit ${each}
      ) h order by ${headsBy} limit ${size}`
  }
  const candidates = (values: Values, after: Position) => `
    with heads as materialized (${headsOf(values, after)}), edge as materialized (
      select h.id, h.price from heads h order by ${headsBy}
      offset greatest((select count(*) from heads) - 1, 0) limit 1
    )
    select l.* from (select distinct key from heads) g cross join lateral (
      select l.* from listings l where ${ofGroup(values, after)} and ${order.upToEdge} order by ${byInGroup} limit ${size}
    ) l order by ${order.byInGroup} limit ${size}`
  return {
    size,
    by: order.byInGroup,
    start: order.start,
    candidates,
    // There is more where a group was cut, however few the candidates.
    end: (values, after) => `
      with heads as materialized (${headsOf(values, after)}), reached as materialized (${candidates(values, after)})
      select l.id, l.price, l.place from reached l
      where (select count(*) from heads) = ${size} or exists (select from heads where is_cut)
      order by ${order.byInGroup} offset greatest((select count(*) from reached) - 1, 0) limit 1`,
  }
}

/** The start of an order by place. */
export const atHome: Position = { id: mostId, key: -1 }

/** Place by place, the nearest first, and the newest first at each; `places` begins with the place of the position. */
export function placeByPlace(places: (after: Position) => readonly number[]): Walk {
  return {
    size: manyCandidates,
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
    by: 'l.turn, l.id desc',
    start: atHome,
    candidates(values, after) {
      const { owners, turns } = members(after)
      const [who, when] = [values.add(owners, 'bigint[]'), values.add(turns, 'integer[]')]
      const id = values.add(after.id, 'bigint')
      return `select l.*, g.turn from unnest(${who}, ${when}) g (owner, turn) cross join lateral (
          select l.* from listings l
          where l.owner_id = g.owner and l.id < case g.turn when 0 then ${id} else ${mostId} end
          order by l.id desc limit ${size}
        ) l order by g.turn, l.id desc limit ${size}`
    },
  }
}

/** Along what is filed under a word, by id. */
export function filedUnder(
  order: Order,
  terms: readonly string[],
  { inTitle, size }: { inTitle: boolean; size: number },
): Walk {
  const direction = order.by === 'l.id' ? 'asc' : 'desc'
  return {
    size,
    by: order.by,
    start: order.start,
    candidates(values, after) {
      const id = values.add(after.id, 'bigint')
      const beyond = `t.listing_id ${direction === 'asc' ? '>' : '<'} ${id}`
      return `select l.* from (
          select t.listing_id from unnest(${values.add(terms, 'text[]')}) g (term) cross join lateral (
            select t.listing_id from listing_terms t
            where t.term = g.term and ${inTitle ? 't.in_title and ' : ''}${beyond}
            order by t.listing_id ${direction} limit ${size}
          ) t group by t.listing_id order by t.listing_id ${direction} limit ${size}
        ) t join listings l on l.id = t.listing_id order by ${order.by}`
    },
  }
}

/** Everything that is filed under a rare word, put in any order. */
export function gathered(order: Order, terms: readonly string[], size: number): Walk {
  return {
    size,
    by: order.byInGroup,
    start: order.start,
    whole: true,
    candidates(values, after) {
      const [id, key] = positionValues(values, order, after)
      return `${everyListingWith(values.add(terms, 'text[]'), size)}
        where ${order.onlyInGroup(values)} and ${order.afterInGroup(id, key)} order by ${order.byInGroup}`
    },
  }
}

/** Everything that is filed under a rare word, the nearest first. */
export function gatheredByPlace(
  places: (after: Position) => readonly number[],
  terms: readonly string[],
  size: number,
): Walk {
  return {
    size,
    by: 'l.turn, l.id desc',
    start: atHome,
    whole: true,
    candidates(values, after) {
      const found = everyListingWith(values.add(terms, 'text[]'), size)
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
