import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pLimit from 'p-limit'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#server/platform/embedded-postgres/start.ts'
import { prepareDatabase } from '#server/start.ts'
import { serverProcess } from '#test/node-process.ts'
import { signalPostgres } from '#test/processes.ts'
import { startRedis } from '#test/redis-server.ts'
import { startTcpProxy } from '#test/tcp-proxy.ts'

const nodeCount = 2

export interface TestClusterOptions {
  /** The flags of Node. */
  readonly flags?: readonly string[]
  /** Additional settings of the nodes. */
  readonly settings?: Readonly<Record<string, string>>
  /** A prepared database that is used instead of a new PostgreSQL, and not killed. */
  readonly databaseUrl?: string | undefined
}

/** Starts two server processes with PostgreSQL and Redis, and proxies between them that can fail. */
export async function startTestCluster({ flags = [], settings = {}, databaseUrl }: TestClusterOptions = {}) {
  await using building = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'rhubarb-faults-'))
  building.defer(() => rm(folder, { recursive: true, force: true }))
  const database = building.use(
    databaseUrl ? externalDatabase(databaseUrl) : await openDatabase(join(folder, 'postgres')),
  )
  const redis = building.use(await openRedis())
  await prepareDatabase(database.url())

  const nodes: Node[] = []
  for (let index = 0; index < nodeCount; index += 1) {
    const databaseProxy = building.use(await startTcpProxy(database.url))
    const redisProxy = building.use(await startTcpProxy(redis.url))
    const nodeFolder = join(folder, `node-${index}`)
    await mkdir(join(nodeFolder, 'tmp'), { recursive: true })
    const environment = {
      ...settings,
      DATABASE_URL: databaseProxy.url,
      REDIS_URL: redisProxy.url,
      DATA_DIR: nodeFolder,
      TMPDIR: join(nodeFolder, 'tmp'),
    }
    nodes.push({
      ...building.use(serverProcess(environment, flags)),
      folder: nodeFolder,
      databaseProxy,
      redisProxy,
    })
  }
  await Promise.all(nodes.map((node) => node.start()))

  let turn = 0
  const stack = building.move()
  return {
    database,
    redis,
    nodes,
    /** Returns the URL of the next node like a round-robin load balancer without health checks, also of a dead node. */
    nextNode(): string | undefined {
      turn += 1
      return nodes[turn % nodes.length]?.url()
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

export type TestCluster = Awaited<ReturnType<typeof startTestCluster>>
type Link = Awaited<ReturnType<typeof startTcpProxy>>
type Node = ReturnType<typeof serverProcess> & {
  /** The folder of all files of the node. */
  readonly folder: string
  readonly databaseProxy: Link
  readonly redisProxy: Link
}

/** fsync is off because the kernel keeps the writes of a killed PostgreSQL. Commits still wait for their write. */
const settings = { fsync: 'off', max_connections: '60', shared_buffers: '64MB' }

/** Returns a database that nobody starts or kills here. */
function externalDatabase(url: string) {
  return {
    url: () => url,
    start: async () => {},
    kill: async () => {},
    [Symbol.asyncDispose]: async () => {},
  }
}

async function openDatabase(folder: string) {
  let running: EmbeddedPostgres | undefined
  let url = ''
  let isOver = false
  const enqueue = pLimit(1)
  const start = () =>
    enqueue(async () => {
      if (isOver) return
      running ??= await startEmbeddedPostgres({ folder, settings })
      url = running.url
    })
  /** Kills all PostgreSQL processes at once. */
  const kill = () =>
    enqueue(async () => {
      const killed = running
      if (!killed) return
      running = undefined
      await signalPostgres(join(folder, 'cluster'), 'SIGKILL')
      await killed.stop()
    })
  await start()
  return {
    /** Returns the URL, which changes with each start. */
    url: () => url,
    start,
    kill,
    [Symbol.asyncDispose]() {
      isOver = true
      return enqueue(async () => running?.stop())
    },
  }
}

async function openRedis() {
  const redis = await startRedis()
  const enqueue = pLimit(1)
  let isOver = false
  return {
    url: redis.url,
    kill: () => enqueue(redis.kill),
    restart: () => enqueue(async () => (isOver ? undefined : redis.restart())),
    [Symbol.asyncDispose]() {
      isOver = true
      return enqueue(() => redis[Symbol.asyncDispose]())
    },
  }
}
