import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import sharp from 'sharp'
import { apiBase, types } from '#contract/constants.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { errorMessages } from '#contract/error-messages.ts'
import { createListing } from '#contract/listings.ts'
import { listMessages, sendMessage } from '#contract/messages.ts'
import { Actor, json } from '#test/actor.ts'
import { allEndpoints } from '#test/endpoints.ts'
import type { TestCluster } from '#test/fault-injection/test-cluster.ts'
import type { startMailServer } from '#test/mail-server.ts'
import { blob, photo } from '#test/pictures.ts'
import { connectSocket, type SocketClient } from '#test/socket-client.ts'
import { balance, isReady } from './balancer.ts'
import { newMembers, steadyLoad } from './load.ts'

/** The outcome of a failure test. `wrong` is empty when every rule held. */
export interface Outcome {
  readonly wrong: readonly string[]
  /** For people to read. */
  readonly told: string
}

type Mails = Awaited<ReturnType<typeof startMailServer>>
type Node = TestCluster['nodes'][number]

/** How long what must come may take, where nothing else is asked for. */
const timeoutMs = 20_000

/** A session is known for a second without the database. */
const rememberedMs = 1500

/** PostgreSQL is killed, and comes back after a while. */
export async function databaseAway(
  { nodes, database }: TestCluster,
  mails: Mails,
  { awayMs, readyWithinMs }: { awayMs: number; readyWithinMs: number },
): Promise<Outcome> {
  const wrong: string[] = []
  const tag = Date.now().toString(36)
  const [ann, bob] = await pairAt(nodes, `db_${tag}`)
  using annLine = await connectSocket(ann)
  using bobLine = await connectSocket(bob)
  const before = nodes.map((node) => node.pid())
  const endpoints = await allEndpoints()

  await database.kill()
  const end = performance.now() + awayMs
  await sleep(rememberedMs)
  let asked = 0
  do {
    for (const person of [ann, bob]) {
      const answers = await Promise.all(endpoints.map((endpoint) => refused(person, endpoint)))
      asked += answers.length
      wrong.push(...answers.flatMap((answer) => answer ?? []))
      if (await isReady(person.server)) wrong.push(`${person.server} is ready without a database`)
      const live = await person.send('GET', '/livez')
      if (live.status !== 200) wrong.push(`/livez: ${live.status}`)
    }
    const said = await annLine.send('send_message', { receiver_id: bob.id, content: 'Anyone?' })
    if (said.ok || said.status !== 503) wrong.push(`send_message: ${JSON.stringify(said)}`)
    await sleep(200)
  } while (performance.now() < end)

  await database.start()
  const back = performance.now()
  const ready = () => Promise.all(nodes.map((node) => isReady(node.url() ?? '')))
  if (!(await becomes(async () => (await ready()).every(Boolean), readyWithinMs)))
    wrong.push(`The nodes are not ready ${readyWithinMs} ms after the database`)
  const readyMs = Math.round(performance.now() - back)

  wrong.push(...(await isReceived(annLine, bobLine, bob, 'after the database')))
  const cas = new Actor(nodes[0]?.url() ?? '')
  await cas.join({ username: `cas_${tag}` })
  const mailed = () => mails.received.filter(({ to }) => to.includes(cas.email)).length === 1
  if (!(await becomes(mailed, timeoutMs))) wrong.push('No job sends the mail of a new member')
  if (nodes.some((node, index) => node.pid() !== before[index])) wrong.push('A node did not live through it')
  return { wrong, told: `${asked} calls were told to come back; the nodes were ready after ${readyMs} ms` }
}

/** Returns how a refusal deviates from the rules, or undefined. */
async function refused(person: Actor, endpoint: Endpoint): Promise<string | undefined> {
  const path = apiBase + endpoint.path.replaceAll(/\{\w+\}/g, '1')
  const body = endpoint.body && endpoint.encoding !== 'multipart' ? json({}) : {}
  const { status, headers, body: answer } = await person.send(endpoint.method, path, body)
  const isProper =
    Number(headers.get('retry-after')) > 0 &&
    headers.get('content-type') === 'application/problem+json' &&
    answer.detail === errorMessages.unavailable
  if (status === 503) return isProper ? undefined : `${endpoint.method} ${path}: 503 without a word`
  // Endpoints for guests may answer without the database.
  return endpoint.auth === 'anyone' && status < 500 ? undefined : `${endpoint.method} ${path}: ${status}`
}

/** Redis is killed, and comes back: it was only for hints. */
export async function redisAway(
  { nodes, redis }: TestCluster,
  { awayMs }: { awayMs: number },
): Promise<Outcome> {
  const wrong: string[] = []
  const [ann, bob] = await pairAt(nodes, `redis_${Date.now().toString(36)}`)
  using annLine = await connectSocket(ann)
  using bobLine = await connectSocket(bob)
  wrong.push(...(await isReceived(annLine, bobLine, bob, 'before')))

  await redis.kill()
  const end = performance.now() + awayMs
  let sent = 0
  do {
    const said = await annLine.send('send_message', { receiver_id: bob.id, content: `Without ${sent}` })
    if (!said.ok) wrong.push(`send_message: ${JSON.stringify(said)}`)
    const { status } = await bob.try(sendMessage, { body: { receiver_id: ann.id, content: `And ${sent}` } })
    if (status !== 201) wrong.push(`POST /messages: ${status}`)
    for (const person of [ann, bob])
      if (!(await isReady(person.server))) wrong.push(`${person.server} is not ready without Redis`)
    sent += 1
    await sleep(100)
  } while (performance.now() < end)
  const stored = await bob.call(listMessages, { params: { id: ann.id }, query: {} })
  const without = stored.filter(({ content }) => content.startsWith('Without')).length
  if (without === 0) wrong.push('What is sent without Redis is not stored')

  await redis.restart()
  wrong.push(...(await isReceived(annLine, bobLine, bob, 'after Redis')))
  return { wrong, told: `${sent * 2} messages were stored without Redis` }
}

/** One node may write no more files: as when its disk, or its share of it, is full. */
export async function diskFull({ nodes }: TestCluster): Promise<Outcome> {
  const wrong: string[] = []
  const node = nodes[0] as Node
  const [ann] = await newMembers(node.url() ?? '', [`disk_${Date.now().toString(36)}`])
  if (!ann) throw new Error('Nobody joined')
  const post = (file: Blob) =>
    ann.try(createListing, { body: { title: 'Kale', type_id: types.giveaway }, file })
  // Grains are dear to keep: the stored photo is larger than what was sent.
  const grains = {
    create: { width: 640, height: 480, channels: 3 as const, noise: grain, background: 'white' },
  }
  const bytes = await sharp(grains).jpeg({ quality: 5 }).toBuffer()
  const kept = () => filesBelow(node.folder)
  const before = await kept()

  for (const limit of [1000, bytes.length + 1000]) {
    await limitFiles(node, String(limit))
    const { status, body } = await post(blob(bytes, 'image/jpeg'))
    if (status !== 507 || body.detail !== errorMessages.full)
      wrong.push(`With ${limit} bytes: ${status} ${JSON.stringify(body)}`)
    if ((await kept()).join() !== before.join()) wrong.push(`With ${limit} bytes something stays on the disk`)
    const text = await ann.try(createListing, { body: { title: 'Kale', type_id: types.giveaway } })
    if (text.status !== 201) wrong.push(`A listing without a photo: ${text.status}`)
  }
  await limitFiles(node, 'unlimited')
  const { status } = await post(await photo())
  if (status !== 201) wrong.push(`With room again: ${status}`)
  return { wrong, told: 'Photos were refused with a sentence, and nothing of them stayed' }
}

const grain = { type: 'gaussian' as const, mean: 128, sigma: 60 }

async function limitFiles(node: Node, bytes: string) {
  await promisify(execFile)('prlimit', [`--pid=${node.pid()}`, `--fsize=${bytes}:`])
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => `${parentPath}/${name}`)
    .sort()
}

/** Each node in turn is stopped as a deployment stops it, and started again, while members go on. */
export async function rollingRestart(
  { nodes, database }: TestCluster,
  { times, pauseMs, pages = false }: { times: number; pauseMs: number; pages?: boolean },
): Promise<Outcome> {
  await using front = await balance(nodes)
  const both = async () => (await Promise.all(nodes.map((node) => isReady(node.url() ?? '')))).every(Boolean)
  if (!(await becomes(both, timeoutMs))) throw new Error('The nodes are not ready')
  const tag = Date.now().toString(36)
  const members = await newMembers(
    nodes[0]?.url() ?? '',
    ['ann', 'bob', 'cas', 'dee'].map((name) => `${name}_${tag}`),
  )
  const load = await steadyLoad(front.url, members, { pauseMs: 20, pages })
  const wrong: string[] = []
  for (let time = 0; time < times; time += 1) {
    for (const node of nodes) {
      await sleep(pauseMs)
      const code = await node.stop()
      if (code !== 0) wrong.push(`A node ended with ${code}`)
      await node.start()
      if (!(await becomes(both, timeoutMs))) wrong.push('A node does not come back')
    }
  }
  await sleep(pauseMs)
  const { requests, failed, retries, acknowledged, moves } = await load.stop()
  wrong.push(...failed, ...(await doubledOrLost(database.url(), acknowledged)))
  if (moves === 0) wrong.push('No socket moved to another node')
  return {
    wrong,
    told: `${requests} requests, ${failed.length} failed and ${retries} asked again; ${acknowledged.length} messages over sockets, which moved ${moves} times`,
  }
}

async function doubledOrLost(url: string, clientIds: readonly string[]): Promise<string[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ stored: number }>(
      'select count(*)::int as stored from messages where client_id = any($1::uuid[])',
      [clientIds],
    )
    const stored = rows[0]?.stored
    return stored === clientIds.length ? [] : [`Of ${clientIds.length} messages ${stored} are stored`]
  } finally {
    await client.end()
  }
}

/** Two members, each at a node of their own. */
async function pairAt([one, other]: readonly Node[], tag: string): Promise<[Actor, Actor]> {
  const members = await newMembers(one?.url() ?? '', [`ann_${tag}`, `bob_${tag}`])
  const [ann, bob] = members
  if (!ann || !bob || !other) throw new Error('There are not two of each')
  return [ann, bob.at(other.url() ?? '')]
}

/** Returns whether a message reaches its receiver on another node. */
async function isReceived(
  from: SocketClient,
  to: SocketClient,
  receiver: Actor,
  when: string,
): Promise<string[]> {
  let count = 0
  const arrives = await becomes(async () => {
    count += 1
    await from.send('send_message', { receiver_id: receiver.id, content: `${when} ${count}` })
    return becomes(() => to.received('new_message').some(({ content }) => content.startsWith(when)), 500)
  }, timeoutMs)
  return arrives ? [] : [`Nothing is received ${when}`]
}

async function becomes(condition: () => boolean | Promise<boolean>, withinMs: number): Promise<boolean> {
  const end = performance.now() + withinMs
  do {
    if (await condition()) return true
    await sleep(20)
  } while (performance.now() < end)
  return false
}
