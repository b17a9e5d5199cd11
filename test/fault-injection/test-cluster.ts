import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { childEnvironment } from '#server/platform/child-environment.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#server/platform/embedded-postgres/start.ts'
import { prepareDatabase } from '#server/start.ts'
import { bareSettings, readyUrl } from '#test/bare-server.ts'
import { cuttableLink } from '#test/cuttable-link.ts'
import { startRedis } from '#test/redis-server.ts'
import { turns } from './turns.ts'

const root = join(import.meta.dirname, '..', '..')
const nodeCount = 2

export interface StageOptions {
  /** The flags of Node. */
  readonly flags?: readonly string[]
  /** Further settings of the nodes. */
  readonly settings?: Readonly<Record<string, string>>
}

/** Everything that can break: two server processes, their database and their Redis, and the links between them. */
export async function startTestCluster({ flags = [], settings = {} }: StageOptions = {}) {
  await using building = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'rhubarb-faults-'))
  building.defer(() => rm(folder, { recursive: true, force: true }))
  const database = building.use(await openDatabase(join(folder, 'postgres')))
  const redis = building.use(await openRedis())
  await prepareDatabase(database.url())

  const nodes: Node[] = []
  for (let index = 0; index < nodeCount; index += 1) {
    const databaseLink = building.use(await cuttableLink(database.url))
    const redisLink = building.use(await cuttableLink(redis.url))
    const its = join(folder, `node-${index}`)
    await mkdir(join(its, 'tmp'), { recursive: true })
    const environment = {
      ...settings,
      DATABASE_URL: databaseLink.url,
      REDIS_URL: redisLink.url,
      DATA_DIR: its,
      TMPDIR: join(its, 'tmp'),
    }
    nodes.push({ ...building.use(serverProcess(environment, flags)), folder: its, databaseLink, redisLink })
  }
  await Promise.all(nodes.map((node) => node.start()))

  let turn = 0
  const stack = building.move()
  return {
    database,
    redis,
    nodes,
    /** As a plain load balancer without health checks: every connection goes to the next node, also to one that is gone. */
    nextNode(): string | undefined {
      turn += 1
      return nodes[turn % nodes.length]?.url()
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

export type TestCluster = Awaited<ReturnType<typeof startTestCluster>>
type Link = Awaited<ReturnType<typeof cuttableLink>>
type Node = ReturnType<typeof serverProcess> & {
  /** All files of its own. */
  readonly folder: string
  readonly databaseLink: Link
  readonly redisLink: Link
}

/** Without fsync: the kernel keeps the writes of a killed PostgreSQL. Commits still wait for their own write. */
const settings = { fsync: 'off', max_connections: '60', shared_buffers: '64MB' }

async function openDatabase(folder: string) {
  let running: EmbeddedPostgres | undefined
  let url = ''
  let over = false
  const inTurn = turns()
  const start = () =>
    inTurn(async () => {
      if (over) return
      running ??= await startEmbeddedPostgres({ folder, settings })
      url = running.url
    })
  /** All its processes at once, without a word. */
  const kill = () =>
    inTurn(async () => {
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
    /** Another one after each start. */
    url: () => url,
    start,
    kill,
    [Symbol.asyncDispose]() {
      over = true
      return inTurn(async () => running?.stop())
    },
  }
}

async function openRedis() {
  const redis = await startRedis()
  const inTurn = turns()
  let over = false
  return {
    url: redis.url,
    kill: () => inTurn(redis.kill),
    restart: () => inTurn(async () => (over ? undefined : redis.restart())),
    [Symbol.asyncDispose]() {
      over = true
      return inTurn(() => redis[Symbol.asyncDispose]())
    },
  }
}

const keptLines = 15
const longestLine = 200
const startPatienceMs = 20_000
const startAgainMs = 100

function serverProcess(settings: Readonly<Record<string, string>>, flags: readonly string[]) {
  let child: ChildProcess | undefined
  let url: string | undefined
  let starting: Promise<void> | undefined
  let over = false
  const said: string[] = []

  async function launch(): Promise<string | undefined> {
    // Over the channel it learns when this process has gone, and goes as well.
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
          said.push(line.slice(0, longestLine))
          if (said.length > keptLines) said.shift()
        })
    }
    server.once('exit', () => {
      if (child === server) url = undefined
      ready.resolve(undefined)
    })
    return ready.promise
  }

  /** Until it stands: without its database it ends again. */
  async function bringUp() {
    const end = performance.now() + startPatienceMs
    while (!over && performance.now() < end) {
      url = await launch()
      if (url !== undefined) return
      await sleep(startAgainMs)
    }
    if (!over) throw new Error(`A node does not start.\n${said.join('\n')}`)
  }

  async function kill() {
    const killed = child
    url = undefined
    if (!killed || killed.exitCode !== null || killed.signalCode !== null) return
    const exit = once(killed, 'exit')
    killed.kill('SIGKILL')
    await exit
  }

  /** As a deployment does. Returns the exit code. */
  async function stop(): Promise<number | null> {
    const stopped = child
    if (!stopped || stopped.exitCode !== null) throw new Error('A node that is to stop does not run')
    const exit = once(stopped, 'exit')
    stopped.kill('SIGTERM')
    const [code] = await exit
    return code
  }

  return {
    /** Where it listens; undefined while it does not. */
    url: () => url,
    pid: () => child?.pid,
    /** The last it has said. */
    said,
    start(): Promise<void> {
      if (url !== undefined) return Promise.resolve()
      starting ??= bringUp().finally(() => {
        starting = undefined
      })
      return starting
    },
    kill,
    stop,
    freeze: () => child?.kill('SIGSTOP'),
    goOn: () => child?.kill('SIGCONT'),
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
    // It is gone already.
  }
}
