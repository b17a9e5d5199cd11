// `npm run test:long` runs the tests that are too long for `npm test`: hostile traffic, failures at their full length, all screens in
// all sizes and states, steady load, every benchmark briefly, and messages on the cluster at CLUSTER_URL. `npm run test:long -- --only=benches` runs some of the steps.
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { findBrowser } from './browser.mjs'
import { buildWeb, environment, install, root, run } from './setup.mjs'

/** @param {string} file @param {...string} args */
const node = (file, ...args) => ['node', file, ...args]
const market = ['--listings=20000', '--seconds=1', '--rounds=1']

/** The coordinator of a Citus cluster whose database may be emptied. */
const clusterUrl = environment.CLUSTER_URL

/** @type {Record<string, string[][]>} */
const steps = {
  hostile: [['vitest', 'run', '--config', 'vitest.long.config.ts']],
  screens: [
    ['vite', 'build', '--config', 'vite.components.config.ts'],
    ['playwright', 'test', '--config', 'playwright.long.config.ts', '--reporter=line'],
    ['playwright', 'test', '--config', 'playwright.pseudo.config.ts', '--reporter=line'],
  ],
  engines: [['playwright', 'test', '--config', 'playwright.engines.config.ts', '--reporter=list']],
  faultInjection: [node('test/fault-injection/main.ts', '--rounds=20')],
  failures: [node('test/failures/main.ts')],
  failover: [node('test/failover-test/main.ts', '--rounds=1')],
  soak: [node('test/failures/soak.ts', '5')],
  cluster: [
    ['vitest', 'run', '--config', 'vitest.cluster.config.ts'],
    node('test/fault-injection/main.ts', '--rounds=20', `--cluster=${clusterUrl}`),
  ],
  benches: [
    node('bench/main.ts', ...market),
    node('bench/lists.ts', '--small=10000', ...market),
    node('bench/nearby-wants.ts', '--wants=20000', ...market),
    node('bench/photos.ts', '--rounds=1', '--seconds=2', '--checks=500', '--attack=10'),
    node(
      'bench/messages/messages.ts',
      ...['--seconds=1', '--rounds=1', '--clients=100', '--idle=100', '--lists=10,10000'],
    ),
    node('bench/matching/matching.ts'),
    node('bench/growth.ts'),
    node('bench/matching/extraction.ts'),
    node('bench/matching/synonyms.ts'),
    node('bench/matching/finding.ts', '--wants=1000', '--listings=110'),
    node('bench/matching/posting.ts', '--wants=1000', '--rounds=1', '--posts=10'),
    node('bench/matching/fan-out.ts', '--wants=1000', '--others=10'),
    node('bench/rings/rings.ts', '--town=300', '--members=2500', '--samples=300'),
    node('bench/web/web.ts', '--runs=1', '--taps=1'),
    node(
      'bench/capacity/capacity.ts',
      ...['--measure', '--seconds=1', '--minutes=0.4', '--listings=20000', '--callers=400'],
    ),
  ],
}

process.exitCode = await main()

async function main() {
  const { values } = parseArgs({ options: { only: { type: 'string' } } })
  const only = values.only?.split(',') ?? Object.keys(steps)
  const unknown = only.filter((name) => !(name in steps))
  if (unknown.length > 0) {
    console.error(`There is no step ${unknown.join(', ')}. The steps are ${Object.keys(steps).join(', ')}.`)
    return 1
  }
  const skipsCluster = only.includes('cluster') && !clusterUrl
  const ran = only.filter((name) => name !== 'cluster' || !skipsCluster)
  const skipped = 'skipped: set CLUSTER_URL'
  if (ran.length === 0) {
    console.log(skipped)
    return 0
  }
  await install()
  await buildWeb()
  const env = {
    ...environment,
    NODE_COMPILE_CACHE: join(root, '.cache', 'compiled'),
    CHROMIUM_PATH: await findBrowser(),
  }
  const results = []
  for (const [command = '', ...args] of ran.flatMap((name) => steps[name] ?? [])) {
    const title = [command, ...args].join(' ')
    console.log(`\n── ${title}`)
    const start = performance.now()
    const code = await run(command, args, env)
    results.push({ title, code, minutes: (performance.now() - start) / 60_000 })
    if (code > 128) break
  }
  console.log('')
  for (const { title, code, minutes } of results)
    console.log(`${code === 0 ? 'passed' : 'FAILED'}  ${minutes.toFixed(1).padStart(4)} min  ${title}`)
  if (skipsCluster) console.log(`${skipped} (cluster)`)
  return results.every(({ code }) => code === 0) ? 0 : 1
}
