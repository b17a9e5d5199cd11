import { setTimeout as sleep } from 'node:timers/promises'
import { Actor } from '#test/actor.ts'
import { cuttableLink } from '#test/cuttable-link.ts'
import { type Database, readDatabase, wrongInDatabase, wrongOnPage } from './check.ts'
import { openPage, type Page, type Person } from './page.ts'
import { flagsOf, type PlantName } from './plants.ts'
import { type Random, randomFrom } from './random.ts'
import { openReusingClient, type ReusingClient } from './reused-ids.ts'
import { type Fault, type FaultKind, faultsOf, roundMs } from './schedule.ts'
import { startTestCluster, type TestCluster } from './test-cluster.ts'

export interface RunOptions {
  readonly seed: number
  readonly rounds: number
  /** The first round; those before it are left out. */
  readonly from?: number
  readonly plant?: PlantName | undefined
  /** Ends the run in order, with an error. */
  readonly signal?: AbortSignal
  readonly say?: (line: string) => void
}

/** Why a round failed, and what broke in it. */
export interface Failure {
  readonly round: number
  readonly wrong: readonly string[]
  readonly faults: readonly Fault[]
  /** The last that the nodes said. */
  readonly said: readonly string[]
}

export interface Outcome {
  readonly rounds: number
  readonly messages: number
  readonly failure: Failure | undefined
}

const pairCount = 3
/** The most unacknowledged messages of a member. */
const maxWaiting = 5
const writeEveryMs = { least: 20, most: 120 }
/** After everything is mended: as long as Redis' reminder that something was missed may take, and some. */
const settleMs = 40_000
const lookEveryMs = 50
const maxComplaints = 20
const longestRoundMs = 90_000

/** Six members in three pairs write to each other while things break. Stops at the first round in which something is wrong. */
export async function runRounds({
  seed,
  rounds,
  from = 1,
  plant,
  signal,
  say = () => {},
}: RunOptions): Promise<Outcome> {
  await using stack = new AsyncDisposableStack()
  const flags = plant === undefined ? [] : flagsOf(plant)
  const cluster = stack.use(await startTestCluster({ flags }))
  const complaints: string[] = []
  const people = await register(cluster)
  const members = await Promise.all(
    people.map(async (person, index) => {
      const link = stack.use(await cuttableLink(cluster.nextNode))
      const other = people[index ^ 1] as Person
      const page = stack.use(
        await openPage({
          person,
          otherId: other.id,
          url: link.url,
          reads: index % 2 === 0,
          flags,
          complain: (complaint) => complaints.push(`${person.username} ${complaint}`),
        }),
      )
      return { link, page, otherId: other.id }
    }),
  )

  const steady = stack.use(await cuttableLink(cluster.nextNode))
  const reusing = stack.use(await openReusingClient(cluster.nextNode() ?? '', steady.url))

  let messages = 0
  let since = 0
  for (let round = from; round < from + rounds; round += 1) {
    const faults = faultsOf(seed, round)
    const began = performance.now()
    const { wrong, stored } = await inTime(round, signal, async () => {
      await talk(members, reusing, randomFrom(seed * 1000 + round), () =>
        breakThings(cluster, members, faults),
      )
      await mend(cluster, members)
      return finishRound(cluster, members, reusing, since, complaints)
    })
    messages += stored.length
    since = stored.at(-1)?.id ?? since
    if (wrong.length > 0) {
      const failure = { round, wrong, faults, said: cluster.nodes.flatMap(({ said }) => said) }
      return { rounds: round - from + 1, messages, failure }
    }
    say(
      `Round ${round}: ${stored.length} messages, ${faults.length} faults, ${((performance.now() - began) / 1000).toFixed(1)} s`,
    )
  }
  return { rounds, messages, failure: undefined }
}

/** A round that does not end is a failure, too. */
async function inTime<Result>(
  round: number,
  signal: AbortSignal | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  const done = new AbortController()
  const ended = work().finally(() => done.abort())
  const until = AbortSignal.any([done.signal, ...(signal ? [signal] : [])])
  const waited = sleep(longestRoundMs, undefined, { signal: until }).then(() => {
    throw new Error(`Round ${round} does not end`)
  })
  return Promise.race([ended, waited])
}

async function register({ nodes: [node] }: TestCluster): Promise<Person[]> {
  return Promise.all(
    Array.from({ length: pairCount * 2 }, async (_, index) => {
      const actor = new Actor(node?.url() ?? '')
      await actor.join({ username: `member_${index + 1}` })
      return { id: actor.id, username: actor.username, token: actor.token ?? '' }
    }),
  )
}

interface Member {
  readonly page: Page
  readonly otherId: number
  readonly link: Awaited<ReturnType<typeof cuttableLink>>
}

/** Everybody opens the conversation and writes, until what is to happen meanwhile has happened. */
async function talk(
  members: readonly Member[],
  reusing: ReusingClient,
  random: Random,
  meanwhile: () => Promise<void>,
) {
  let over = false
  async function writeOn({ page }: Member) {
    page.forgetWritten()
    page.open()
    for (let count = 1; !over; ) {
      if (page.waiting() < maxWaiting) {
        page.write(`${page.person.username} ${count}`)
        count += 1
      }
      await sleep(random.between(writeEveryMs.least, writeEveryMs.most))
    }
  }
  await Promise.all([
    ...members.map(writeOn),
    reusing.sendWhile(() => !over),
    meanwhile().finally(() => {
      over = true
    }),
  ])
}

async function breakThings(cluster: TestCluster, members: readonly Member[], faults: readonly Fault[]) {
  await Promise.all([
    sleep(roundMs),
    ...faults.map(async (fault) => {
      await sleep(fault.atMs)
      await breakOne(cluster, members, fault)
    }),
  ])
}

async function breakOne(cluster: TestCluster, members: readonly Member[], { kind, which, forMs }: Fault) {
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
      node.goOn()
      return
    case 'kill database':
      await cluster.database.kill()
      await sleep(forMs / 4)
      return cluster.database.start()
    case 'cut database link':
    case 'stall database link':
      return breakLink(node.databaseLink, kind, forMs)
    case 'kill redis':
      await cluster.redis.kill()
      await sleep(forMs)
      return cluster.redis.restart()
    case 'cut redis link':
    case 'stall redis link':
      return breakLink(node.redisLink, kind, forMs)
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
  link.mend()
}

/** Each fault ends by itself; this is for what one left behind that another broke in the meantime. */
async function mend({ database, nodes }: TestCluster, members: readonly Member[]) {
  for (const { link } of members) link.mend()
  await database.start()
  for (const node of nodes) {
    node.goOn()
    node.databaseLink.mend()
    node.redisLink.mend()
  }
  await Promise.all(nodes.map((node) => node.start()))
}

/** Waits until all is sent and every page shows what there is, and tells what is wrong then, or when that never comes. */
async function finishRound(
  { database }: TestCluster,
  members: readonly Member[],
  reusing: ReusingClient,
  since: number,
  complaints: string[],
) {
  const pages = members.map(({ page }) => page)
  const end = performance.now() + settleMs
  let stored: Database['messages'] = []
  for (;;) {
    const seen = await Promise.all(pages.map((page) => page.look()))
    // Asked before the database is: what is acknowledged later need not be in what it tells.
    const isSent = pages.every((page) => page.waiting() === 0)
    const all = await readDatabase(database.url(), since)
    stored = all.messages
    const found = { ...all, messages: stored.filter(({ sender_id }) => !reusing.ids.includes(sender_id)) }
    // An error in the database is final, but a page may only be late.
    const final = isSent ? [...reusing.wrong(all, since), ...wrongInDatabase(found, pages)] : []
    const late = members.flatMap(({ page, otherId }, index) => {
      const shown = seen[index]
      return shown?.quiet
        ? wrongOnPage(page, otherId, shown, found)
        : [`${page.person.username} is not connected`]
    })
    const isOver = performance.now() > end
    if (complaints.length > 0 || final.length > 0 || isOver) {
      const unsent = pages
        .filter((page) => page.waiting() > 0)
        .map(({ person }) => `${person.username} still has something to send`)
      const wrong = [...complaints, ...final, ...(isOver ? [...unsent, ...late] : [])]
      if (wrong.length > 0) return { wrong: wrong.slice(0, maxComplaints), stored }
    }
    if (isSent && late.length === 0) return { wrong: [], stored }
    await sleep(lookEveryMs)
  }
}
