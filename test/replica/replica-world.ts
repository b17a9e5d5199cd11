import type { CallInput, CallOutput } from '#contract/endpoint.ts'
import { listListings } from '#contract/listing-queries.ts'
import type { Config } from '#server/config.ts'
import type { Actor } from '#test/actor.ts'
import { metricsOf } from '#test/metrics.ts'
import { newWorld } from '#test/world.ts'
import { startReplicatedPostgres } from './replicated-postgres.ts'

/** Starts two nodes that read from a streaming replica. */
export async function newReplicatedWorld(database: Partial<Config['database']> = {}) {
  await using building = new AsyncDisposableStack()
  const postgres = building.use(await startReplicatedPostgres())
  const settings = {
    url: postgres.url,
    directUrl: undefined,
    readUrl: postgres.replicaUrl,
    pool: 5,
    statementTimeoutMs: 5000,
    ...database,
  }
  const world = building.use(
    await newWorld({
      databaseUrl: postgres.url,
      // Also records the recent write, so that new members read from the primary.
      registration: true,
      config: { database: settings, metrics: { host: '127.0.0.1', port: 0 } },
    }),
  )
  const other = building.use(await world.node({ metrics: { host: '127.0.0.1', port: 'off' } }))

  /** Returns the value of a metric of the first node. */
  async function metric(name: string): Promise<number> {
    const line = (await metricsOf(world)).split('\n').find((line) => line.startsWith(name))
    return Number(line?.split(' ').at(-1) ?? Number.NaN)
  }
  const readCount = (outcome: string) => metric(`rhubarb_replica_reads_total{outcome="${outcome}"}`)
  const stack = building.move()
  return {
    world,
    postgres,
    /** Another node. */
    other,
    metric,
    isInUse: async () => (await metric('rhubarb_replica_in_use')) === 1,
    lagSeconds: () => metric('rhubarb_replica_lag_seconds'),
    /** Returns how often the first node has read from the replica. */
    replicaReads: async () => (await readCount('replica')) || 0,
    /** Lets the last writes of all members be older than ten seconds. */
    async forgetWrites() {
      await world.db.deleteFrom('recent_writes').execute()
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

/** Returns the titles of a list. */
export async function titlesFor(
  member: Actor,
  query: CallInput<typeof listListings>['query'] = {},
): Promise<string[]> {
  const listings: CallOutput<typeof listListings> = await member.call(listListings, { query })
  return listings.map(({ title }) => title)
}
