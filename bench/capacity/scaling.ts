// Measures throughput with limited cores: of one and of two nodes, and of a primary with and without a replica.
import { median } from '../sample.ts'
import { runHttp, type ServerProcess } from '../server.ts'
import { assumptions } from './assumptions.ts'
import type { Cluster } from './cluster.ts'
import type { Measurements } from './measurements.ts'
import { limitCores } from './quota.ts'
import { type ReadKind, readPaths } from './traffic.ts'

const { perActiveDay: perDay } = assumptions
const rounds = 2
const nodeShare = 0.25
const databaseShare = 0.2

/** Returns requests per second, or nothing where cores can't be limited. */
export async function measureScaling(cluster: Cluster, seconds: number): Promise<Measurements['scaling']> {
  const ofNodes = await measureNodes(cluster, seconds)
  return ofNodes.oneNode ? { ...ofNodes, ...(await measureReplica(cluster, seconds)) } : {}
}

/** Measures unread counts of one and of two nodes that have a quarter of a core each. */
async function measureNodes(cluster: Cluster, seconds: number): Promise<Measurements['scaling']> {
  const nodes = await cluster.startNodes(2, { readsReplica: false })
  await using stack = new AsyncDisposableStack()
  for (const [index, { pid }] of nodes.entries()) {
    const limit = await limitCores(`node-${index}`, pid, nodeShare)
    if (!limit) return {}
    stack.use(limit)
  }
  const path = readPaths(cluster.market)['unread count']
  const run = (loaded: readonly ServerProcess[]) => rateOf(loaded, cluster, path, seconds)
  await run(nodes)
  const [one, two] = await alternate(
    () => run(nodes.slice(0, 1)),
    () => run(nodes),
  )
  return { oneNode: one, twoNodes: two }
}

/** Measures reads in their mix with a primary that has a fifth of a core, alone and with such a replica. */
async function measureReplica(cluster: Cluster, seconds: number): Promise<Measurements['scaling']> {
  const run = async (readsReplica: boolean) => {
    const nodes = await cluster.startNodes(2, { readsReplica })
    const load = (duration: number) => rateOf(nodes, cluster, () => randomRead(cluster), duration)
    // Opening connections and planning statements for the first time takes a fifth of a core longer than the server waits.
    await load(2)
    await using stack = new AsyncDisposableStack()
    for (const [name, pid] of Object.entries(cluster.pids))
      stack.use(await limitCores(name, pid, databaseShare))
    return load(seconds)
  }
  const [alone, replicated] = await alternate(
    () => run(false),
    () => run(true),
  )
  return { primaryAlone: alone, withReplica: replicated }
}

/** Returns the medians of alternating runs. */
async function alternate(one: () => Promise<number>, other: () => Promise<number>) {
  const results: [number[], number[]] = [[], []]
  for (let round = 0; round < rounds; round += 1) {
    results[0].push(await one())
    results[1].push(await other())
  }
  return [median(results[0]), median(results[1])] as const
}

/** Returns the path of a read by any member, in the mix of the assumptions. */
function randomRead({ market }: Cluster): string {
  const paths = readPaths(market)
  const weights = Object.entries(paths).map(([kind, path]) => ({ path, weight: perDay[kind as ReadKind] }))
  let at = Math.random() * weights.reduce((sum, { weight }) => sum + weight, 0)
  for (const { path, weight } of weights) {
    at -= weight
    if (at < 0) return path()
  }
  return paths.page()
}

/** Returns the requests per second of nodes that are loaded at once. */
async function rateOf(
  nodes: readonly ServerProcess[],
  { callers }: Cluster,
  path: () => string,
  seconds: number,
): Promise<number> {
  const tokens = callers.map(({ token }) => token)
  const samples = await Promise.all(
    nodes.map((node) => runHttp(path, node, tokens, { connections: 16, seconds, leadInSeconds: 1 })),
  )
  return samples.reduce((sum, { perSecond }) => sum + perSecond, 0)
}
