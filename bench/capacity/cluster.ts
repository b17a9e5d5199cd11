// Nodes, Redis, a primary and a streaming replica on this machine, with a market that members use.
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { startRedis } from '#test/redis-server.ts'
import { startReplicatedPostgres } from '#test/replica/replicated-postgres.ts'
import { parentOf, processTreeSeconds } from '../cores.ts'
import { type Market, members, openMarkets, openSessions } from '../market.ts'
import { insertWants } from '../matching/database.ts'
import { type ServerProcess, startServer } from '../server.ts'
import { print } from '../setup.ts'
import type { Caller } from './traffic.ts'

/** The settings of `npm start`, with connections for all nodes. */
const postgresSettings = { max_wal_size: '4GB', max_connections: '200' }
/** The wants that a listing of `rareCrop` matches. */
export const matchingWants = 50
const partnersEach = 3
const messagesEach = 15

/** CPU seconds so far. */
export interface Use {
  readonly node: number
  readonly primary: number
  readonly replica: number
  readonly redis: number
}
const parts = ['node', 'primary', 'replica', 'redis'] as const

export type Cluster = Awaited<ReturnType<typeof startCluster>>

/** Starts PostgreSQL with a replica, and Redis, and fills a market with wants, messages and sessions. */
export async function startCluster(stack: AsyncDisposableStack, listings: number, callerCount: number) {
  const postgres = stack.use(await startReplicatedPostgres(postgresSettings))
  const redis = stack.use(await startRedis())
  const [market] = await openMarkets(postgres.url, [listings], print)
  const replicaUrl = new URL(postgres.directReplicaUrl)
  replicaUrl.pathname = new URL(market.url).pathname
  const callers = await openCallers(market, callerCount)
  await addActivity(market, callers)
  await postgres.catchUp()
  const pids = { primary: await postmasterOf(market.url), replica: await postmasterOf(replicaUrl.href) }
  let nodes: ServerProcess[] = []
  stack.defer(() => stopNodes())

  async function stopNodes() {
    await Promise.all(nodes.map((node) => node.stop()))
    nodes = []
  }
  return {
    market,
    callers,
    redis,
    /** Stops the nodes that run and starts others. */
    async startNodes(count: number, { readsReplica }: { readsReplica: boolean }) {
      await stopNodes()
      const settings = {
        REDIS_URL: redis.url,
        ...(readsReplica && { DATABASE_READ_URL: replicaUrl.href }),
      }
      for (let started = 0; started < count; started += 1)
        nodes.push(await startServer(market.url, [], settings))
      // The first probes of the replica, and the first polls of the job queue.
      await sleep(2000)
      return nodes
    },
    /** Returns the CPU seconds that all processes have used. */
    async use(): Promise<Use> {
      const perNode = await Promise.all(nodes.map(({ pid }) => processTreeSeconds(pid)))
      const [primary, replica, redisSeconds] = await Promise.all(
        [pids.primary, pids.replica, redis.pid].map(processTreeSeconds),
      )
      return {
        node: perNode.reduce((sum, seconds) => sum + seconds, 0),
        primary: primary ?? 0,
        replica: replica ?? 0,
        redis: redisSeconds ?? 0,
      }
    },
  }
}

/** Returns the difference of two measurements. */
export function difference(before: Use, after: Use): Use {
  const entries = parts.map((part) => [part, after[part] - before[part]])
  return Object.fromEntries(entries) as Record<keyof Use, number>
}

export function scaled(use: Use, factor: number): Use {
  return Object.fromEntries(parts.map((part) => [part, use[part] * factor])) as Record<keyof Use, number>
}

async function openCallers(market: Market, count: number): Promise<Caller[]> {
  const tokens = await openSessions(market, count)
  return tokens.map((token, index) => ({ id: 1 + Math.floor((index * members) / count), token }))
}

/** Inserts wants of all members, of which some name the rare crop, and conversations of the callers. */
async function addActivity({ url }: Market, callers: readonly Caller[]): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    for (const table of ['users', 'listings'])
      await client.query(`select setval(pg_get_serial_sequence('${table}', 'id'), max(id)) from ${table}`)
    await insertWants(client, { wants: 2 * members, members, matchingWants })
    await client.query(
      `insert into messages (sender_id, receiver_id, content, client_id)
       select case when n % 2 = 0 then id else id + partner end, case when n % 2 = 0 then id + partner else id end,
         n || ' Do you still have some of the rhubarb you listed? I could come by on Saturday morning.', gen_random_uuid()
       from unnest($1::bigint[]) id, generate_series(1, ${partnersEach}) partner, generate_series(1, ${messagesEach}) n
       order by n, id, partner`,
      [callers.map(({ id }) => id)],
    )
    await client.query(
      `insert into threads (member_id, partner_id, last_message_id, unread_count, unread_since)
       select member_id, partner_id, max(id), sum(unread), case when sum(unread) > 0 then now() end
       from (
         select sender_id as member_id, receiver_id as partner_id, id, 0 as unread from messages
         union all
         select receiver_id, sender_id, id, (id % 8 = 0)::int from messages
       ) sides group by member_id, partner_id`,
    )
    await client.query('vacuum analyze')
  } finally {
    await client.end()
  }
}

/** Returns the process id of the PostgreSQL server at this URL. */
async function postmasterOf(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    return await parentOf(rows[0]?.pid ?? 0)
  } finally {
    await client.end()
  }
}
