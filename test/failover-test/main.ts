// `npm run test:failover` kills, freezes and cuts off the primary of a replicated PostgreSQL while members write to two nodes.
// `-- --rounds=20` sets the number of faults of each kind, and `--mutation=deaf-listener` expects a bug of
// test/fault-injection/mutations.ts to be detected. It installs Patroni, etcd, HAProxy and PostgreSQL from Debian.
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { flagsOf, isMutation } from '#test/fault-injection/mutations.ts'
import { runRounds, type Scenario } from '#test/fault-injection/rounds.ts'
import { startMailServer } from '#test/mail-server.ts'
import { serverProcess } from '#test/node-process.ts'
import { startRedis } from '#test/redis-server.ts'
import { ensurePrograms } from '../smoke-test/programs.ts'
import { type Member, startPatroniCluster } from './patroni-cluster.ts'
import { nodeCount, openServiceCheck } from './service-check.ts'
import { openProbe, openTraders } from './trading.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    mutation: { type: 'string' },
  },
})
const rounds = Number(values.rounds)
if (!(rounds > 0)) throw new Error('The rounds must be a positive number')
const { mutation } = values
if (mutation !== undefined && !isMutation(mutation)) throw new Error(`There is no mutation ${mutation}`)
const flags = mutation === undefined ? [] : flagsOf(mutation)

const faults: readonly { readonly name: string; readonly start: (primary: Member) => unknown }[] = [
  { name: 'kill the primary', start: (primary) => primary.kill() },
  { name: 'freeze the primary', start: (primary) => primary.freeze() },
  { name: 'cut the primary off', start: (primary) => primary.cutOff() },
]
/** The time before a fault and after the service is back. */
const calmMs = 1000

const timesMs: number[] = []

/** Starts the cluster and the nodes. A round has one fault. */
async function openFailover(): Promise<Scenario> {
  await using building = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'rhubarb-failover-'))
  building.defer(() => rm(folder, { recursive: true, force: true }))
  const mails = await startMailServer()
  building.defer(() => mails.stop())
  const cluster = building.use(await startPatroniCluster())
  const redis = building.use(await startRedis())
  const settings = { DATABASE_URL: cluster.url, SMTP_URL: mails.url, REDIS_URL: redis.url }
  const nodes = await startNodes(settings, folder, building)
  const pids = nodes.map((node) => node.pid())
  const [one = '', two = ''] = nodes.map((node) => node.url())
  const traders = await openTraders(one, 'one')
  const probe = await openProbe(two, 'two')
  const service = await openServiceCheck({ databaseUrl: cluster.url, one, two, mails })

  async function disturb(round: number): Promise<string[]> {
    let isOver = false
    const trading = traders.tradeWhile(() => !isOver)
    await sleep(calmMs)
    const primary = await cluster.primary()
    await faultOf(round)?.start(primary)
    const timeMs = await probe.timeUntilBack()
    timesMs.push(timeMs)
    await sleep(calmMs)
    await primary.repair()
    await cluster.healthy()
    isOver = true
    await trading
    const writes = traders.acknowledged()
    const violations = [
      ...probe.violations.splice(0),
      ...(await traders.check(cluster.url)),
      ...(await service.check(round)),
      ...(nodes.some((node, index) => node.pid() !== pids[index]) ? ['a node was restarted'] : []),
    ]
    console.log(
      `  ${faultOf(round)?.name}: writes succeeded after ${Math.round(timeMs)} ms; ${writes} listings and trades`,
    )
    return violations
  }

  let turn = 0
  const stack = building.move()
  return {
    nodes,
    nextNode() {
      turn += 1
      return nodes[turn % nodes.length]?.url() ?? ''
    },
    database: { url: () => cluster.url },
    roundTimeoutMs: 240_000,
    faults: (round) => [faultOf(round)?.name ?? ''],
    disturb,
    repair: async () => {},
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

function faultOf(round: number) {
  return faults[(round - 1) % faults.length] ?? faults[0]
}

async function startNodes(
  settings: Readonly<Record<string, string>>,
  folder: string,
  stack: AsyncDisposableStack,
) {
  const nodes: ReturnType<typeof serverProcess>[] = []
  for (let index = 0; index < nodeCount; index += 1) {
    const data = join(folder, `node-${index}`)
    await mkdir(join(data, 'tmp'), { recursive: true })
    const folders = { DATA_DIR: data, TMPDIR: join(data, 'tmp') }
    const node = stack.use(serverProcess({ ...settings, ...folders }, flags))
    // The first node migrates the database.
    await node.start()
    nodes.push(node)
  }
  return nodes
}

await ensurePrograms('patroni', 'etcd', 'haproxy')
const outcome = await runRounds({
  seed: Number(values.seed),
  rounds: rounds * faults.length,
  report: console.log,
  openScenario: openFailover,
})
const sorted = timesMs.toSorted((one, other) => one - other)
console.log(
  `${outcome.messages} messages in ${outcome.rounds} rounds, ${outcome.socketErrors} socket errors. Writes succeeded again after ${Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0)} ms (median), ${Math.round(sorted.at(-1) ?? 0)} ms at most.`,
)
if (outcome.failure) {
  const { round, violations, faults, output } = outcome.failure
  console.log(`Round ${round} failed (${faults.join()}):`)
  for (const line of [...violations, 'Last output of the nodes:', ...output]) console.log(`  ${line}`)
}
process.exit((outcome.failure !== undefined) === (mutation !== undefined) ? 0 : 1)
