import { setTimeout as sleep } from 'node:timers/promises'
import { Actor } from '#test/actor.ts'
import { startTcpProxy } from '#test/tcp-proxy.ts'
import { type Database, databaseViolations, pageViolations, readDatabase } from './check.ts'
import { flagsOf, type MutationName } from './mutations.ts'
import { openPage, type Page, type Person } from './page.ts'
import { type Random, randomFrom } from './random.ts'
import { openReusingClient, type ReusingClient } from './reused-ids.ts'
import { type Fault, type FaultKind, faultsOf, roundMs } from './schedule.ts'
import { startTestCluster, type TestCluster } from './test-cluster.ts'
import { type Refusal, saysTryAgain } from './try-again.ts'

/** The servers of a run, and their faults. */
export interface Scenario {
  readonly nodes: readonly Pick<TestCluster['nodes'][number], 'url' | 'output'>[]
  readonly nextNode: TestCluster['nextNode']
  readonly database: { url(): string }
  readonly roundTimeoutMs: number
  /** Describes the faults of a round, one a line. */
  faults(round: number): readonly string[]
  /** Causes the faults of a round. Returns violations. */
  disturb(round: number, members: readonly Member[]): Promise<readonly string[]>
  /** Ends all faults. */
  repair(): Promise<void>
  [Symbol.asyncDispose](): PromiseLike<void>
}

export interface RunOptions {
  readonly seed: number
  readonly rounds: number
  /** The number of the first round. */
  readonly from?: number
  readonly mutation?: MutationName | undefined
  /** Aborts the run with an error. */
  readonly signal?: AbortSignal
  readonly report?: (line: string) => void
  /** The number of pairs of members that write to each other. */
  readonly pairs?: number
  /** A prepared database that is not killed, instead of a new one. */
  readonly databaseUrl?: string | undefined
  /** Starts the servers. Without it, they have random faults. */
  readonly openScenario?: () => Promise<Scenario>
}

/** The violations and faults of a failed round. */
export interface Failure {
  readonly round: number
  readonly violations: readonly string[]
  readonly faults: readonly string[]
  /** The last output of the nodes. */
  readonly output: readonly string[]
}

export interface Outcome {
  readonly rounds: number
  readonly messages: number
  /** The number of acknowledged errors. All said "try again", or there is a failure. */
  readonly socketErrors: number
  readonly failure: Failure | undefined
}

/** The most unacknowledged messages of a member. */
const maxWaiting = 5
const writeEveryMs = { least: 20, most: 120 }
/** The limit for recovery after all faults: longer than the interval in which nodes resync, and than a busy machine needs. */
const settleMs = 90_000
const checkIntervalMs = 200
const maxViolations = 20

/** Runs rounds in which pairs of members write to each other during faults. Stops at the first violation. */
export async function runRounds({
  seed,
  rounds,
  from = 1,
  mutation,
  signal,
  report = () => {},
  pairs = 3,
  databaseUrl,
  openScenario = () => openRandomFaults(seed, mutation, databaseUrl),
}: RunOptions): Promise<Outcome> {
  await using stack = new AsyncDisposableStack()
  const flags = mutation === undefined ? [] : flagsOf(mutation)
  const scenario = stack.use(await openScenario())
  const violationsSoFar: string[] = []
  let socketErrors = 0
  const refusedTo = (username: string) => (error: Refusal) => {
    socketErrors += 1
    if (!saysTryAgain(error))
      violationsSoFar.push(`${username} got the error ${error.status} ${error.detail}`)
  }
  const persons = await register(scenario, pairs)
  const members = await Promise.all(
    persons.map(async (person, index) => {
      const link = stack.use(await startTcpProxy(scenario.nextNode))
      const other = persons[index ^ 1] as Person
      const page = stack.use(
        await openPage({
          person,
          otherId: other.id,
          url: link.url,
          reads: index % 2 === 0,
          flags,
          report: (violation) => violationsSoFar.push(`${person.username} ${violation}`),
          refused: refusedTo(person.username),
        }),
      )
      return { link, page, otherId: other.id }
    }),
  )

  const steady = stack.use(await startTcpProxy(scenario.nextNode))
  const reusing = stack.use(
    await openReusingClient(scenario.nextNode() ?? '', steady.url, refusedTo('reuser')),
  )

  let messages = 0
  let since = 0
  for (let round = from; round < from + rounds; round += 1) {
    const faults = scenario.faults(round)
    const startedAt = performance.now()
    const { violations, stored } = await withTimeout(scenario.roundTimeoutMs, signal, async () => {
      await exchangeMessages(members, reusing, randomFrom(seed * 1000 + round), async () => {
        violationsSoFar.push(...(await scenario.disturb(round, members)))
      })
      for (const { link } of members) link.restore()
      await scenario.repair()
      return finishRound(scenario, members, reusing, since, violationsSoFar)
    })
    messages += stored.length
    since = stored.at(-1)?.id ?? since
    if (violations.length > 0) {
      const failure = { round, violations, faults, output: scenario.nodes.flatMap(({ output }) => output) }
      return { rounds: round - from + 1, messages, socketErrors, failure }
    }
    report(
      `Round ${round}: ${stored.length} messages, ${faults.length} faults, ${((performance.now() - startedAt) / 1000).toFixed(1)} s`,
    )
  }
  return { rounds, messages, socketErrors, failure: undefined }
}

interface RoundResult {
  readonly violations: readonly string[]
  readonly stored: Database['messages']
}

/** Returns a violation if the round takes too long. Rejects if the run is aborted. */
async function withTimeout(
  timeoutMs: number,
  signal: AbortSignal | undefined,
  round: () => Promise<RoundResult>,
): Promise<RoundResult> {
  const done = new AbortController()
  const until = AbortSignal.any([done.signal, ...(signal ? [signal] : [])])
  const late = { violations: ['the round does not end'], stored: [] }
  try {
    return await Promise.race([round(), sleep(timeoutMs, late, { signal: until })])
  } finally {
    done.abort()
  }
}

async function register({ nodes: [node] }: Scenario, pairs: number): Promise<Person[]> {
  return Promise.all(
    Array.from({ length: pairs * 2 }, async (_, index) => {
      const actor = new Actor(node?.url() ?? '')
      await actor.join({ username: `member_${index + 1}` })
      return { id: actor.id, username: actor.username, token: actor.token ?? '' }
    }),
  )
}

export interface Member {
  readonly page: Page
  readonly otherId: number
  readonly link: Awaited<ReturnType<typeof startTcpProxy>>
}

/** Lets all members open their conversation and write until `meanwhile` ends. */
async function exchangeMessages(
  members: readonly Member[],
  reusing: ReusingClient,
  random: Random,
  meanwhile: () => Promise<void>,
) {
  let isOver = false
  async function keepWriting({ page }: Member) {
    page.forgetWritten()
    page.open()
    for (let count = 1; !isOver; ) {
      if (page.waiting() < maxWaiting) {
        page.write(`${page.person.username} ${count}`)
        count += 1
      }
      await sleep(random.between(writeEveryMs.least, writeEveryMs.most))
    }
  }
  await Promise.all([
    ...members.map(keepWriting),
    reusing.sendWhile(() => !isOver),
    meanwhile().finally(() => {
      isOver = true
    }),
  ])
}

/** Starts servers on which processes and connections fail at random. */
async function openRandomFaults(
  seed: number,
  mutation: MutationName | undefined,
  databaseUrl: string | undefined,
): Promise<Scenario> {
  const flags = mutation === undefined ? [] : flagsOf(mutation)
  return randomFaults(await startTestCluster({ flags, databaseUrl }), seed)
}

/** Lets processes and connections of servers fail at random. */
function randomFaults(cluster: TestCluster, seed: number): Scenario {
  return {
    ...cluster,
    roundTimeoutMs: 240_000,
    faults: (round) => faultsOf(seed, round).map(describe),
    async disturb(round, members) {
      await Promise.all([
        sleep(roundMs),
        ...faultsOf(seed, round).map(async (fault) => {
          await sleep(fault.atMs)
          await inject(cluster, members, fault)
        }),
      ])
      return []
    },
    repair: () => repair(cluster),
  }
}

function describe({ kind, which, atMs, forMs }: Fault): string {
  return `after ${atMs} ms for ${forMs} ms: ${kind} ${which}`
}

async function inject(cluster: TestCluster, members: readonly Member[], { kind, which, forMs }: Fault) {
  const node = cluster.nodes[which % cluster.nodes.length] as TestCluster['nodes'][number]
  const member = members[which % members.length] as Member
  switch (kind) {
    case 'kill node':
      await node.kill()
      await sleep(forMs / 4)
      return node.start()
    case 'freeze node':
      node.freeze()
      await sleep(forMs)
      node.resume()
      return
    case 'kill database':
      await cluster.database.kill()
      await sleep(forMs / 4)
      return cluster.database.start()
    case 'cut database link':
    case 'stall database link':
      return breakLink(node.databaseProxy, kind, forMs)
    case 'kill redis':
      await cluster.redis.kill()
      await sleep(forMs)
      return cluster.redis.restart()
    case 'cut redis link':
    case 'stall redis link':
      return breakLink(node.redisProxy, kind, forMs)
    case 'cut member link':
    case 'stall member link':
      return breakLink(member.link, kind, forMs)
    case 'reload page':
      return member.page.reload()
  }
}

async function breakLink(link: Member['link'], kind: FaultKind, forMs: number) {
  if (kind.startsWith('cut')) link.cut()
  else link.stall()
  await sleep(forMs)
  link.restore()
}

/** Repairs everything. Each fault ends by itself, but another one may have undone its repair. */
async function repair({ database, nodes }: TestCluster) {
  await database.start()
  for (const node of nodes) {
    node.resume()
    node.databaseProxy.restore()
    node.redisProxy.restore()
  }
  await Promise.all(nodes.map((node) => node.start()))
}

/** Waits until all messages are sent and every page shows the stored messages. Returns the violations at the end or timeout. */
async function finishRound(
  { database }: Scenario,
  members: readonly Member[],
  reusing: ReusingClient,
  since: number,
  reported: string[],
): Promise<RoundResult> {
  const pages = members.map(({ page }) => page)
  const writers = new Set(pages.map(({ person }) => person.id))
  const end = performance.now() + settleMs
  let stored: RoundResult['stored'] = []
  for (;;) {
    const states = await Promise.all(pages.map((page) => page.readState()))
    // Checked before the database is read, because later messages are not in its result.
    const isSent = pages.every((page) => page.waiting() === 0)
    const all = await readDatabase(database.url(), since)
    stored = all.messages
    // Others write too.
    const ofPages = { ...all, messages: stored.filter(({ sender_id }) => writers.has(sender_id)) }
    // An error in the database is final, but a page may only be late.
    const final = isSent ? [...reusing.violations(all, since), ...databaseViolations(ofPages, pages)] : []
    const late = members.flatMap(({ page, otherId }, index) => {
      const state = states[index]
      return state?.quiet
        ? pageViolations(page, otherId, state, ofPages)
        : [`${page.person.username} is not connected`]
    })
    const isOver = performance.now() > end
    if (reported.length > 0 || final.length > 0 || isOver) {
      const unsent = pages
        .filter((page) => page.waiting() > 0)
        .map(({ person }) => `${person.username} still has unsent messages`)
      const violations = [...reported, ...final, ...(isOver ? [...unsent, ...late] : [])]
      if (violations.length > 0) return { violations: violations.slice(0, maxViolations), stored }
    }
    if (isSent && late.length === 0) return { violations: [], stored }
    await sleep(checkIntervalMs)
  }
}
