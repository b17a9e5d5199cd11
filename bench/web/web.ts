// `npm run bench:web`: measures the size and speed of the web client on a phone. README.md describes the measurements.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type BrowserContext, chromium, type Page } from '@playwright/test'
import { logIn } from '#contract/auth.ts'
import { loginLifetimeMs } from '#contract/constants.ts'
import { listListings } from '#contract/listing-queries.ts'
import { listThreads } from '#contract/messages.ts'
import { Actor } from '#test/actor.ts'
import { browserArgs, findBrowser } from '../../scripts/browser.mjs'
import { startDemo } from '../../scripts/demo.ts'
import { buildWeb, root } from '../../scripts/setup.mjs'
import { median } from '../sample.ts'
import { openLighthouse, type Report } from './lighthouse.ts'
import { renderingMs } from './rendering.ts'
import { measureTaps, shortestMs, type TapTiming } from './tapping.ts'

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '3' },
    taps: { type: 'string', default: '5' },
    only: { type: 'string', default: '' },
    throttled: { type: 'boolean', default: false },
    port: { type: 'string', default: '3480' },
  },
})
const reports = join(root, '.cache', 'lighthouse')
const debugPort = 3481

const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const

/** The targets: the performance score (100 for the others) and compressed kilobytes of scripts. */
interface Visit {
  readonly name: string
  readonly path: string
  readonly as: 'visitor' | 'member'
  readonly score: number
  readonly maxKb: number
}
const targets = { lcpMs: 1800, shift: 0.02, tapMs: 100, renderingMs: 15 }

async function main(): Promise<void> {
  await buildWeb()
  await using demo = await startDemo(Number(values.port))
  const login = await logInAt(demo)
  const rendering = await renderingMs(demo.url, '/listings', login.token, login.member)
  print(
    `Rendering the marketplace: ${rendering.toFixed(1)} ms of processor time (median)${met(rendering <= targets.renderingMs)}`,
  )
  const visits = (await visitsOf(demo.url, login.token)).filter(({ name }) => name.includes(values.only))
  if (Number(values.runs) > 0) await runLighthouse(demo.url, visits, login)
  if (Number(values.taps) > 0)
    printTaps(await measureTaps(demo.url, login.record, visits, Number(values.taps)))
}

/** Measures visits with Lighthouse. */
async function runLighthouse(url: string, visits: readonly Visit[], login: Login): Promise<void> {
  await mkdir(reports, { recursive: true })
  const context = await chromium.launchPersistentContext('', {
    executablePath: await findBrowser(),
    args: [`--remote-debugging-port=${debugPort}`, ...browserArgs],
  })
  try {
    const measure = await openLighthouse(debugPort, values.throttled ? 'devtools' : 'simulate')
    print(
      '| | performance | accessibility | best practices | SEO | LCP | CLS | scripts | scripts in all | machine |',
    )
    print('|---|---|---|---|---|---|---|---|---|---|')
    for (const visit of visits) {
      await become(context, url, visit.as === 'member' ? login : undefined)
      const runs: Report[] = []
      for (let run = 0; run < Number(values.runs); run += 1) runs.push(await measure(`${url}${visit.path}`))
      await writeFile(join(reports, `${visit.name}.json`), JSON.stringify(runs.at(-1)))
      const [first] = runs
      if (first !== undefined) print(rowOf(visit, runs, await scriptKb(first)))
      for (const flaw of flawsOf(runs)) print(`  - ${flaw}`)
    }
  } finally {
    await context.close()
  }
}

/** Returns the taps by name, and the slowest one of each screen. */
function printTaps(timings: readonly TapTiming[]): void {
  if (timings.length === 0) return
  print('| tap | ms (lowest–highest) | delay | processing | presentation |')
  print('|---|--:|--:|--:|--:|')
  for (const { screen, tap, whole, lowest, highest, ...split } of timings) {
    const parts = [split.delay, split.processing, split.presentation].map(Math.round)
    const range = `${shown(whole)} (${shown(lowest)}–${shown(highest)})${met(whole <= targets.tapMs)}`
    print(`| ${screen}: ${tap} | ${range} | ${parts.join(' | ')} |`)
  }
  for (const [screen, taps] of Map.groupBy(timings, ({ screen }) => screen)) {
    const slowest = Math.max(...taps.map(({ whole }) => whole))
    print(
      `Slowest of the taps on ${screen}: ${shown(slowest)} ms (aim: at most ${targets.tapMs}${met(slowest <= targets.tapMs)})`,
    )
  }
}

function shown(ms: number): string {
  return ms < shortestMs ? `< ${shortestMs}` : String(Math.round(ms))
}

interface Login {
  readonly token: string
  readonly record: string
  readonly member: { readonly id: number; readonly username: string }
}

async function logInAt({
  url,
  email,
  password,
}: {
  url: string
  email: string
  password: string
}): Promise<Login> {
  const { access_token, user } = await new Actor(url).call(logIn, { body: { username: email, password } })
  const { id, username } = user
  const record = { token: access_token, user: { id, username }, expiresAt: Date.now() + loginLifetimeMs }
  return { token: access_token, record: JSON.stringify(record), member: { id, username } }
}

/** The stored login and cookie of the browser. Lighthouse clears everything else before each visit. */
async function become(context: BrowserContext, url: string, login: Login | undefined): Promise<void> {
  const page: Page = await context.newPage()
  await context.clearCookies()
  await page.goto(`${url}/manifest.webmanifest`)
  await page.evaluate((record) => {
    localStorage.clear()
    if (record !== undefined) localStorage.setItem('auth', record)
  }, login?.record)
  // The first script of a page sets the cookie before the app starts.
  if (login !== undefined) await page.goto(`${url}/profile`, { waitUntil: 'commit' })
  if (login !== undefined) await page.waitForFunction((token) => document.cookie.includes(token), login.token)
  await page.close()
}

async function visitsOf(url: string, token: string): Promise<readonly Visit[]> {
  const member = new Actor(url)
  member.token = token
  const market = await member.call(listListings, { query: { public: 'true' } })
  const withPhoto = market.find(({ image }) => image !== null)
  const [thread] = await member.call(listThreads, { query: {} })
  return [
    { name: 'landing', path: '/', as: 'visitor', score: 100, maxKb: 1 },
    { name: 'login', path: '/login', as: 'visitor', score: 97, maxKb: 150 },
    { name: 'marketplace', path: '/listings', as: 'member', score: 97, maxKb: 180 },
    { name: 'listing', path: `/listings/${withPhoto?.id}`, as: 'member', score: 97, maxKb: 180 },
    { name: 'conversation', path: `/messages/${thread?.user?.id}`, as: 'member', score: 97, maxKb: 180 },
    { name: 'my lists', path: '/my-listings', as: 'member', score: 97, maxKb: 180 },
  ]
}

function rowOf({ name, score, maxKb }: Visit, runs: readonly Report[], kb: { first: number; all: number }) {
  const scores = categories.map((category) => {
    const points = Math.round(median(runs.map(({ categories }) => (categories[category]?.score ?? 0) * 100)))
    return `${points}${met(points >= (category === 'performance' ? score : 100))}`
  })
  const lcp = median(runs.map(({ audits }) => audits['largest-contentful-paint']?.numericValue ?? Number.NaN))
  const shift = median(
    runs.map(({ audits }) => audits['cumulative-layout-shift']?.numericValue ?? Number.NaN),
  )
  const cells = [
    name,
    ...scores,
    `${(lcp / 1000).toFixed(2)} s${met(lcp <= targets.lcpMs)}`,
    `${shift.toFixed(3)}${met(shift <= targets.shift)}`,
    `${kb.first.toFixed(1)} kB`,
    `${kb.all.toFixed(1)} kB${met(kb.all <= maxKb)}`,
    median(runs.map(({ environment }) => environment.benchmarkIndex)).toFixed(0),
  ]
  return `| ${cells.join(' | ')} |`
}

/** The scripts requested before the largest contentful paint and those of the whole visit. */
async function scriptKb({ audits }: Report): Promise<{ first: number; all: number }> {
  const items = audits['network-requests']?.details?.items ?? []
  const painted =
    audits.metrics?.details?.items?.[0]?.observedLargestContentfulPaint ?? Number.POSITIVE_INFINITY
  const kb = { first: 0, all: 0 }
  for (const { resourceType, url = '', networkRequestTime = 0 } of items) {
    if (resourceType !== 'Script') continue
    const { headers } = await fetch(url, { method: 'HEAD', headers: { 'accept-encoding': 'br' } })
    const size = Number(headers.get('content-length')) / 1000
    kb.all += size
    if (networkRequestTime < painted) kb.first += size
  }
  return kb
}

/** Returns the titles of audits below the full score. */
function flawsOf(runs: readonly Report[]): string[] {
  const last = runs.at(-1)
  if (last === undefined) return []
  return categories.flatMap((category) =>
    (last.categories[category]?.auditRefs ?? []).flatMap(({ id, weight }) => {
      const audit = last.audits[id]
      if (audit === undefined || weight === 0 || audit.score === null || audit.score >= 0.9) return []
      return `${category}: ${audit.title} (${audit.score})`
    }),
  )
}

function met(is: boolean): string {
  return is ? '' : ' ✗'
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

await main()
process.exit(0)
