import { types } from '#contract/constants.ts'
import type { RhubarbEvents } from '#server/domain-events.ts'
import { matchListingWithWants } from '#server/features/matches/finding.ts'
import { matchListing } from '#server/features/matches/job-kinds.ts'
import { deleteMatches } from '#server/features/matches/swaps.ts'
import { deliverDue } from '#server/features/notifications/scheduling.ts'
import { listOpenMatches } from '#server/features/rings/queries.ts'
import { bestRings } from '#server/features/rings/rings.ts'
import { createDomainEvents } from '#server/platform/domain-events.ts'
import { createJobs } from '#server/platform/jobs.ts'
import { createLog } from '#server/platform/log.ts'
import { createMetrics } from '#server/platform/metrics.ts'
import type { Db } from '#server/tables.ts'
import { type BenchSetup, newDatabase, openDatabase, print } from '../setup.ts'
import { insertPeople, type People, randomNumbers, wantsOfEach } from './people.ts'

/** The maximum number of matches of a listing for which rings are searched. */
const matchesOfListing = 50

interface Town {
  readonly db: Db
  /** Returns whether an asked member accepts. */
  readonly accepts: () => boolean
}

/**
 * Lets the members of a town make single trades, then swaps, then rings of three, then rings of four, and reports how many wants each
 * step meets. Members give an exchange only for something that they want. All have posted before the first trade.
 */
export async function simulateTown(
  setup: BenchSetup,
  { accepting, ...people }: People & { readonly accepting: number },
): Promise<void> {
  const { tastes, members } = people
  const url = await newDatabase(setup, `town_${tastes}`)
  const db = openDatabase(setup, url, 4)
  const random = randomNumbers(22)
  await insertPeople(db, url, people, random)
  await match(url, db)
  const matched = new Set((await edges({ db }, {})).map(({ want_id }) => want_id)).size
  print(`A town of ${members.toLocaleString('en')} members with ${tastes} tastes:`)
  print(`  ${matched} of ${members * wantsOfEach} wants match a listing`)
  const town: Town = { db, accepts: () => random() < accepting }
  let met = await tradeSingly(town)
  const singles = met
  print(`  ${met} are met by single trades`)
  for (const [name, run] of [
    ['swaps', swap],
    ['rings of three', () => formRings(town, 3)],
    ['rings of four', () => formRings(town, 4)],
  ] as const) {
    const more = await run(town)
    met += more
    print(`  ${more} more by ${name}: ${(met / singles).toFixed(2)} times single trades`)
  }
}

/** Without subscribers: rings are searched when all matches are there. */
const events: RhubarbEvents = createDomainEvents()

/** Matches each listing with the wants, as the product's job does. */
async function match(url: string, db: Db): Promise<void> {
  const jobs = createJobs({ url, log: createLog('warn'), metrics: createMetrics() })
  const deps = { db, events, jobs, realtime: { publish: () => {} } }
  jobs.handle(deliverDue, async () => {})
  jobs.handle(matchListing, (data) => matchListingWithWants(deps, data))
  await jobs.start()
  for (const { id, owner_id } of await db.selectFrom('listings').select(['id', 'owner_id']).execute())
    await matchListingWithWants(deps, { user_id: owner_id, listing_id: id })
  await jobs.stop()
}

/** Gives each giveaway and sale to the first member who wants it. Returns how many wants are met. */
async function tradeSingly(town: Town): Promise<number> {
  const listings = town.db.selectFrom('listings').select('id').where('type_id', '<>', types.exchange)
  let met = 0
  for (const { id } of await listings.orderBy('id').execute()) {
    const [edge] = await edges(town, { listing_id: id })
    if (edge && town.accepts()) met += await trade(town, [edge])
  }
  return met
}

/** Lets members swap who want something of each other. Returns how many wants are met. */
async function swap(town: Town): Promise<number> {
  let met = 0
  for (const { want_id, listing_id, user_id, owner_id } of await edges(town, { is_swap: true })) {
    const [one] = await edges(town, { want_id, listing_id, is_swap: true })
    const [other] = await edges(town, { user_id: owner_id, owner_id: user_id, is_swap: true })
    if (one && other && town.accepts()) met += await trade(town, [one, other])
  }
  return met
}

/** Forms the best ring of this size with each listing. Returns how many wants are met. */
async function formRings(town: Town, size: 3 | 4): Promise<number> {
  let met = 0
  for (const { id } of await town.db.selectFrom('listings').select('id').orderBy('id').execute()) {
    const matches = await listOpenMatches(town.db, await edges(town, { listing_id: id }), matchesOfListing)
    for (const match of matches) {
      const ring = (await bestRings(town.db, match)).find(({ members }) => members.length === size)
      const others = Array.from({ length: size - 1 }, town.accepts)
      if (!ring || others.includes(false)) continue
      const legs = ring.wants.map((want_id, leg) => ({ want_id, listing_id: ring.listings[leg] ?? 0 }))
      met += await trade(town, legs)
      break
    }
  }
  return met
}

interface Edge {
  readonly want_id: number
  readonly listing_id: number
  readonly user_id: number
  readonly owner_id: number
}

/** Returns matches, the oldest first. */
function edges({ db }: Pick<Town, 'db'>, where: Partial<Edge & { is_swap: boolean }>): Promise<Edge[]> {
  return db
    .selectFrom('matches')
    .select(['want_id', 'listing_id', 'user_id', 'owner_id'])
    .where((is) => is.and({ ...where, fits: true }))
    .orderBy('id')
    .execute()
}

/** Deletes the traded listings and the fulfilled wants with their matches. Returns the number of fulfilled wants. */
async function trade({ db }: Town, legs: readonly Pick<Edge, 'want_id' | 'listing_id'>[]): Promise<number> {
  const wants = legs.map(({ want_id }) => want_id)
  const listings = legs.map(({ listing_id }) => listing_id)
  await db.transaction().execute(async (tx) => {
    await deleteMatches(events, tx, 'want', wants)
    await deleteMatches(events, tx, 'listing', listings)
    await tx.deleteFrom('wants').where('id', 'in', wants).execute()
    await tx.deleteFrom('listings').where('id', 'in', listings).execute()
  })
  return wants.length
}
