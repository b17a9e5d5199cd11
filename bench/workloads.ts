import { limits } from '#contract/constants.ts'
import { findVisibleListing, listPublicListings } from '#server/features/listings/queries.ts'
import { createDb, createPool } from '#server/platform/db/database.ts'
import type { Tables } from '#server/tables.ts'
import { type Market, members } from './market.ts'

/** One thing that is asked for, as HTTP requests and as pgbench scripts with the statements that these requests cause. */
export interface Workload {
  readonly title: string
  /** The path of a random request. */
  path(market: Market): string
  /** Scripts for pgbench, and how many times as often as another each is run. */
  readonly scripts: readonly { readonly times: number; readonly text: string }[]
}

export interface Workloads {
  /** A page of the marketplace that starts anywhere: a quarter of all categories, the rest of one. */
  readonly page: Workload
  /** A listing that everyone may see. */
  readonly listing: Workload
}

/** Below this id a page might not be full. */
export const lowestCursor = 1000

/** What the server would prepare, read back from PostgreSQL after the server's own queries ran. */
export async function workloadsOf({ url }: Market): Promise<Workloads> {
  const pool = createPool({ url, pool: 1, statementTimeoutMs: 5000 })
  try {
    const db = createDb<Tables>(pool)
    const page = { before: Number.MAX_SAFE_INTEGER, limit: limits.page.size + 1 }
    await listPublicListings(db, page, undefined)
    await listPublicListings(db, page, 1)
    await findVisibleListing(db, 1, 1)
    const { rows } = await pool.query<{ statement: string }>(
      'select statement from pg_prepared_statements order by prepare_time',
    )
    const [ofAll, ofOne, byId] = rows.map(({ statement }) => statement)
    if (rows.length !== 3 || !ofAll || !ofOne || !byId)
      throw new Error(`Three statements were expected, PostgreSQL prepared ${rows.length}`)

    const before = `\\set before random(${lowestCursor}, :listings)`
    return {
      page: {
        title: 'page',
        path: randomPage,
        scripts: [
          { times: 1, text: script([before], ofAll, [':before']) },
          {
            times: 3,
            text: script([before, '\\set category random(1, 3)'], ofOne, [':before', ':category']),
          },
        ],
      },
      listing: {
        title: 'listing',
        path: randomListing,
        scripts: [
          {
            times: 1,
            text: script(
              [
                `\\set caller random(1, ${members})`,
                '\\set id 20 * random(0, :listings / 20 - 1) + random(1, 17)',
              ],
              byId,
              [':caller', ':id'],
            ),
          },
        ],
      },
    }
  } finally {
    await pool.end()
  }
}

function script(draws: readonly string[], statement: string, values: readonly string[]): string {
  const text = statement.replaceAll(/\$(\d+)/g, (_, number) => values[Number(number) - 1] ?? '')
  return `${draws.join('\n')}\n${text.trim()};\n`
}

function randomPage({ listings }: Market): string {
  const cursor = Buffer.from(String(between(lowestCursor, listings))).toString('base64url')
  const category = between(0, 3)
  return `/api/listings?public=true&cursor=${cursor}${category > 0 ? `&category_id=${category}` : ''}`
}

/** Of 20 listings that follow each other, the first 17 are public. */
function randomListing({ listings }: Market): string {
  return `/api/listings/${20 * between(0, listings / 20 - 1) + between(1, 17)}`
}

function between(low: number, high: number): number {
  return low + Math.floor(Math.random() * (high - low + 1))
}
