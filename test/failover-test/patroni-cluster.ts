import { randomBytes } from 'node:crypto'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { waitUntil } from '#server/platform/wait-until.ts'
import { freePort } from '#test/free-port.ts'
import { signalPostgres, signalProcess } from '#test/processes.ts'
import { startTcpProxy } from '#test/tcp-proxy.ts'
import { asPostgres, isRoot, postgresPrograms, runProgram, startProgram } from '../smoke-test/programs.ts'

const configurations = join(import.meta.dirname, '../../deploy/high-availability')
const memberNames = ['postgres1', 'postgres2', 'postgres3']
const passwords = { superuser: newPassword(), replicator: newPassword(), rewinder: newPassword() }

/** A member as its Patroni reports it at `GET /patroni`. */
interface MemberState {
  readonly state: string
  /** The standbys of a primary. */
  readonly replication?: readonly { readonly state: string; readonly sync_state: string }[]
}

/**
 * Starts three PostgreSQL servers under Patroni with etcd and HAProxy, from the files in deploy/high-availability. The members reach
 * etcd and each other through TCP proxies, so that a test can cut them off.
 */
export async function startPatroniCluster() {
  await using building = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'rhubarb-patroni-'))
  // PostgreSQL runs as another user.
  await chmod(folder, 0o755)
  building.defer(() => rm(folder, { recursive: true, force: true }))
  const etcd = await startEtcd(folder, building)
  const members: Member[] = []
  for (const name of memberNames) members.push(building.use(await newMember(name, folder, etcd)))
  const address = await startHaproxy(folder, members, building)
  // The first one makes the database. The others copy it.
  for (const member of members) {
    await member.start()
    await until(async () => (await member.state()).state === 'running')
  }
  async function isHealthy() {
    const states = await Promise.all(members.map((member) => member.state()))
    const standbys = states.flatMap(({ replication = [] }) => replication)
    return (
      states.every(({ state }) => state === 'running') &&
      standbys.length === members.length - 1 &&
      standbys.every(({ state }) => state === 'streaming') &&
      standbys.some(({ sync_state }) => sync_state === 'sync')
    )
  }
  await until(isHealthy)
  const superuser = `postgres://postgres:${passwords.superuser}@${address}`
  await runProgram('psql', [`${superuser}/postgres`, '-c', 'create database rhubarb'])
  const stack = building.move()
  return {
    members,
    /** The URL of the database on the primary, through HAProxy. */
    url: `${superuser}/rhubarb`,
    async primary(): Promise<Member> {
      const states = await Promise.all(members.map((member) => member.state()))
      const primary = members[states.findIndex(({ replication }) => replication !== undefined)]
      if (!primary) throw new Error('The cluster has no primary')
      return primary
    },
    /** Waits until there is a primary, a synchronous standby and another standby. */
    async healthy() {
      await until(isHealthy).catch(async (error) => {
        const logs = await Promise.all(members.map((member) => member.lastLines()))
        throw new Error(logs.join('\n'), { cause: error })
      })
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

export type Member = Awaited<ReturnType<typeof newMember>>

async function startEtcd(folder: string, stack: AsyncDisposableStack): Promise<string> {
  const [client, peer] = [await freeUrl(), await freeUrl()]
  const settings = {
    name: 'etcd1',
    'enable-v2': 'true',
    'data-dir': join(folder, 'etcd'),
    'listen-client-urls': client,
    'advertise-client-urls': client,
    'listen-peer-urls': peer,
    'initial-advertise-peer-urls': peer,
    'initial-cluster': `etcd1=${peer}`,
  }
  const args = Object.entries(settings).map(([name, value]) => `--${name}=${value}`)
  stack.use(await startProgram('etcd', args, { log: join(folder, 'etcd.log') }))
  await until(async () => (await fetch(`${client}/health`)).ok)
  return client
}

async function newMember(name: string, folder: string, etcd: string) {
  const data = join(folder, name)
  const log = join(folder, `${name}.log`)
  const [postgres, rest] = [await freeUrl(), await freeUrl()]
  await using building = new AsyncDisposableStack()
  const links = {
    postgres: building.use(await startTcpProxy(postgres)),
    rest: building.use(await startTcpProxy(rest)),
    etcd: building.use(await startTcpProxy(etcd)),
  }
  const file = join(folder, `${name}.yml`)
  const configuration = await memberConfiguration({ name, data, postgres, rest, links })
  await mkdir(data)
  if (isRoot) await runProgram('chown', ['postgres:', data])
  await writeFile(file, configuration)

  let running: Awaited<ReturnType<typeof startProgram>> | undefined
  async function start() {
    if (running && !running.hasEnded()) return
    running = await startProgram(...asPostgres(['patroni', file]), { log })
  }
  async function signalAll(signal: NodeJS.Signals) {
    if (running?.pid !== undefined) signalProcess(running.pid, signal)
    await signalPostgres(join(data, 'data'), signal)
  }
  const stack = building.move()
  return {
    name,
    links,
    start,
    /** Rejects if it does not answer. */
    async state(): Promise<MemberState> {
      const response = await fetch(new URL('/patroni', links.rest.url), { signal: AbortSignal.timeout(2000) })
      return (await response.json()) as MemberState
    },
    async lastLines(): Promise<string> {
      return (await readFile(log, 'utf8')).split('\n').slice(-15).join('\n')
    },
    /** Kills Patroni and PostgreSQL, like a power failure. */
    kill: () => signalAll('SIGKILL'),
    /** Stops all its processes with SIGSTOP. */
    freeze: () => signalAll('SIGSTOP'),
    /** Holds back everything that goes to and from it. */
    cutOff() {
      for (const link of Object.values(links)) link.stall()
    },
    /** Ends every fault. */
    async repair() {
      for (const link of Object.values(links)) link.restore()
      await signalAll('SIGCONT')
      await start()
    },
    async [Symbol.asyncDispose]() {
      await signalAll('SIGCONT')
      await signalAll('SIGKILL')
      await stack.disposeAsync()
    },
  }
}

interface MemberAddresses {
  readonly name: string
  /** The folder of its files. */
  readonly data: string
  /** The URLs where PostgreSQL and Patroni's REST API listen. */
  readonly postgres: string
  readonly rest: string
  /** The proxies through which others reach it, and through which it reaches etcd. */
  readonly links: Readonly<Record<'postgres' | 'rest' | 'etcd', { readonly url: string }>>
}

function memberConfiguration({ name, data, postgres, rest, links }: MemberAddresses): Promise<string> {
  const host = (url: string) => new URL(url).host
  return configurationOf('patroni.yml', {
    'name: postgres1': `name: ${name}`,
    'listen: 10.0.0.1:8008': `listen: ${host(rest)}`,
    'connect_address: 10.0.0.1:8008': `connect_address: ${host(links.rest.url)}`,
    // Otherwise Patroni connects to the address that etcd names, not to the proxy.
    'hosts: 10.0.0.1:2379,10.0.0.2:2379,10.0.0.3:2379': `hosts: ${host(links.etcd.url)}\n  use_proxies: true`,
    'listen: 10.0.0.1:5432': `listen: ${host(postgres)}`,
    'connect_address: 10.0.0.1:5432': `connect_address: ${host(links.postgres.url)}`,
    'bin_dir: /usr/lib/postgresql/15/bin': `bin_dir: ${postgresPrograms()}`,
    'data_dir: /var/lib/postgresql/15/rhubarb': `data_dir: ${join(data, 'data')}`,
    'pgpass: /var/lib/postgresql/.pgpass-patroni': `pgpass: ${join(data, 'pgpass')}`,
    'password: superuser-password': `password: ${passwords.superuser}`,
    'password: replicator-password': `password: ${passwords.replicator}`,
    'password: rewinder-password': `password: ${passwords.rewinder}`,
    'pg_hba:': `parameters:\n    unix_socket_directories: ${data}\n    shared_buffers: 64MB\n  pg_hba:`,
  })
}

async function startHaproxy(folder: string, members: readonly Member[], stack: AsyncDisposableStack) {
  const { host } = new URL(await freeUrl())
  const changes = Object.fromEntries(
    members.map(({ name, links }, index) => [
      `server ${name} 10.0.0.${index + 1}:5432 check port 8008`,
      `server ${name} ${new URL(links.postgres.url).host} check port ${new URL(links.rest.url).port}`,
    ]),
  )
  const file = join(folder, 'haproxy.cfg')
  await writeFile(
    file,
    await configurationOf('haproxy.cfg', { 'bind 127.0.0.1:5432': `bind ${host}`, ...changes }),
  )
  stack.use(await startProgram('haproxy', ['-db', '-f', file], { log: join(folder, 'haproxy.log') }))
  return host
}

/** Reads a file of deploy/high-availability and replaces texts. */
async function configurationOf(file: string, changes: Readonly<Record<string, string>>): Promise<string> {
  let text = await readFile(join(configurations, file), 'utf8')
  for (const [from, to] of Object.entries(changes)) {
    if (!text.includes(from)) throw new Error(`deploy/high-availability/${file} has no ${from}`)
    text = text.replace(from, to)
  }
  return text
}

function newPassword(): string {
  return randomBytes(12).toString('hex')
}

async function freeUrl(): Promise<string> {
  return `http://127.0.0.1:${await freePort()}`
}

const withinMs = 120_000

/** Waits until a condition holds. A rejection counts as false. Throws after two minutes. */
async function until(condition: () => Promise<boolean>): Promise<void> {
  if (!(await waitUntil(() => condition().catch(() => false), withinMs)))
    throw new Error('The cluster does not become healthy')
}
