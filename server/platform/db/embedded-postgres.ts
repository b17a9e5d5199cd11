import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chown, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { EmbeddedPostgresError, findHome, type Home, plainEnvironment } from './embedded-postgres-home.ts'

const run = promisify(execFile)

export interface EmbeddedPostgres {
  /** `postgres://rhubarb:…@127.0.0.1:port/rhubarb`; the role owns its database and may create others, no more. */
  readonly url: string
  stop(): Promise<void>
}

export interface EmbeddedPostgresOptions {
  /** Holds the cluster, its password and its lock; made when missing. */
  readonly folder: string
  /** Server settings over the defaults, as in postgresql.conf. */
  readonly settings?: Readonly<Record<string, string>>
  /** Takes what is worth telling whoever starts the server. */
  readonly notice?: (line: string) => void
  /** Takes the lines of PostgreSQL's own log. */
  readonly log?: (line: string) => void
}

/** What fits a small machine; `C` messages, because start-up reads them. */
const defaultSettings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '100',
  shared_buffers: '256MB',
  effective_cache_size: '1GB',
  work_mem: '8MB',
  maintenance_work_mem: '128MB',
  random_page_cost: '1.1',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  lc_messages: 'C',
  log_line_prefix: '',
  log_checkpoints: 'off',
}

/** Fast, then immediate, then by force; each with the milliseconds it is given. */
const shutdown = [
  ['SIGINT', 3000],
  ['SIGQUIT', 1000],
  ['SIGKILL', 1000],
] as const

/** How long a start waits for the owner before it, who may be stopping, in milliseconds. */
const patience = 5000

const sqliteBusy = 5

/**
 * Starts the PostgreSQL that npm brings on the cluster in a folder, which one process owns at a time. One that a killed
 * owner left behind is stopped first. Throws EmbeddedPostgresError.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { folder, settings = {}, notice = () => undefined, log = () => undefined } = options
  const home = await findHome(folder, notice)
  const lock = await lockFolder(home.folder, folder, notice)
  try {
    await stopLeftover(home, notice)
    const password = await prepareCluster(home, settings, notice)
    const { postgres, port } = await launch(home, { ...defaultSettings, ...settings }, log)
    let stopping: Promise<void> | undefined
    postgres.once('exit', (code, signal) => {
      if (!stopping) notice(`PostgreSQL ended by itself (${signal ?? `exit code ${code}`}).`)
    })

    return {
      url: urlOf(password, port),
      stop() {
        stopping ??= bringDown(postgres.pid, () => isOver(postgres)).finally(() => lock.close())
        return stopping
      },
    }
  } catch (error) {
    lock.close()
    throw error
  }
}

/**
 * The PostgreSQL of a folder for a short visit: the one that runs there, which goes on running, or one of our own, which
 * `stop` ends.
 */
export async function openEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const home = await findHome(options.folder, () => undefined)
  const cluster = join(home.folder, 'cluster')
  const [pid, , , port] = (await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')).split(
    '\n',
  )
  if (!pid || !port || !(await isServing(Number(pid), cluster))) return startEmbeddedPostgres(options)

  const password = await readFile(join(home.folder, 'password'), 'utf8')
  return { url: urlOf(password, Number(port)), stop: async () => undefined }
}

function urlOf(password: string, port: number): string {
  return `postgres://rhubarb:${password}@127.0.0.1:${port}/rhubarb`
}

/** An exclusive transaction in SQLite is the one lock in Node that ends with the process that holds it. */
async function lockFolder(
  folder: string,
  wanted: string,
  notice: (line: string) => void,
): Promise<DatabaseSync> {
  const file = join(folder, 'lock')
  await writeFile(file, '', { mode: 0o600, flag: 'a' })
  const lock = new DatabaseSync(file, { timeout: 0 })
  function locked(): boolean {
    try {
      lock.exec('pragma journal_mode = memory; begin exclusive')
      return true
    } catch (error) {
      if (error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy) return false
      throw error
    }
  }
  if (locked()) return lock
  notice('Another Rhubarb holds this database. Waiting a moment, in case it is stopping.')
  if (await becomes(locked, patience)) return lock
  lock.close()
  throw new EmbeddedPostgresError(
    `Another Rhubarb is already running on the database in ${wanted}. Stop it first, or give this one a folder of its own with DATA_DIR.`,
  )
}

/** Whoever holds the lock may stop what runs here: its owner is dead. A pid file that names a stranger is only old. */
async function stopLeftover({ folder }: Home, notice: (line: string) => void) {
  const cluster = join(folder, 'cluster')
  const pidFile = join(cluster, 'postmaster.pid')
  const [line] = (await readFile(pidFile, 'utf8').catch(() => '')).split('\n')
  const pid = Number(line)
  if (!Number.isSafeInteger(pid) || pid <= 1) return rm(pidFile, { force: true })

  let serves = await isServing(pid, cluster)
  if (serves) {
    notice('Stopping the PostgreSQL that an earlier run left behind.')
    await bringDown(pid, async () => {
      serves = await isServing(pid, cluster)
      return !serves
    })
  }
  await rm(pidFile, { force: true })
}

async function isServing(pid: number, cluster: string): Promise<boolean> {
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() =>
    process.platform === 'linux' ? '' : commandFromPs(pid),
  )
  return command.includes('postgres') && command.includes(cluster)
}

async function commandFromPs(pid: number): Promise<string> {
  const { stdout } = await run('ps', ['-ww', '-o', 'command=', '-p', String(pid)]).catch(() => ({
    stdout: '',
  }))
  return stdout
}

/** Sees to a cluster and to the password that opens it, which it returns. */
async function prepareCluster(
  home: Home,
  settings: Readonly<Record<string, string>>,
  notice: (line: string) => void,
) {
  const cluster = join(home.folder, 'cluster')
  const passwordFile = join(home.folder, 'password')
  await removeUnfinished(home.folder)

  const known = await readFile(passwordFile, 'utf8').catch(() => undefined)
  const password = known ?? randomBytes(24).toString('base64url')
  if (known === undefined) {
    if (await exists(cluster)) await runAlone(home, cluster, [`alter role rhubarb password '${password}'`])
    const draft = join(home.folder, 'new-password')
    await writeFile(draft, password, { mode: 0o600 })
    await rename(draft, passwordFile)
  }
  if (!(await exists(cluster))) {
    notice('Preparing a new PostgreSQL database.')
    await createCluster(home, cluster, password, settings.fsync === 'off')
  }
  return password
}

/** A cluster is made aside and moved to its place when it is whole, so that one can be killed at any moment of it. */
async function createCluster(home: Home, cluster: string, password: string, hasty: boolean) {
  const draft = await mkdtemp(join(home.folder, 'new-'))
  await giveToAccount(home, draft)
  const data = join(draft, 'cluster')
  await initdb(home, data, hasty ? ['--no-sync'] : [])
  // The superuser has no password and no line here: nobody logs in as one.
  const doors = join(data, 'pg_hba.conf')
  await writeFile(doors, 'host all rhubarb 127.0.0.1/32 scram-sha-256\n')
  await giveToAccount(home, doors)
  await runAlone(home, data, [
    `create role rhubarb login createdb password '${password}'`,
    'create database rhubarb owner rhubarb',
  ])
  await rename(data, cluster)
  await rm(draft, { recursive: true })
}

/**
 * Collation is PostgreSQL's own, the same on every machine. Which characters are letters (to trigrams and to full text
 * search) still comes from the machine, and plain `C` knows none beyond ASCII, so it is the last resort.
 */
async function initdb(home: Home, data: string, flags: readonly string[]) {
  const characterTypes = ['C.UTF-8', 'en_US.UTF-8', 'C']
  for (const [index, characterType] of characterTypes.entries()) {
    try {
      return await run(
        join(home.binaries, 'bin', 'initdb'),
        [
          `--pgdata=${data}`,
          '--username=postgres',
          '--auth=trust',
          '--encoding=UTF8',
          '--locale-provider=builtin',
          '--builtin-locale=C.UTF-8',
          '--locale=C',
          `--lc-ctype=${characterType}`,
          '--data-checksums',
          '--no-instructions',
          ...flags,
        ],
        { ...home.account, cwd: home.folder, env: plainEnvironment },
      )
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause)
      if (why.includes('invalid locale name') && index + 1 < characterTypes.length) continue
      throw new EmbeddedPostgresError(
        `PostgreSQL could not prepare its database in ${home.folder}.\n${why}`,
        { cause },
      )
    }
  }
}

/** Runs statements, a line each, as the superuser on a cluster that nothing serves. */
async function runAlone(home: Home, data: string, statements: readonly string[]) {
  const child = spawn(
    join(home.binaries, 'bin', 'postgres'),
    ['--single', '-D', data, '-c', 'exit_on_error=on', '-c', 'log_checkpoints=off', 'postgres'],
    { ...home.account, cwd: home.folder, env: plainEnvironment, stdio: ['pipe', 'ignore', 'pipe'] },
  )
  const lines: string[] = []
  createInterface({ input: child.stderr }).on('line', (line) => lines.push(line))
  child.stdin.on('error', () => undefined)
  child.stdin.end(`${statements.join('\n')}\n`)
  const [code] = await once(child, 'close')
  if (code !== 0)
    throw new EmbeddedPostgresError(
      `PostgreSQL could not prepare its database in ${home.folder}.\n${lines.join('\n')}`,
    )
}

async function launch(
  home: Home,
  settings: Readonly<Record<string, string>>,
  log: (line: string) => void,
  attempts = 5,
): Promise<{ postgres: ChildProcess; port: number }> {
  const cluster = join(home.folder, 'cluster')
  const port = await freePort()
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  // A session of its own keeps the terminal's Ctrl-C from it until the server has drained.
  const postgres = spawn(
    join(home.binaries, 'bin', 'postgres'),
    ['-D', cluster, '-p', String(port), ...flags],
    {
      ...home.account,
      cwd: home.folder,
      env: plainEnvironment,
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  )
  postgres.once('exit', guard(postgres, home))
  const output: string[] = []
  const ready = Promise.withResolvers<boolean>()
  createInterface({ input: postgres.stderr }).on('line', (line) => {
    log(line)
    output.push(line)
    if (line.includes('database system is ready to accept connections')) ready.resolve(true)
  })
  postgres.once('error', ready.reject)
  postgres.once('close', () => ready.resolve(false))
  if (await ready.promise) return { postgres, port }

  const said = output.join('\n')
  // Somebody took the port in between, or the last of a killed PostgreSQL still holds its memory.
  const passing = /could not bind|still in use/.test(said)
  if (!passing || attempts <= 1)
    throw new EmbeddedPostgresError(`PostgreSQL did not start on ${cluster}.\n${said}`)
  await sleep(300)
  return launch(home, settings, log, attempts - 1)
}

/**
 * Stops PostgreSQL when this process ends without having done so, however it ends: a shell waits at the other end of a
 * pipe, and the pipe closes. Returns what lets the shell go.
 */
function guard(postgres: ChildProcess, { account }: Home): () => void {
  const shell = spawn('/bin/sh', ['-c', 'read -r _ || kill -INT "$1"', 'sh', String(postgres.pid)], {
    ...account,
    cwd: '/',
    env: plainEnvironment,
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  shell.on('error', () => undefined)
  shell.stdin.on('error', () => undefined)
  shell.unref()
  return () => shell.stdin.end('\n')
}

async function bringDown(pid: number | undefined, isGone: () => boolean | Promise<boolean>) {
  if (pid === undefined || (await isGone())) return
  for (const [signal, milliseconds] of shutdown) {
    send(pid, signal)
    if (await becomes(isGone, milliseconds)) return
  }
  throw new EmbeddedPostgresError(`PostgreSQL (process ${pid}) does not stop.`)
}

function send(pid: number, signal: NodeJS.Signals) {
  try {
    process.kill(pid, signal)
  } catch {
    // It is gone already, which is what the signal is for.
  }
}

function isOver(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

async function becomes(condition: () => boolean | Promise<boolean>, milliseconds: number): Promise<boolean> {
  const end = performance.now() + milliseconds
  while (performance.now() < end) {
    if (await condition()) return true
    await sleep(20)
  }
  return condition()
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string')
    throw new EmbeddedPostgresError('This machine gave no free port.')
  return address.port
}

async function giveToAccount({ account }: Home, path: string) {
  if (account) await chown(path, account.uid, account.gid)
}

async function removeUnfinished(folder: string) {
  for (const name of await readdir(folder)) {
    if (name.startsWith('new-')) await rm(join(folder, name), { recursive: true, maxRetries: 10 })
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
