// `npm run bench:posting`: measures whether matching slows the posting of listings. bench/README.md describes the comparison.
import { setTimeout as sleep } from 'node:timers/promises'
import { types } from '#contract/constants.ts'
import { createListing } from '#contract/listings.ts'
import { Actor } from '#test/actor.ts'
import { openSessionsOf } from '../market.ts'
import { median, type Sample, sampleOf } from '../sample.ts'
import { type ServerProcess, startServer } from '../server.ts'
import { type BenchSetup, optionsOf, print, withBenchSetup } from '../setup.ts'
import { createWantDatabase, type WantDatabase } from './database.ts'
import { deletePausedJobs, jobsDone, pauseMatchJobs } from './waiting.ts'

const values = optionsOf({ wants: '1000000', rounds: '5', posts: '200' })
const wants = Number(values.wants)
const rounds = Number(values.rounds)
const posts = Number(values.posts)
const matchingWants = 100
const postsPerSecond = 10

async function bench(setup: BenchSetup): Promise<void> {
  const { ownCore, stack } = setup
  const size = { members: Math.max(1000, Math.ceil(wants / 10)), owners: 100 }
  const start = async (name: string, wantCounts: { wants: number; matchingWants: number }) => {
    const database = await createWantDatabase(setup, name, { ...size, ...wantCounts })
    const server = await startServer(database.url, ownCore)
    stack.defer(() => server.stop())
    return { database, owners: await logInOwners(database, server) }
  }
  const nobody = await start('nobody_wants', { wants: 0, matchingWants: 0 })
  const many = await start('many_want', { wants, matchingWants })

  const runs = {
    'nobody wants anything': () => post(nobody),
    [`${wants.toLocaleString('en')} wants, matching paused`]: async () => {
      await pauseMatchJobs(many.database.url)
      const sample = await post(many)
      await deletePausedJobs(many.database.url)
      return sample
    },
    [`${wants.toLocaleString('en')} wants, ${matchingWants} match, matching running`]: async () => {
      const sample = await post(many)
      await jobsDone(many.database.url)
      return sample
    },
  }
  const samples = new Map<string, Sample[]>()
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, run] of Object.entries(runs)) {
      const sample = await run()
      // The first round is the warm-up.
      if (round > 0) samples.set(name, [...(samples.get(name) ?? []), sample])
    }
  }
  const [firstRun = []] = samples.values()
  print('| Posting while | p50 ms | p99 ms | p50 ÷ first row |\n|---|--:|--:|--:|')
  for (const [name, roundSamples] of samples) {
    const ratios = roundSamples.map(({ p50 }, round) => p50 / (firstRun[round]?.p50 ?? Number.NaN))
    const ratioAndRange = `${median(ratios).toFixed(2)} (${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)})`
    print(
      `| ${name} | ${median(roundSamples.map(({ p50 }) => p50)).toFixed(1)} | ${median(roundSamples.map(({ p99 }) => p99)).toFixed(1)} | ${ratioAndRange} |`,
    )
  }
}

/** A server with its database, and the members who post. */
interface RunningServer {
  readonly database: WantDatabase
  readonly owners: readonly Actor[]
}

async function logInOwners(database: WantDatabase, server: ServerProcess): Promise<Actor[]> {
  const { members, owners } = database
  const tokens = await openSessionsOf(
    database,
    Array.from({ length: owners }, (_, index) => members + index + 1),
  )
  return tokens.map((token) => Object.assign(new Actor(server.url), { token }))
}

/** Posts at a slow rate, so that posts compete with matching jobs only, not with each other. */
async function post({ owners }: RunningServer): Promise<Sample> {
  const took: number[] = []
  const body = {
    title: 'Okra, picked today',
    description: 'Come and get some before noon.',
    type_id: types.giveaway,
  } as const
  const start = performance.now()
  const all = Array.from({ length: posts }, async (_, index) => {
    await sleep((index * 1000) / postsPerSecond)
    const owner = owners[index % owners.length]
    const from = performance.now()
    if (!owner) throw new Error('The market has no owners')
    await owner.call(createListing, { body })
    took.push(performance.now() - from)
  })
  await Promise.all(all)
  return sampleOf((posts * 1000) / (performance.now() - start), took)
}

const maxMinutes = 60
await withBenchSetup(maxMinutes, bench)
