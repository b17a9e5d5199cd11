// `npm run bench:messages`: measures the messages per second that are stored and received, compared with the same server without
// storage and with ejabberd. README.md describes the comparisons.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { processorSeconds, residentKilobytes } from '../cores.ts'
import { openSessionsOf } from '../market.ts'
import { type Comparison, compare, table } from '../report.ts'
import type { Sample } from '../sample.ts'
import { type ServerProcess, serverTime, startProgram, startServer } from '../server.ts'
import {
  type BenchSetup,
  newDatabase,
  optionsOf,
  print,
  type Runs,
  runRounds,
  withBenchSetup,
} from '../setup.ts'
import type { ClientOptions } from './clients.ts'
import { startEjabberd } from './ejabberd.ts'
import { measureThreadLists } from './thread-lists.ts'

const values = optionsOf({
  seconds: '6',
  rounds: '5',
  clients: '2000',
  idle: '2000,10000',
  lists: '10,1000000',
})
const seconds = Number(values.seconds)
const rounds = Number(values.rounds)
const clients = Number(values.clients)
const idleCounts = values.idle.split(',').map(Number)
const messageCounts = values.lists.split(',').map(Number)
/** Each listener has a writer. */
const writers = clients / 2
const steadyPerSecond = 500

interface Member {
  readonly id: number
  readonly token: string
}

const echoComparison: Comparison = {
  title: "Stored messages, of the echo's rate",
  numerator: 'stored, maximum',
  denominator: 'echo, maximum',
  atLeast: 0.6,
}
const ejabberdComparison: Comparison = {
  title: "Stored messages, of ejabberd's rate",
  numerator: 'stored, maximum',
  denominator: 'ejabberd, maximum',
  atLeast: 2.5,
}

async function bench(setup: BenchSetup) {
  const { ownCore, stack } = setup
  const url = await newDatabase(setup, 'messages')
  const members = await createMembers(url, Math.max(clients, ...idleCounts))
  const product = await startServer(url, ownCore)
  stack.defer(() => product.stop())
  const echo = await startProgram('bench/messages/echo.ts', ownCore)
  stack.defer(() => echo.stop())

  const ejabberd = await startEjabberd(ownCore)
  if (ejabberd) stack.use(ejabberd)
  else print('Without ejabberd, which is not installed.')

  const echoMembers = members.map(({ id }) => ({ id, token: `${id}.echo` }))
  const exchangeMessages =
    (
      server: RunningServer,
      protocol: ClientOptions['protocol'],
      who: readonly Member[],
      perSecond?: number,
    ) =>
    (seconds: number) =>
      run(server, { protocol, members: who.slice(0, clients), seconds, writers, perSecond })
  const runs: Runs = {
    'echo, maximum': exchangeMessages(echo, 'socket.io', echoMembers),
    'stored, maximum': exchangeMessages(product, 'socket.io', members),
    ...(ejabberd && { 'ejabberd, maximum': exchangeMessages(ejabberd, 'xmpp', members) }),
    'echo, steady': exchangeMessages(echo, 'socket.io', echoMembers, steadyPerSecond),
    'stored, steady': exchangeMessages(product, 'socket.io', members, steadyPerSecond),
    ...(ejabberd && { 'ejabberd, steady': exchangeMessages(ejabberd, 'xmpp', members, steadyPerSecond) }),
  }
  const samples = await runRounds(runs, { rounds, seconds, warmUpSeconds: seconds })

  print(`${clients} clients, ${writers} of them write; medians of ${rounds} rounds of ${seconds} s`)
  print(`\n${table(samples)}\n`)
  print(compare(echoComparison, samples))
  if (ejabberd) {
    print(compare(ejabberdComparison, samples))
    print(`ejabberd's archive has ${((await ejabberd.archived()) / 1e6).toFixed(0)} MB.`)
  }

  for (const connections of idleCounts) {
    const fresh = await startServer(url, ownCore)
    const kilobytes = await memoryOf(fresh, members.slice(0, connections))
    await fresh.stop()
    print(`Memory per idle connection of ${connections}: ${kilobytes.toFixed(1)} kB (aim: at most 32)`)
  }

  const urls = new Map<number, string>()
  for (const messageCount of messageCounts)
    urls.set(messageCount, await newDatabase(setup, `messages_${messageCount}`))
  print(table(await measureThreadLists(urls, ownCore, rounds)))
}

/** Creates members with sessions. */
async function createMembers(url: string, memberCount: number): Promise<Member[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(
    `insert into users (username, email, password_hash, first_name, last_name)
     select 'member_' || n, 'member' || n || '@example.com', 'x', 'Member', 'Gardener' from generate_series(1, $1::int) n`,
    [memberCount],
  )
  const { rows } = await client.query<{ id: string }>('select id from users order by id')
  const ids = rows.map(({ id }) => Number(id))
  const tokens = await openSessionsOf({ url }, ids)
  await client.query('vacuum analyze')
  await client.end()
  return ids.map((id, index) => ({ id, token: tokens[index] ?? '' }))
}

type RunningServer = Pick<ServerProcess, 'pid' | 'port'>

async function run({ pid, port }: RunningServer, rest: Omit<ClientOptions, 'port'>): Promise<Sample> {
  const options: ClientOptions = { port, ...rest }
  const before = await processorSeconds(pid)
  const clients = spawnClients('run')
  clients.stdin?.write(`${JSON.stringify(options)}\n`)
  const parts: Buffer[] = []
  clients.stdout?.on('data', (part: Buffer) => parts.push(part))
  const [code] = await once(clients, 'close')
  if (code !== 0) throw new Error('The clients failed. Their error is above.')
  const sample: Sample = JSON.parse(Buffer.concat(parts).toString())
  // Includes the CPU time of the connections, which is the same for all servers.
  return {
    ...sample,
    serverTime: serverTime(before, await processorSeconds(pid), sample.perSecond * seconds),
  }
}

function spawnClients(kind: 'run' | 'idle'): ChildProcess {
  return spawn(process.execPath, [join(import.meta.dirname, 'clients.ts'), kind], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
}

/** Returns the memory of the server per idle connection in kilobytes. */
async function memoryOf(server: RunningServer, members: readonly Member[]): Promise<number> {
  const before = await residentKilobytes(server.pid)
  const options: ClientOptions = {
    port: server.port,
    protocol: 'socket.io',
    members,
    seconds: 0,
    writers: 0,
    perSecond: undefined,
  }
  const clients = spawnClients('idle')
  clients.stdin?.write(`${JSON.stringify(options)}\n`)
  if (clients.stdout) await once(clients.stdout, 'data')
  await sleep(5000)
  const during = await residentKilobytes(server.pid)
  clients.stdin?.end()
  await once(clients, 'exit')
  await sleep(2000)
  return (during - before) / members.length
}

await withBenchSetup(15, bench)
