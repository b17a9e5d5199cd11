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
import { exportProfile } from '#contract/profile.ts'
import { waitUntil } from '#server/platform/wait-until.ts'
import { Actor, json } from '#test/actor.ts'
import { allEndpoints } from '#test/endpoints.ts'
import type { TestCluster } from '#test/fault-injection/test-cluster.ts'
import type { startMailServer } from '#test/mail-server.ts'
import { blob, photo } from '#test/pictures.ts'
import { connectSocket, type SocketClient } from '#test/socket-client.ts'
import { isReady, startBalancer } from './balancer.ts'
import { newMembers, startSteadyLoad } from './load.ts'

/** The result of a failure test. `violations` is empty if it passed. */
export interface Outcome {
  readonly violations: readonly string[]
  readonly summary: string
}

type Mails = Awaited<ReturnType<typeof startMailServer>>
type Node = TestCluster['nodes'][number]

/** The default limit for recovery. */
const timeoutMs = 20_000

/** Kills PostgreSQL, starts it again after `outageMs` and checks all responses. */
export async function interruptDatabase(
  { nodes, database }: TestCluster,
  mails: Mails,
  { outageMs }: { outageMs: number },
): Promise<Outcome> {
  const violations: string[] = []
  const tag = Date.now().toString(36)
  const [ann, bob] = await newPairAt(nodes, `db_${tag}`)
  using annSocket = await connectSocket(ann)
  using bobSocket = await connectSocket(bob)
  const before = nodes.map((node) => node.pid())
  const endpoints = await allEndpoints()

  await database.kill()
  const end = performance.now() + outageMs
  let calls = 0
  do {
    for (const member of [ann, bob]) {
      const results = await Promise.all(endpoints.map((endpoint) => refusalViolation(member, endpoint)))
      calls += results.length
      violations.push(...results.flatMap((violation) => violation ?? []))
      if (await isReady(member.server)) violations.push(`${member.server} is ready without a database`)
      const live = await member.send('GET', '/livez')
      if (live.status !== 200) violations.push(`/livez: ${live.status}`)
    }
    const response = await annSocket.send('send_message', { receiver_id: bob.id, content: 'Anyone?' })
    if (response.ok || response.status !== 503) violations.push(`send_message: ${JSON.stringify(response)}`)
    await sleep(200)
  } while (performance.now() < end)

  await database.start()
  const startedAt = performance.now()
  if (!(await waitUntil(() => areReady(nodes), timeoutMs)))
    violations.push(`The nodes are not ready ${timeoutMs} ms after the database`)
  const readyMs = Math.round(performance.now() - startedAt)

  violations.push(...(await receptionViolations(annSocket, bobSocket, bob, 'after the database')))
  const cas = new Actor(nodes[0]?.url() ?? '')
  await cas.join({ username: `cas_${tag}` })
  const mailed = () => mails.received.filter(({ to }) => to.includes(cas.email)).length === 1
  if (!(await waitUntil(mailed, timeoutMs))) violations.push('A new member gets no welcome mail')
  if (nodes.some((node, index) => node.pid() !== before[index])) violations.push('A node was restarted')
  return {
    violations,
    summary: `${calls} calls were refused properly; the nodes were ready after ${readyMs} ms`,
  }
}

/** Returns how the response of an endpoint without a database deviates from the rules, or undefined. */
export async function refusalViolation(member: Actor, endpoint: Endpoint): Promise<string | undefined> {
  const path = apiBase + endpoint.path.replaceAll(/\{\w+\}/g, '1')
  const body = endpoint.body && endpoint.encoding !== 'multipart' ? json({}) : {}
  const { status, headers, body: response } = await member.send(endpoint.method, path, body)
  const isProper =
    Number(headers.get('retry-after')) > 0 &&
    headers.get('content-type') === 'application/problem+json' &&
    response.detail === errorMessages.unavailable
  if (status === 503)
    return isProper ? undefined : `${endpoint.method} ${path}: 503 without Retry-After or problem details`
  // Endpoints for guests may answer without the database.
  return endpoint.auth === 'anyone' && status < 500 ? undefined : `${endpoint.method} ${path}: ${status}`
}

/** Kills Redis, starts it again after `outageMs` and checks that messages are stored meanwhile. */
export async function interruptRedis(
  { nodes, redis }: TestCluster,
  { outageMs }: { outageMs: number },
): Promise<Outcome> {
  const violations: string[] = []
  const [ann, bob] = await newPairAt(nodes, `redis_${Date.now().toString(36)}`)
  using annSocket = await connectSocket(ann)
  using bobSocket = await connectSocket(bob)
  violations.push(...(await receptionViolations(annSocket, bobSocket, bob, 'before')))

  await redis.kill()
  const end = performance.now() + outageMs
  let sent = 0
  do {
    const response = await annSocket.send('send_message', { receiver_id: bob.id, content: `Without ${sent}` })
    if (!response.ok) violations.push(`send_message: ${JSON.stringify(response)}`)
    const { status } = await bob.try(sendMessage, { body: { receiver_id: ann.id, content: `And ${sent}` } })
    if (status !== 201) violations.push(`POST /messages: ${status}`)
    for (const member of [ann, bob])
      if (!(await isReady(member.server))) violations.push(`${member.server} is not ready without Redis`)
    sent += 1
    await sleep(100)
  } while (performance.now() < end)
  const stored = await bob.call(listMessages, { params: { id: ann.id }, query: {} })
  const without = stored.filter(({ content }) => content.startsWith('Without')).length
  if (without === 0) violations.push('Messages that are sent without Redis are not stored')

  await redis.restart()
  violations.push(...(await receptionViolations(annSocket, bobSocket, bob, 'after Redis')))
  return { violations, summary: `${sent * 2} messages were stored without Redis` }
}

/** Simulates a full disk by a limit of the size of files that a node can write, and checks that photos and an export are refused without a trace. */
export async function fillDisk({ nodes }: TestCluster): Promise<Outcome> {
  const violations: string[] = []
  const node = nodes[0] as Node
  const [ann] = await newMembers(node.url() ?? '', [`disk_${Date.now().toString(36)}`])
  if (!ann) throw new Error('No member was registered')
  const post = (file: Blob) =>
    ann.try(createListing, { body: { title: 'Kale', type_id: types.giveaway }, file })
  // Noise compresses badly, so the stored photo is larger than the upload.
  const noisy = {
    create: { width: 640, height: 480, channels: 3 as const, noise, background: 'white' },
  }
  const bytes = await sharp(noisy).jpeg({ quality: 5 }).toBuffer()
  const files = () => filesBelow(node.folder)
  const before = await files()

  for (const limit of [1000, bytes.length + 1000]) {
    await limitFileSize(node, String(limit))
    const { status, body } = await post(blob(bytes, 'image/jpeg'))
    if (status !== 507 || body.detail !== errorMessages.photoStorageFull)
      violations.push(`With ${limit} bytes: ${status} ${JSON.stringify(body)}`)
    if ((await files()).join() !== before.join())
      violations.push(`With ${limit} bytes, files are left on the disk`)
    const text = await ann.try(createListing, { body: { title: 'Kale', type_id: types.giveaway } })
    if (text.status !== 201) violations.push(`A listing without a photo: ${text.status}`)
    const exported = await ann.try(exportProfile)
    if (limit === 1000 && (exported.status !== 507 || exported.body.detail !== errorMessages.storageFull))
      violations.push(`An export with ${limit} bytes: ${exported.status} ${JSON.stringify(exported.body)}`)
  }
  await limitFileSize(node, 'unlimited')
  const { status } = await post(await photo())
  if (status !== 201) violations.push(`With room again: ${status}`)
  return { violations, summary: 'Photos and an export were refused and left no files' }
}

const noise = { type: 'gaussian' as const, mean: 128, sigma: 60 }

async function limitFileSize(node: Node, bytes: string) {
  await promisify(execFile)('prlimit', [`--pid=${node.pid()}`, `--fsize=${bytes}:`])
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => `${parentPath}/${name}`)
    .sort()
}

/** Restarts the nodes one after the other like a deployment, under load. */
export async function restartNodes(
  { nodes, database }: TestCluster,
  { times, pauseMs, pages = false }: { times: number; pauseMs: number; pages?: boolean },
): Promise<Outcome> {
  await using balancer = await startBalancer(nodes)
  if (!(await waitUntil(() => areReady(nodes), timeoutMs))) throw new Error('The nodes are not ready')
  const tag = Date.now().toString(36)
  const members = await newMembers(
    nodes[0]?.url() ?? '',
    ['ann', 'bob', 'cas', 'dee'].map((name) => `${name}_${tag}`),
  )
  const load = await startSteadyLoad(balancer.url, members, { pauseMs: 20, pages })
  const violations: string[] = []
  for (let time = 0; time < times; time += 1) {
    for (const node of nodes) {
      await sleep(pauseMs)
      const code = await node.stop()
      if (code !== 0) violations.push(`A node ended with ${code}`)
      await node.start()
      if (!(await waitUntil(() => areReady(nodes), timeoutMs)))
        violations.push('A node is not ready after its restart')
    }
  }
  await sleep(pauseMs)
  const { requests, failed, retries, acknowledged, reconnects } = await load.stop()
  violations.push(...failed, ...(await lossViolations(database.url(), acknowledged)))
  if (reconnects === 0) violations.push('No socket has reconnected to another node')
  return {
    violations,
    summary: `${requests} requests, ${failed.length} failed and ${retries} were retried; ${acknowledged.length} messages over sockets, which reconnected ${reconnects} times`,
  }
}

/** Returns a violation unless each acknowledged message is stored. */
async function lossViolations(url: string, clientIds: readonly string[]): Promise<string[]> {
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

async function areReady(nodes: readonly Node[]): Promise<boolean> {
  const ready = await Promise.all(nodes.map((node) => isReady(node.url() ?? '')))
  return ready.every(Boolean)
}

/** Registers two members, each connected to another node. */
async function newPairAt([first, second]: readonly Node[], tag: string): Promise<[Actor, Actor]> {
  const members = await newMembers(first?.url() ?? '', [`ann_${tag}`, `bob_${tag}`])
  const [ann, bob] = members
  if (!ann || !bob || !second) throw new Error('Two members and two nodes are needed')
  return [ann, bob.at(second.url() ?? '')]
}

/** Returns a violation if messages do not reach a receiver on another node. */
async function receptionViolations(
  from: SocketClient,
  to: SocketClient,
  receiver: Actor,
  when: string,
): Promise<string[]> {
  let count = 0
  const arrives = await waitUntil(async () => {
    count += 1
    await from.send('send_message', { receiver_id: receiver.id, content: `${when} ${count}` })
    return waitUntil(() => to.received('new_message').some(({ content }) => content.startsWith(when)), 500)
  }, timeoutMs)
  return arrives ? [] : [`Nothing is received ${when}`]
}
