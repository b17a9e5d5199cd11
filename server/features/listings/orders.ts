import type { Values } from './values.ts'

/** Where a list has got to: the last listing's id, and its price or place where the order goes by that first. */
export interface Position {
  readonly id: number
  readonly key: number
}

export const mostId = Number.MAX_SAFE_INTEGER
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
export function orderIn(name: string, { rank, goes }: Order): string {
  const way = goes === 'down' ? ' desc' : ''
  return `${rank ? `${name}.rank${way}, ` : ''}${name}.id${way}`
}

/** The same as the indexes have it, behind the group if that is part of it. */
export function inIndex(order: Order, group: Group = noGroup): string {
  const way = order.goes === 'down' ? ' desc' : ''
  return columnsOf(order, group)
    .map((column) => column + way)
    .join(', ')
}

function columnsOf({ rank }: Order, { column }: Group): string[] {
  return [...(column ? [column] : []), ...(rank ? [rank] : []), 'l.id']
}

/** A position in SQL. */
export interface Place {
  readonly id: string
  readonly rank: string
}

/** A group whose column is compared along with the rest. */
export interface Group {
  readonly column?: string
  readonly key?: string
}

export const noGroup: Group = {}

/** What comes after a position, or also at it. */
export function after(order: Order, at: Place, orAt: '' | '=' = '', group: Group = noGroup): string {
  return compared(order, (order.goes === 'up' ? '>' : '<') + orAt, at, group)
}

/** What comes no later than a position. */
export function upTo(order: Order, at: Place, group: Group = noGroup): string {
  return compared(order, order.goes === 'up' ? '<=' : '>=', at, group)
}

function compared(order: Order, how: string, { id, rank }: Place, group: Group): string {
  const values = [...(group.key ? [group.key] : []), ...(order.rank ? [rank] : []), id]
  return `(${columnsOf(order, group).join(', ')}) ${how} (${values.join(', ')})`
}

export function placed(values: Values, { rank }: Order, { id, key }: Position): Place {
  const price = rank ? values.add(key, 'numeric') : ''
  return { id: values.add(id, 'bigint'), rank: rank?.replace('l.price', price) ?? '' }
}

/** Where a table of one listing says, or else a position. */
export function foundIn(table: string, otherwise: Place): Place {
  return {
    id: `coalesce((select id from ${table}), ${otherwise.id})`,
    rank: `coalesce((select rank from ${table}), ${otherwise.rank})`,
  }
}

export function keyOf(name: string, { rank }: Order): string {
  return rank ? `${name}.id, ${name}.rank` : `${name}.id`
}

/** One listing comes later than another, by what they tell. */
export function later(one: string, other: string, order: Order): string {
  const [left, right] = [keyOf(one, order), keyOf(other, order)].map((key) => key.split(', ').reverse())
  return `(${left?.join(', ')}) ${order.goes === 'up' ? '>' : '<'} (${right?.join(', ')})`
}

/** The start of an order by place. */
export const atHome: Position = { id: mostId, key: -1 }
