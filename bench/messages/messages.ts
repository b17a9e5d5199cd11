// `npm run bench:messages`: how many messages a second are stored and received, beside the same server that stores none and
// beside ejabberd. README.md says what is compared with what.
import { type ChildProcess, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { startEmbeddedPostgres } from '#server/platform/db/embedded-postgres.ts'
import { plainEnvironment } from '#server/platform/db/embedded-postgres-home.ts'
import { prepareDatabase } from '#server/start.ts'
import { type OwnCore, processorSeconds, shareCores } from '../cores.ts'
import { table } from '../report.ts'
import { median, type Sample } from '../sample.ts'
import type { Order } from './clients.ts'
import { startEjabberd } from './ejabberd.ts'
import { measureThreadLists } from './thread-lists.ts'

const root = join(import.meta.dirname, '..', '..')
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '6' },
    rounds: { type: 'string', default: '5' },
    clients: { type: 'string', default: '2000' },
    idle: { type: 'string', default: '2000,10000' },
    lists: { type: 'string', default: '10,1000000' },
  },
})
const seconds = Number(values.seconds)
const rounds = Number(values.rounds)
const clients = Number(values.clients)
const idle = values.idle.split(',').map(Number)
const listed = values.lists.split(',').map(Number)
const longestMs = 15 * 60_000
/** All who listen have somebody who writes to them. */
const writers = clients / 2
const calmPerSecond = 500

interface Member {
  readonly id: number
  readonly token: string
}

async function main() {
  const ownCore = await shareCores()
  await using stack = new AsyncDisposableStack()
  const postgres = await startEmbeddedPostgres({
    folder: join(root, '.cache', 'bench', 'postgres'),
    settings: { max_wal_size: '4GB' },
  })
  stack.defer(() => postgres.stop())
  const url = await newDatabase(postgres.url, 'messages')
  const members = await logIn(url, Math.max(clients, ...idle))

  /** As in operations: one process, its usual pool. Only the limits that are there against load are off. */
  const startProduct = () =>
    startServer(ownCore, ['server/main.ts'], {
      DATABASE_URL: url,
      DATA_DIR: join(root, '.cache', 'bench', 'data'),
    })
  const product = await startProduct()
  stack.defer(() => stop(product.process))
  const echo = await startServer(ownCore, [join(import.meta.dirname, 'echo.ts')], {})
  stack.defer(() => stop(echo.process))

  const ejabberd = await startEjabberd(ownCore)
  if (ejabberd) stack.use(ejabberd)
  else say('Without ejabberd, which is not installed.')

  const named = members.map(({ id }) => ({ id, token: `${id}.echo` }))
  const talk =
    (server: Server, protocol: Order['protocol'], who: readonly Member[], perSecond?: number) => () =>
      run(server, { protocol, members: who.slice(0, clients), seconds, writers, perSecond })
  const runs = {
    'echo, as many as go': talk(echo, 'socket.io', named),
    'stored, as many as go': talk(product, 'socket.io', members),
    ...(ejabberd && { 'ejabberd, as many as go': talk(ejabberd, 'xmpp', members) }),
    'echo, calm': talk(echo, 'socket.io', named, calmPerSecond),
    'stored, calm': talk(product, 'socket.io', members, calmPerSecond),
    ...(ejabberd && { 'ejabberd, calm': talk(ejabberd, 'xmpp', members, calmPerSecond) }),
  }
  const samples: Record<string, Sample[]> = {}
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, measure] of Object.entries(runs)) {
      const sample = await measure()
      // The first round warms up.
      if (round > 0) samples[name] = [...(samples[name] ?? []), sample]
    }
  }

  say(`${clients} clients, ${writers} of them write; medians of ${rounds} rounds of ${seconds} s`)
  say('| Run | a second | p50 ms | p99 ms | server µs each |\n|---|--:|--:|--:|--:|')
  for (const [name, measured] of Object.entries(samples)) {
    const of = (figure: (sample: Sample) => number) => median(measured.map(figure))
    say(
      `| ${name} | ${of(({ perSecond }) => perSecond).toFixed(0)} | ${of(({ p50 }) => p50).toFixed(1)} | ${of(({ p99 }) => p99).toFixed(1)} | ${of(({ serverTime = Number.NaN }) => serverTime).toFixed(0)} |`,
    )
  }
  const stored = samples['stored, as many as go'] ?? []
  say(
    `Stored messages, of the echo's rate: ${ratioOf(stored, samples['echo, as many as go'])} (aim: at least 0.6)`,
  )
  if (ejabberd) {
    const others = samples['ejabberd, as many as go']
    say(`Stored messages, of ejabberd's rate: ${ratioOf(stored, others)} (aim: at least 2.5)`)
    say(`ejabberd's archive has ${((await ejabberd.archived()) / 1e6).toFixed(0)} MB.`)
  }

  for (const connections of idle) {
    const fresh = await startProduct()
    const kilobytes = await memoryOf(fresh, members.slice(0, connections))
    await stop(fresh.process)
    say(`Memory per idle connection of ${connections}: ${kilobytes.toFixed(1)} kB (aim: at most 32)`)
  }

  const urls = new Map<number, string>()
  for (const howMany of listed) urls.set(howMany, await newDatabase(postgres.url, `messages_${howMany}`))
  const lists = await measureThreadLists(urls, join(root, '.cache', 'bench', 'data'), ownCore, rounds)
  say(table(lists))
}

/** The median of the ratios that each round gives by itself. */
function ratioOf(samples: readonly Sample[], others: readonly Sample[] = []): string {
  const ratios = samples.map(({ perSecond }, round) => perSecond / (others[round]?.perSecond ?? Number.NaN))
  return `${median(ratios).toFixed(2)} (${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)})`
}

async function newDatabase(adminUrl: string, name: string): Promise<string> {
  const admin = new pg.Client({ connectionString: adminUrl })
  await admin.connect()
  await admin.query(`drop database if exists ${name} with (force)`)
  await admin.query(`create database ${name}`)
  await admin.end()
  const url = new URL(adminUrl)
  url.pathname = `/${name}`
  await prepareDatabase(url.href)
  return url.href
}

/** Members who are logged in. */
async function logIn(url: string, howMany: number): Promise<Member[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(
    `insert into users (username, email, password_hash, first_name, last_name)
     select 'member_' || n, 'member' || n || '@example.com', 'x', 'Member', 'Gardener' from generate_series(1, $1::int) n`,
    [howMany],
  )
  const { rows } = await client.query<{ id: string }>('select id from users order by id')
  const members = rows.map(({ id }) => ({ id: Number(id), token: randomBytes(32).toString('base64url') }))
  await client.query(
    `insert into sessions (token_hash, user_id, expires_at)
     select hash, id, now() + interval '7 days' from unnest($1::bytea[], $2::bigint[]) s (hash, id)`,
    [members.map(({ token }) => createHash('sha256').update(token).digest()), members.map(({ id }) => id)],
  )
  await client.query('vacuum analyze')
  await client.end()
  return members
}

interface Server {
  readonly process: ChildProcess
  readonly port: number
}

async function startServer(
  ownCore: OwnCore,
  program: readonly string[],
  settings: Record<string, string>,
): Promise<Server> {
  const [command = '', ...args] = [...ownCore, process.execPath, ...program]
  const server = spawn(command, args, {
    cwd: root,
    env: {
      ...plainEnvironment,
      ...settings,
      DEMO_DATA: 'off',
      HOST: '127.0.0.1',
      PORT: '0',
      METRICS_PORT: 'off',
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  process.once('exit', () => server.kill('SIGKILL'))
  for await (const line of createInterface({ input: server.stdout })) {
    const port = /ready at http:\/\/[^:]+:(\d+)/.exec(line)?.[1]
    if (port === undefined) continue
    server.stdout.resume()
    return { process: server, port: Number(port) }
  }
  throw new Error(`${program.join(' ')} did not start`)
}

async function stop(server: ChildProcess) {
  const exit = once(server, 'exit')
  server.kill('SIGTERM')
  await Promise.race([exit, sleep(6000, undefined, { ref: false })])
  server.kill('SIGKILL')
}

async function run({ process: { pid = 0 }, port }: Server, rest: Omit<Order, 'port'>): Promise<Sample> {
  const order: Order = { port, ...rest }
  const before = await processorSeconds(pid)
  const process_ = spawnClients('run')
  process_.stdin?.write(`${JSON.stringify(order)}\n`)
  const parts: Buffer[] = []
  process_.stdout?.on('data', (part: Buffer) => parts.push(part))
  const [code] = await once(process_, 'close')
  if (code !== 0) throw new Error('The clients failed')
  const sample: Sample = JSON.parse(Buffer.concat(parts).toString())
  const after = await processorSeconds(pid)
  if (before === undefined || after === undefined) return sample
  // With what it takes to connect everyone, which is the same for both.
  return { ...sample, serverTime: ((after - before) * 1e6) / (sample.perSecond * seconds) }
}

function spawnClients(kind: 'run' | 'idle'): ChildProcess {
  return spawn(process.execPath, [join(import.meta.dirname, 'clients.ts'), kind], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
}

/** Kilobytes that the server's memory grows by for each connection that says nothing. */
async function memoryOf(server: Server, members: readonly Member[]): Promise<number> {
  const before = await residentKilobytes(server)
  const order: Order = {
    port: server.port,
    protocol: 'socket.io',
    members,
    seconds: 0,
    writers: 0,
    perSecond: undefined,
  }
  const clients = spawnClients('idle')
  clients.stdin?.write(`${JSON.stringify(order)}\n`)
  if (clients.stdout) await once(clients.stdout, 'data')
  await sleep(5000)
  const during = await residentKilobytes(server)
  clients.stdin?.end()
  await once(clients, 'exit')
  await sleep(2000)
  return (during - before) / members.length
}

async function residentKilobytes({ process: { pid } }: Server): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1])
}

function say(line: string) {
  process.stdout.write(`${line}\n`)
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130))
setTimeout(() => {
  say('The bench takes longer than it may. It ends here.')
  process.exit(1)
}, longestMs).unref()
await main()
process.exit(0)
