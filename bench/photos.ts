// `npm run bench:photos`: measures requests of others while members upload photos, photos of others while some members send slow ones,
// and the check who may see a photo. README.md describes the comparisons.
import sharp from 'sharp'
import { apiBase } from '#contract/constants.ts'
import { findAudience } from '#server/features/image-access/queries.ts'
import { createDb, createPool } from '#server/platform/db/database.ts'
import type { Tables } from '#server/tables.ts'
import { type Market, openMarkets, openSessions } from './market.ts'
import { fortyMegapixels, measureAttack, upload } from './photo-attack.ts'
import { ratios, table } from './report.ts'
import { median, sampleOf } from './sample.ts'
import { runHttp, type ServerProcess, startServer } from './server.ts'
import { type BenchSetup, optionsOf, print, runRounds, withBenchSetup } from './setup.ts'

const values = optionsOf({
  listings: '20000',
  seconds: '10',
  rounds: '3',
  checks: '20000',
  attack: '60',
  heic: '',
})
const seconds = Number(values.seconds)
const uploaders = 5
const photosEach = 6
/** The connections of others, each with one request in flight. */
const connections = 4

async function bench({ clusterUrl, stack }: BenchSetup): Promise<void> {
  const [market] = await openMarkets(clusterUrl, [Number(values.listings)], print)
  const [checkMs, checksPerSecond] = await measureChecks(market)
  const tokens = await openSessions(market, 100)
  const server = await startServer(market.url, [])
  stack.defer(() => server.stop())
  const photo = await twelveMegapixels()
  let uploads = 0
  const others = (seconds: number) =>
    runHttp(() => `${apiBase}/listings?public=true`, server, tokens.slice(uploaders), {
      connections,
      seconds,
    })
  const samples = await runRounds(
    {
      'without uploads': others,
      async 'with uploads'(seconds) {
        let isRunning = true
        const uploading = (async () => {
          while (isRunning) uploads += await uploadInParallel(server, tokens.slice(0, uploaders), photo)
        })()
        const sample = await others(seconds)
        isRunning = false
        await uploading
        return sample
      },
    },
    { rounds: Number(values.rounds), seconds, warmUpSeconds: 2 },
  )
  print(`\n${uploaders} members upload ${photosEach} photos of 12 megapixels each at once, ${uploads} in all`)
  print(`\n${table(samples)}\n`)
  const p99 = (name: string) => (samples.get(name) ?? []).map(({ p99 }) => p99)
  const [busy, calm] = [p99('with uploads'), p99('without uploads')]
  print(`p99 of others with uploads: ${median(busy).toFixed(1)} ms (aim: at most 200)`)
  print(`p99 with uploads / without: ${median(ratios(busy, calm)).toFixed(2)}`)
  await printAttack(server, tokens, photo)
  print(
    `Check who may see a photo: ${checkMs.toFixed(3)} ms each, ${checksPerSecond} a second at once (aim: at most 0.2 ms)`,
  )
}

/** Prints how long photos take, without and with an attack. */
async function printAttack(server: ServerProcess, tokens: readonly string[], jpeg: Blob): Promise<void> {
  const avif = await fortyMegapixels()
  for (const attackers of [0, 7] as const) {
    const { samples, answers } = await measureAttack(server, tokens, {
      attackers,
      avif,
      jpeg,
      heic: values.heic,
      seconds: Number(values.attack),
    })
    print(`\n${attackers} members send AVIF photos of 40 megapixels. Answers: ${describe(answers)}`)
    for (const [kind, { p50, p99, latencies }] of samples)
      print(
        `${latencies.length} ${kind} photos of another member: p50 ${inSeconds(p50)}, p99 ${inSeconds(p99)} (aim: at most 5 s)`,
      )
  }
}

/** Returns the median milliseconds of a check, and how many run per second ten at a time. */
async function measureChecks({ url }: Market): Promise<[milliseconds: number, perSecond: number]> {
  const pool = createPool({ url, pool: 10, statementTimeoutMs: 5000 })
  const db = createDb<Tables>(pool)
  const { rows } = await pool.query<{ name: string }>(
    `select name from images where purpose = 'photo' order by md5(name) limit 2000`,
  )
  const checks = Number(values.checks)
  const check = (index: number) => findAudience(db, rows[index % rows.length]?.name ?? '', 1 + (index % 50))
  const took: number[] = []
  for (let index = 0; index < checks; index += 1) {
    const start = performance.now()
    await check(index)
    took.push(performance.now() - start)
  }
  const start = performance.now()
  const chain = async (first: number) => {
    for (let index = first; index < checks; index += 10) await check(index)
  }
  await Promise.all(Array.from({ length: 10 }, (_, first) => chain(first)))
  const perSecond = Math.round((checks * 1000) / (performance.now() - start))
  await pool.end()
  return [sampleOf(0, took).p50, perSecond]
}

/** Returns a photo as a camera makes it, with grain. */
async function twelveMegapixels(): Promise<Blob> {
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 40 }
  const picture = sharp({ create: { width: 4000, height: 3000, channels: 3, background: 'olive', noise } })
  return new Blob([new Uint8Array(await picture.blur(1.5).jpeg({ quality: 85 }).toBuffer())])
}

/** Uploads all photos of all members at once and returns their number. Throws unless each is stored. */
async function uploadInParallel(
  server: ServerProcess,
  tokens: readonly string[],
  photo: Blob,
): Promise<number> {
  const each = tokens.flatMap((token) => Array.from({ length: photosEach }, () => token))
  await Promise.all(
    each.map(async (token) => {
      const { status } = await upload(server, token, photo)
      if (status !== 201) throw new Error(`An upload answered ${status}`)
    }),
  )
  return each.length
}

function describe(answers: ReadonlyMap<number, number>): string {
  return [...answers].map(([status, count]) => `${count} × ${status}`).join(', ')
}

function inSeconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`
}

await withBenchSetup(15, bench, { pinned: false })
