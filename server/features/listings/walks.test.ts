import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { newWorld } from '#test/world.ts'
import { everythingAt, glimpse, merged, type Turns, tooMuch } from './groups.ts'
import { byPrice, type Order, orders, type Position } from './orders.ts'
import { type ListingRow, readWalk } from './queries.ts'
import type { Values } from './values.ts'
import type { Check, Walk } from './walks.ts'

// Twelve members at five places, of whom the first have listed by far the most, many of it at the same price.
const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())
await sql`
  insert into users (username, email, password_hash, first_name, last_name, place)
  select 'member_' || n, 'member' || n || '@example.com', 'x', 'M', 'G', (array[97214, 97215, 97206, 98101, 0])[1 + n % 5]
  from generate_series(1, 12) n`.execute(world.db)
await sql`
  insert into listings (owner_id, title, description, price, is_active, is_public, type_id, state_id, category_id)
  select (select min(id) from users) + n * n % 29 % 12, 'Listing ' || n, '', case when n % 3 > 0 then 1 + n * n % 7 else 0 end,
    n % 10 <> 3, true, case when n % 3 > 0 then 1 else 3 end, 1, nullif(1 + n * 31 % 3, 3)
  from generate_series(1, 300) n`.execute(world.db)
await sql`analyze`.execute(world.db)

type Row = Pick<ListingRow, 'id' | 'owner_id' | 'place' | 'price' | 'is_active' | 'category_id'>
const market: readonly Row[] = await world.db
  .selectFrom('listings')
  .select(['id', 'owner_id', 'place', 'price', 'is_active', 'category_id'])
  .orderBy('id', 'desc')
  .execute()
const everybody = [...new Set(market.map(({ owner_id }) => owner_id))]

const isActive: Check = { by: ['is_active'], sql: (_, name) => `${name}.is_active` }
const isSeeds: Check = { by: ['category_id'], sql: (_, name) => `${name}.category_id = 2` }
/** Told by the row only, so that a walk counts on what is then left out. */
const isEven: Check = { by: [], sql: () => 'l.id % 2 = 0' }
const isRare: Check = { by: ['price'], sql: (_, name) => `${name}.price = 2` }
const isForSale: Check = { by: ['price'], sql: (_, name) => `${name}.price > 0` }
const checks: readonly (readonly [Check, (row: Row) => boolean])[] = [
  [isActive, ({ is_active }) => is_active],
  [isSeeds, ({ category_id }) => category_id === 2],
  [isEven, ({ id }) => id % 2 === 0],
  [isRare, ({ price }) => price === 2],
]

const inOrder: readonly (readonly [string, Order, (rows: readonly Row[]) => readonly Row[]])[] = [
  ['newest', orders.newest, (rows) => rows],
  ['oldest', orders.oldest, (rows) => rows.toReversed()],
  ['unpriced', orders.unpriced, (rows) => rows.filter(({ price }) => price === 0)],
  ['highest', byPrice('highest'), (rows) => sales(rows).sort((a, b) => b.price - a.price)],
  ['lowest', byPrice('lowest'), (rows) => sales(rows).sort((a, b) => a.price - b.price)],
  [
    'lowest from 3 to 5',
    byPrice('lowest', { min: 3, max: 5 }),
    (rows) =>
      sales(rows)
        .filter(({ price }) => price >= 3 && price <= 5)
        .sort((a, b) => a.price - b.price),
  ],
]
function sales(rows: readonly Row[]): Row[] {
  return rows.filter(({ price }) => price > 0)
}

/** Everything along a walk, page by page, and on from where it ended early. */
async function wholeOf(
  order: Order,
  walk: Walk,
  all: readonly Check[],
): Promise<{ ids: number[]; steps: number }> {
  const limit = 5
  const ids: number[] = []
  let from: Position | undefined = order.start
  let steps = 0
  for (; from && steps < 1000; steps += 1) {
    const { rows, end }: Awaited<ReturnType<typeof readWalk>> = await readWalk(
      world.db,
      walk,
      from,
      all,
      limit,
    )
    ids.push(...rows.map(({ id }) => id))
    const last = rows.length === limit ? rows.at(-1) : end
    from = last && { id: last.id, key: last.price }
  }
  return { ids, steps }
}

test.each(inOrder)(
  'groups are merged in order, whatever is left out and wherever it is given up: %s',
  async (_, order, sorted) => {
    const places = [...new Set(market.map(({ place }) => place))]
    for (const [column, groups] of [
      ['owner_id', everybody],
      ['owner_id', everybody.slice(0, 3)],
      ['place', places],
    ] as const) {
      for (const some of [[], checks.slice(0, 2), checks.slice(0, 3), checks.slice(3)]) {
        const expected = sorted(market.filter((row) => groups.includes(row[column]))).filter((row) =>
          some.every(([, passes]) => passes(row)),
        )
        for (const [size, most] of [
          [6, { most: 10, ofEach: 2 }],
          [32, { most: 6000, ofEach: 24 }],
        ] as const) {
          const walk = merged(order, column, groups, size, most)
          const { ids, steps } = await wholeOf(
            order,
            walk,
            some.map(([check]) => check),
          )
          expect(ids).toEqual(expected.map(({ id }) => id))
          expect(steps).toBeLessThan(250)
        }
      }
    }
  },
)

test.each(inOrder.slice(0, 5))(
  'a glimpse of the next part misses nothing in it, and is empty where there is too much: %s',
  async (_, order, sorted) => {
    const prices = sales(market)
      .map(({ price }) => price)
      .sort((a, b) => a - b)
    const some = (values: Values) => values.add(everybody.slice(0, 6), 'bigint[]')
    const ids = async (part: number, most?: number) => {
      const walk = glimpse(order, some, { partOfOne: part * 6, prices }, 32, most)
      const { rows } = await readWalk(world.db, walk, order.start, [isActive], 25)
      return rows.map(({ id }) => id)
    }
    const passing = sorted(market.filter((row) => everybody.slice(0, 6).includes(row.owner_id)))
      .filter(({ is_active }) => is_active)
      .map(({ id }) => id)
    expect(await ids(0.99)).toEqual(passing.slice(0, 25))
    const few = await ids(0.02)
    expect(few.length).toBeGreaterThan(0)
    expect(few).toEqual(passing.slice(0, few.length))
    expect(await ids(0.99, 4000)).not.toEqual([])
    expect(await ids(0.99, 30)).toEqual([])

    // Only of everything it says that nothing comes behind.
    const end = async (part: number, size: number) => {
      const walk = glimpse(order, some, { partOfOne: part * 6, prices }, size)
      return (await readWalk(world.db, walk, order.start, [isActive], 101)).end
    }
    expect(await end(0.5, 128)).toBeDefined()
    expect(await end(1, 128)).toBeUndefined()
    expect(await end(1, 3)).toBeDefined()
  },
)

test('everything at some places comes by its turn, page by page, and where it is very much only word of it', async () => {
  const places = [97215, 98101, 0]
  const rareFirst: Turns = {
    hints: [isForSale],
    sign: (_, name) => `case when ${name}.price = 2 then 1 else 0 end`,
    turn: (_, name) => `1 - ${name}.sign`,
  }
  const size = 8
  const walk = everythingAt(places, rareFirst, size)
  const all = [isActive, isSeeds, isEven]
  const ids: number[] = []
  for (let from: Position | undefined = walk.start; from; ) {
    const { rows, end }: Awaited<ReturnType<typeof readWalk>> = await readWalk(world.db, walk, from, all, 5)
    ids.push(...rows.map(({ id }) => id))
    const last = rows[4] ?? end
    from = last && { id: last.id, key: last.turn ?? 0 }
  }
  const passing = sales(market).filter(
    (row) => places.includes(row.place) && row.is_active && row.category_id === 2 && row.id % 2 === 0,
  )
  const first = passing.filter(({ price }) => price === 2)
  expect(first.length).toBeGreaterThan(0)
  expect(passing.length).toBeGreaterThan(first.length + 5)
  expect(ids).toEqual([...first, ...passing.filter((row) => !first.includes(row))].map(({ id }) => id))

  const crowded = await readWalk(world.db, everythingAt(places, rareFirst, size, 20), walk.start, all, 5)
  expect(crowded.rows).toEqual([])
  expect(crowded.end?.turn).toBe(tooMuch)
})
