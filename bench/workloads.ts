import { categories, limits } from '#contract/constants.ts'
import { listingQuery } from '#contract/listing-queries.ts'
import { encodeCursor } from '#server/features/listings/cursor.ts'
import { findVisibleListing, listPage } from '#server/features/listings/queries.ts'
import { createDb, createPool } from '#server/platform/db/database.ts'
import type { Tables } from '#server/tables.ts'
import { type Market, members } from './market.ts'

/** A workload as HTTP requests and as pgbench scripts with the statements of these requests. */
export interface Workload {
  /** Returns the path of a random request. */
  path(market: Market): string
  /** The scripts for pgbench with equal weights. */
  readonly scripts: readonly string[]
}

export interface Workloads {
  /** A page of listings from a random id, with all or a random category. */
  readonly page: Workload
  /** A public listing. */
  readonly listing: Workload
}

/** The lowest cursor that has a full page after it. */
export const lowestCursor = 1000

/** Returns the workloads of a market. Reads their statements from PostgreSQL, which has prepared them for the product's own queries. */
export async function workloadsOf({ url }: Market): Promise<Workloads> {
  const pool = createPool({ url, pool: 1, statementTimeoutMs: 5000 })
  try {
    const db = createDb<Tables>(pool)
    const after = { id: Number.MAX_SAFE_INTEGER, key: 0, part: 0, relaxed: false }
    for (const category of [undefined, ...Object.values(categories)])
      await listPage(db, {
        list: { caller: 1, scope: { of: 'public' }, sort: 'newest', category },
        part: 0,
        after,
        limit: limits.page.size + 1,
      })
    await findVisibleListing(db, 1, 1)
    const { rows } = await pool.query<{ statement: string }>(
      'select statement from pg_prepared_statements order by prepare_time',
    )
    const texts = rows.map(({ statement }) => statement)
    const [byId, ...pages] = texts.toReversed()
    if (byId === undefined || pages.length !== 4)
      throw new Error(`Five statements were expected, PostgreSQL prepared ${rows.length}`)

    return {
      page: {
        path: randomPage,
        scripts: pages.map((text) =>
          script(
            [`\\set caller random(1, ${members})`, `\\set before random(${lowestCursor}, :listings)`],
            text,
            [':caller', ':before', ':caller'],
          ),
        ),
      },
      listing: {
        path: randomListing,
        scripts: [
          script(
            [
              `\\set caller random(1, ${members})`,
              '\\set id 20 * random(0, :listings / 20 - 1) + random(1, 17)',
            ],
            byId,
            [':caller', ':id'],
          ),
        ],
      },
    }
  } finally {
    await pool.end()
  }
}

function script(draws: readonly string[], statement: string, values: readonly string[]): string {
  const text = statement.replaceAll(/\$(\d+)/g, (parameter, number) => {
    const value = values[Number(number) - 1]
    if (value === undefined) throw new Error(`There is no value for ${parameter} in: ${statement}`)
    return value
  })
  return `${draws.join('\n')}\n${text.trim()};\n`
}

/** Returns the path of a page of public listings below a random id, in a random category or none. */
export function randomPage({ listings }: Market): string {
  const category = randomInteger(0, Object.values(categories).length)
  const query = { public: 'true', ...(category > 0 && { category_id: String(category) }) }
  const position = { id: randomInteger(lowestCursor, listings), key: 0, part: 0, relaxed: false }
  const cursor = encodeCursor(position, listingQuery.parse(query))
  return `/api/listings?${new URLSearchParams({ ...query, cursor })}`
}

/** Returns the path of a random public listing: of 20 consecutive ones, the first 17 are public. */
function randomListing({ listings }: Market): string {
  return `/api/listings/${20 * randomInteger(0, listings / 20 - 1) + randomInteger(1, 17)}`
}

/** Returns a random integer between two, including both. */
export function randomInteger(low: number, high: number): number {
  return low + Math.floor(Math.random() * (high - low + 1))
}
