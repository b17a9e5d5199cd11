import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import pLimit from 'p-limit'
import { childEnvironment } from '#server/platform/child-environment.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#server/platform/embedded-postgres/start.ts'
import { prepareDatabase } from '#server/start.ts'
import { bareSettings, readyUrl } from '#test/bare-server.ts'
import { startRedis } from '#test/redis-server.ts'
import { startTcpProxy } from '#test/tcp-proxy.ts'

const root = join(import.meta.dirname, '..', '..')
const nodeCount = 2

export interface TestClusterOptions {
  /** The flags of Node. */
  readonly flags?: readonly string[]
  /** Additional settings of the nodes. */
  readonly settings?: Readonly<Record<string, string>>
}

/** Starts two server processes with PostgreSQL and Redis, and proxies between them that can fail. */
export async function startTestCluster({ flags = [], settings = {} }: TestClusterOptions = {}) {
  await using building = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'rhubarb-faults-'))
  building.defer(() => rm(folder, { recursive: true, force: true }))
  const database = building.use(await openDatabase(join(folder, 'postgres')))
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

async function openDatabase(folder: string) {
  let running: EmbeddedPostgres | undefined
  let url = ''
  let over = false
  const enqueue = pLimit(1)
  const start = () =>
    enqueue(async () => {
      if (over) return
      running ??= await startEmbeddedPostgres({ folder, settings })
      url = running.url
    })
  /** Kills all PostgreSQL processes at once. */
  const kill = () =>
    enqueue(async () => {
      const killed = running
      if (!killed) return
      running = undefined
      const [line] = (await readFile(join(folder, 'cluster', 'postmaster.pid'), 'utf8')).split('\n')
      const postmaster = Number(line)
      const backends = await readFile(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8').catch(
        () => '',
      )
      for (const pid of [postmaster, ...backends.trim().split(' ').filter(Boolean).map(Number)]) killNow(pid)
      await killed.stop()
    })
  await start()
  return {
    /** Returns the URL, which changes with each start. */
    url: () => url,
    start,
    kill,
    [Symbol.asyncDispose]() {
      over = true
      return enqueue(async () => running?.stop())
    },
  }
}

async function openRedis() {
  const redis = await startRedis()
  const enqueue = pLimit(1)
  let over = false
  return {
    url: redis.url,
    kill: () => enqueue(redis.kill),
    restart: () => enqueue(async () => (over ? undefined : redis.restart())),
    [Symbol.asyncDispose]() {
      over = true
      return enqueue(() => redis[Symbol.asyncDispose]())
    },
  }
}

const maxLines = 15
const maxLineLength = 200
const startTimeoutMs = 20_000
const restartDelayMs = 100

function serverProcess(settings: Readonly<Record<string, string>>, flags: readonly string[]) {
  let child: ChildProcess | undefined
  let url: string | undefined
  let starting: Promise<void> | undefined
  let over = false
  const output: string[] = []

  async function launch(): Promise<string | undefined> {
    // The server stops when the IPC channel to this process closes.
    const server = spawn(process.execPath, [...flags, 'server/main.ts'], {
      cwd: root,
      env: {
        ...childEnvironment,
        ...settings,
        ...bareSettings,
      },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    child = server
    const ready = Promise.withResolvers<string | undefined>()
    server.on('error', () => ready.resolve(undefined))
    for (const stream of [server.stdout, server.stderr]) {
      if (stream)
        createInterface({ input: stream }).on('line', (line) => {
          const address = readyUrl(line)
          if (address !== undefined) ready.resolve(address)
          output.push(line.slice(0, maxLineLength))
          if (output.length > maxLines) output.shift()
        })
    }
    server.once('exit', () => {
      if (child === server) url = undefined
      ready.resolve(undefined)
    })
    return ready.promise
  }

  /** Starts the process until it is ready: without its database it exits. */
  async function startUntilReady() {
    const end = performance.now() + startTimeoutMs
    while (!over && performance.now() < end) {
      url = await launch()
      if (url !== undefined) return
      await sleep(restartDelayMs)
    }
    if (!over) throw new Error(`A node does not start.\n${output.join('\n')}`)
  }

  async function kill() {
    const killed = child
    url = undefined
    if (!killed || killed.exitCode !== null || killed.signalCode !== null) return
    const exit = once(killed, 'exit')
    killed.kill('SIGKILL')
    await exit
  }

  /** Stops the node with SIGTERM and returns the exit code. */
  async function stop(): Promise<number | null> {
    const stopped = child
    if (!stopped || stopped.exitCode !== null) throw new Error('The node is not running')
    const exit = once(stopped, 'exit')
    stopped.kill('SIGTERM')
    const [code] = await exit
    return code
  }

  return {
    /** Returns its URL, or undefined if it is not ready. */
    url: () => url,
    pid: () => child?.pid,
    /** The last lines of its output. */
    output,
    start(): Promise<void> {
      if (url !== undefined) return Promise.resolve()
      starting ??= startUntilReady().finally(() => {
        starting = undefined
      })
      return starting
    },
    kill,
    stop,
    freeze: () => child?.kill('SIGSTOP'),
    resume: () => child?.kill('SIGCONT'),
    async [Symbol.asyncDispose]() {
      over = true
      await kill()
      await starting
    },
  }
}

function killNow(pid: number) {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // The process has already exited.
  }
}
