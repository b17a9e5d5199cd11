// `npm run test:failover` kills, freezes and cuts off the primary of a replicated PostgreSQL while members write to two nodes.
// `-- --rounds=20` sets the number of faults of each kind, and `--mutation=deaf-listener` expects a bug of
// test/fault-injection/mutations.ts to be detected. It installs Patroni, etcd, HAProxy and PostgreSQL from Debian.
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { logOut } from '#contract/auth.ts'
import { lockConversations } from '#server/features/messages/sending-queries.ts'
import { waitUntil } from '#server/platform/embedded-postgres/wait-until.ts'
import { listenerName } from '#server/platform/events/postgres-bus.ts'
import { Actor } from '#test/actor.ts'
import { flagsOf, isMutation } from '#test/fault-injection/mutations.ts'
import { runRounds, type Scenario } from '#test/fault-injection/rounds.ts'
import { startMailServer } from '#test/mail-server.ts'
import { serverProcess } from '#test/node-process.ts'
import { startRedis } from '#test/redis-server.ts'
import { connectSocket } from '#test/socket-client.ts'
import { ensurePrograms } from '../smoke-test/programs.ts'
import { type Member, startPatroniCluster } from './patroni-cluster.ts'
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
/** The longest time without a successful write. */
const backWithinMs = 15_000
/** The time before a fault and after the service is back. */
const calmMs = 1000
const listeningWithinMs = 5000
const closedWithinMs = 1000
/** How long a conversation is locked. A message that takes so long without the lock is not noticed. */
const lockedMs = 2000
const deliveredWithinMs = 5000
const mailedWithinMs = 20_000
const nodeCount = 2

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
  const urlOf = (index: number) => nodes[index]?.url() ?? ''
  const traders = await openTraders(urlOf(0), 'one')
  const probe = await openProbe(urlOf(1), 'two')
  const [ann, bob] = [new Actor(urlOf(0)), new Actor(urlOf(1))]
  await ann.join({ username: 'ann' })
  await bob.join({ username: 'bob' })

  /**
   * Checks that both nodes listen at the new primary, that events and logouts reach the other node, that jobs send mails, and that
   * messages wait for the advisory lock of their conversation.
   */
  async function checkEventsJobsAndLocks(round: number): Promise<string[]> {
    const violations: string[] = []
    if (!(await waitUntil(async () => (await countListeners(cluster.url)) === nodeCount, listeningWithinMs)))
      violations.push('not every node listens at the primary')
    using annSocket = await connectSocket(ann)
    using bobSocket = await connectSocket(bob)
    const content = `After fault ${round}`
    const isDelivered = await waitUntil(async () => {
      await annSocket.send('send_message', { receiver_id: bob.id, content })
      await sleep(200)
      return bobSocket.received('new_message').some((message) => message.content === content)
    }, deliveredWithinMs)
    if (!isDelivered) violations.push('messages do not reach the other node')
    const waits = await inLockedConversation(cluster.url, ann.id, bob.id, async () => {
      const sent = annSocket.send('send_message', { receiver_id: bob.id, content }).then(({ ok }) => ok)
      // In an object, because a promise that is returned is awaited.
      return (await Promise.race([sent, sleep(lockedMs)])) === undefined ? { sent } : undefined
    })
    if (!waits) violations.push('a message does not wait for the lock of its conversation')
    else if (!(await waits.sent)) violations.push('a message that waited for its conversation is refused')
    const cas = new Actor(urlOf(0))
    await cas.join({ username: `cas_${round}` })
    const isMailed = () => mails.received.filter(({ to }) => to.includes(cas.email)).length === 1
    if (!(await waitUntil(isMailed, mailedWithinMs))) violations.push('a new member gets no welcome mail')
    using casSocket = await connectSocket(cas.at(urlOf(1)))
    const isClosed = casSocket.ended().then(() => true)
    // The database may be unavailable again for a moment after the repair.
    await waitUntil(async () => (await cas.try(logOut)).status !== 503, listeningWithinMs)
    if (!(await Promise.race([isClosed, sleep(closedWithinMs, false)])))
      violations.push('a socket on the other node stays open after a logout')
    return violations
  }

  const faultOf = (round: number) => faults[(round - 1) % faults.length] ?? faults[0]
  let turn = 0
  const stack = building.move()
  return {
    nodes,
    nextNode() {
      turn += 1
      return urlOf(turn % nodes.length)
    },
    database: { url: () => cluster.url },
    roundTimeoutMs: 240_000,
    faults: (round) => [faultOf(round)?.name ?? ''],
    async disturb(round) {
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
        ...(timeMs > backWithinMs ? [`the service was away for ${Math.round(timeMs)} ms`] : []),
        ...probe.violations.splice(0),
        ...(await traders.check(cluster.url)),
        ...(await checkEventsJobsAndLocks(round)),
        ...(nodes.some((node, index) => node.pid() !== pids[index]) ? ['a node was restarted'] : []),
      ]
      console.log(
        `  ${faultOf(round)?.name}: writes succeeded after ${Math.round(timeMs)} ms; ${writes} listings and trades`,
      )
      return violations
    },
    repair: async () => {},
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
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

/** Returns the number of connections that wait for LISTEN. */
async function countListeners(databaseUrl: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rowCount } = await client.query('select from pg_stat_activity where application_name = $1', [
      listenerName,
    ])
    return rowCount ?? 0
  } finally {
    await client.end()
  }
}

/** Runs the work while a transaction at the primary holds the advisory lock of a conversation. */
async function inLockedConversation<Result>(
  databaseUrl: string,
  one: number,
  other: number,
  work: () => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query('begin')
    await client.query(lockConversations('(values ($1::bigint, $2::bigint)) m (sender_id, receiver_id)'), [
      one,
      other,
    ])
    return await work()
  } finally {
    await client.end()
  }
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
