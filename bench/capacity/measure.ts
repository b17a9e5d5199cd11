// Measures the inputs of the model.
import { availableParallelism, cpus } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import pg from 'pg'
import { residentKilobytes } from '../cores.ts'
import { jobsDone } from '../matching/waiting.ts'
import { openSocketIo } from '../messages/wire.ts'
import type { ServerProcess } from '../server.ts'
import { print } from '../setup.ts'
import { type Kind, kinds } from './assumptions.ts'
import { type Cluster, difference, matchingWants, scaled, type Use } from './cluster.ts'
import type { Cost, Measurements } from './measurements.ts'
import { openTraffic, type Traffic } from './traffic.ts'

/** Requests per second, few enough that nothing queues. */
const rates: Record<Kind, number> = {
  'rendered page': 20,
  socket: 40,
  page: 100,
  search: 50,
  listing: 100,
  'thread list': 100,
  'unread count': 100,
  conversation: 100,
  message: 100,
  'new listing': 10,
  photo: 2,
  login: 10,
}
const warmUpRates = Object.fromEntries(kinds.map((kind) => [kind, rates[kind] / 3]))
const foreignEventsPerSecond = 2000
const idleSockets = 1000
/** The time for work that requests leave behind. */
const settleMs = 1500

/** Returns CPU milliseconds. The work of an idle part is subtracted and varies, so a difference may be below zero. */
function toMilliseconds({ node, primary, replica }: Use, count: number): Cost {
  const each = (seconds: number) => Math.max(0, (seconds * 1000) / count)
  return { node: each(node), primary: each(primary), replica: each(replica) }
}

export async function measure(cluster: Cluster, seconds: number): Promise<Measurements> {
  const alone = await measureKinds(cluster, await cluster.startNodes(1, { readsReplica: false }), seconds)
  const nodes = await cluster.startNodes(2, { readsReplica: true })
  const { requests, match, idle } = await measureKinds(cluster, nodes, seconds)
  return {
    units:
      'Costs are CPU milliseconds of a request on this machine; idleNode is CPU milliseconds per second; foreignEvent is CPU microseconds; simulation is cores in use by hour.',
    machine: `${availableParallelism()} cores, ${cpus()[0]?.model.trim()}`,
    date: new Date().toISOString().slice(0, 10),
    requests: Object.fromEntries(
      kinds.map((kind) => {
        const { cost, bytes } = requests[kind]
        return [kind, { alone: alone.requests[kind].cost, replicated: cost, responseBytes: bytes }]
      }),
    ) as Measurements['requests'],
    match,
    idleNode: toMilliseconds(idle, nodes.length),
    foreignEvent: await measureForeignEvents(cluster, nodes.length, seconds, idle),
    connectionsPerNode: await countConnections(cluster, nodes.length),
    nodeMegabytes: (await residentKilobytes(nodes[0]?.pid ?? 0)) / 1024,
    socketKilobytes: await measureSocket(cluster),
    ...(await measureBytes(cluster)),
  }
}

/** Measures the costs of each kind of request, of a match and of doing nothing. */
async function measureKinds(cluster: Cluster, nodes: readonly ServerProcess[], seconds: number) {
  const traffic = await openTraffic(nodes, cluster.market, cluster.callers)
  // Compiles and caches what the measured requests need.
  await traffic.drive(5 * seconds, () => warmUpRates)
  const idle = await idleUse(cluster, seconds)
  const requests: Partial<Record<Kind, { cost: Cost; bytes: number }>> = {}
  for (const kind of kinds) {
    const measured = await costOf(cluster, traffic, kind, seconds, idle)
    requests[kind] = measured
    const { node, primary, replica } = measured.cost
    print(
      `${nodes.length === 1 ? 'Alone' : 'With a replica'}, ${kind}: node ${node.toFixed(2)}, primary ${primary.toFixed(2)}, replica ${replica.toFixed(2)} ms`,
    )
  }
  traffic.matchingShare = 1
  const { cost: matching } = await costOf(cluster, traffic, 'new listing', seconds, idle)
  traffic.close()
  const { cost: plain } = requests['new listing'] ?? { cost: matching }
  const perMatch = (part: keyof Cost) => Math.max(0, (matching[part] - plain[part]) / matchingWants)
  return {
    requests: requests as Required<typeof requests>,
    match: { node: perMatch('node'), primary: perMatch('primary'), replica: perMatch('replica') },
    idle,
  }
}

/** Returns the CPU seconds per second without requests. */
async function idleUse(cluster: Cluster, seconds: number): Promise<Use> {
  await sleep(settleMs)
  const before = await cluster.use()
  const start = performance.now()
  await sleep(seconds * 1000)
  const elapsed = (performance.now() - start) / 1000
  return scaled(difference(before, await cluster.use()), 1 / elapsed)
}

async function costOf(cluster: Cluster, traffic: Traffic, kind: Kind, seconds: number, idle: Use) {
  const before = await cluster.use()
  const start = performance.now()
  const { sent, bytes } = await traffic.drive(seconds, () => ({ [kind]: rates[kind] }))
  if (kind === 'new listing') await jobsDone(cluster.market.url, ['match-listing', 'dispatch-notifications'])
  await sleep(settleMs)
  const elapsed = (performance.now() - start) / 1000
  const used = difference(before, await cluster.use())
  const count = Math.max(1, sent[kind])
  const net = difference(scaled(idle, elapsed), used)
  return { cost: toMilliseconds(net, count), bytes: bytes[kind] / count }
}

/** Publishes events of other nodes for members without sockets. */
async function measureForeignEvents(cluster: Cluster, nodeCount: number, seconds: number, idle: Use) {
  const redis = new Redis(cluster.redis.url)
  const payload = { id: 1, sender_id: 1, receiver_id: 2, content: 'x'.repeat(90), client_id: '' }
  const event = JSON.stringify({
    from: 'bench',
    message: { members: [-1, -2], event: 'new_message', payload },
  })
  const before = await cluster.use()
  const start = performance.now()
  let published = 0
  while (performance.now() - start < seconds * 1000) {
    const due = ((performance.now() - start) / 1000) * foreignEventsPerSecond
    for (; published < due; published += 1) void redis.publish('rhubarb:realtime', event)
    await sleep(5)
  }
  await redis.quit()
  const elapsed = (performance.now() - start) / 1000
  const used = difference(scaled(idle, elapsed), difference(before, await cluster.use()))
  const deliveries = published * nodeCount
  return { node: (used.node * 1e6) / deliveries, redis: (used.redis * 1e6) / deliveries }
}

async function countConnections({ market }: Cluster, nodeCount: number): Promise<number> {
  const client = new pg.Client({ connectionString: market.url })
  await client.connect()
  const { rows } = await client
    .query<{ connections: number }>(
      `select count(*)::int as connections from pg_stat_activity where datname = current_database() and application_name like 'rhubarb%'`,
    )
    .finally(() => client.end())
  return (rows[0]?.connections ?? 0) / nodeCount
}

/** Returns the kilobytes of an idle socket in a node that has nothing else to do. */
async function measureSocket(cluster: Cluster): Promise<number> {
  const [node] = await cluster.startNodes(1, { readsReplica: false })
  if (!node) throw new Error('No node was started')
  const callers = cluster.callers.slice(0, idleSockets)
  const before = await residentKilobytes(node.pid)
  const silent = { acknowledged() {}, received() {} }
  const wires = []
  for (const { token } of callers) wires.push(await openSocketIo(node.port, token, silent))
  await sleep(settleMs)
  const during = await residentKilobytes(node.pid)
  for (const wire of wires) wire.end()
  return (during - before) / callers.length
}

const tables = [
  ...['users', 'sessions', 'friendships', 'listings', 'images', 'wants', 'want_terms'],
  ...['messages', 'threads', 'matches', 'notifications'],
]

/** Returns the bytes of a row by table, and of the photos that this run has uploaded. */
async function measureBytes(cluster: Cluster) {
  const client = new pg.Client({ connectionString: cluster.market.url })
  await client.connect()
  try {
    const rowBytes: Record<string, number> = {}
    for (const table of tables) {
      const { rows } = await client.query<{ bytes: number }>(
        `select pg_total_relation_size('${table}')::float / greatest(1, count(*)) as bytes from ${table}`,
      )
      rowBytes[table] = rows[0]?.bytes ?? 0
    }
    const { rows } = await client.query<{ name: string; owner_id: string; bytes: number }>(
      `select name, owner_id, bytes from images where purpose = 'photo' and listing_id is null order by id desc limit 1`,
    )
    const [photo] = rows
    if (!photo) throw new Error('No photo was uploaded')
    const [node] = await cluster.startNodes(1, { readsReplica: false })
    const token = cluster.callers.find(({ id }) => id === Number(photo.owner_id))?.token
    const thumbnail = await fetch(`${node?.url}/api/images/${photo.name}-320.webp`, {
      headers: { authorization: `Bearer ${token}` },
    })
    if (!thumbnail.ok) throw new Error(`A photo answered ${thumbnail.status}`)
    const { size } = await thumbnail.blob()
    return { rowBytes, photoBytes: photo.bytes, thumbnailBytes: size }
  } finally {
    await client.end()
  }
}
