import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, readlink, realpath, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import pg from 'pg'
import { afterEach, expect, test } from 'vitest'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts'
import { EmbeddedPostgresError } from './embedded-postgres-home.ts'

const isRoot = process.getuid?.() === 0
const settings = { fsync: 'off', shared_buffers: '16MB', max_connections: '20' }
const cleanups: (() => unknown)[] = []

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

async function newFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'rhubarb-postgres-'))
  cleanups.push(() => rm(folder, { recursive: true, force: true }))
  return join(folder, 'postgres')
}

async function start(folder: string, notice?: (line: string) => void): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({ folder, settings, ...(notice && { notice }) })
  cleanups.push(() => postgres.stop())
  return postgres
}

async function ask(postgres: { url: string }, sql: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  try {
    const { rows } = await client.query({ text: sql, rowMode: 'array' })
    return rows[0]?.[0]
  } finally {
    await client.end()
  }
}

/** Another process that owns the database in a folder, as a server does. */
async function startOwner(folder: string) {
  const source = `
    import { startEmbeddedPostgres } from ${JSON.stringify(import.meta.resolve('./embedded-postgres.ts'))}
    const { url } = await startEmbeddedPostgres(${JSON.stringify({ folder, settings })})
    console.log(url)
    setInterval(() => {}, 1000)
  `
  const child = spawn(process.execPath, ['--input-type=module', '--eval', source], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  cleanups.push(() => child.kill('SIGKILL'))
  const [url] = await once(createInterface({ input: child.stdout }), 'line')
  return { url: String(url), child }
}

async function kill(child: ChildProcess) {
  child.kill('SIGKILL')
  await once(child, 'exit')
}

async function postmasterOf(folder: string) {
  const [pid] = (await readFile(join(folder, 'cluster', 'postmaster.pid'), 'utf8')).split('\n')
  return Number(pid)
}

/** On Linux, the shell that would stop PostgreSQL when its owner dies. */
async function guardOf(owner: ChildProcess, postmaster: number) {
  const children = await readFile(`/proc/${owner.pid}/task/${owner.pid}/children`, 'utf8')
  const guard = children
    .trim()
    .split(' ')
    .map(Number)
    .find((pid) => pid !== postmaster)
  if (!guard) throw new Error('There is no guard')
  return guard
}

function isAlive(pid: number) {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

test('it answers SQL, knows letters beyond ASCII, and keeps data from one start to the next', async () => {
  const folder = await newFolder()
  const first = await start(folder)
  expect(await ask(first, 'show server_version')).toMatch(/^18\./)
  expect(await ask(first, `select lower('ÉTÉ')`)).toBe('été')
  expect(await ask(first, 'show data_checksums')).toBe('on')
  await ask(first, 'create table beds as select 7 as carrots')
  await first.stop()

  const second = await start(folder)
  expect(await ask(second, 'select carrots from beds')).toBe(7)
  expect(new URL(second.url).password).toBe(new URL(first.url).password)
})

test('its role may have databases and the extensions of the product, and is no superuser', async () => {
  const postgres = await start(await newFolder())
  await ask(postgres, 'create database another')
  const url = new URL(postgres.url)
  url.pathname = '/another'
  for (const extension of ['pg_trgm', 'unaccent', 'citext', 'cube', 'earthdistance']) {
    await ask({ url: url.href }, `create extension if not exists ${extension}`)
  }
  expect(await ask(postgres, `select current_setting('is_superuser')`)).toBe('off')
})

test('it listens on the loopback only, and wants its password', async () => {
  const folder = await newFolder()
  const postgres = await start(folder)
  expect(await ask(postgres, 'show listen_addresses')).toBe('127.0.0.1')
  const wrong = new URL(postgres.url)
  wrong.password = 'wrong'
  await expect(ask({ url: wrong.href }, 'select 1')).rejects.toThrow('password authentication failed')
  const superuser = new URL(postgres.url)
  superuser.username = 'postgres'
  await expect(ask({ url: superuser.href }, 'select 1')).rejects.toThrow('no pg_hba.conf entry')
  expect((await stat(join(folder, 'password'))).mode & 0o777).toBe(0o600)
  expect((await stat(join(folder, 'cluster'))).mode & 0o777).toBe(0o700)
})

test('a second owner of the same folder is told so', async () => {
  const folder = await newFolder()
  const first = await start(folder)
  const second = startEmbeddedPostgres({ folder, settings })
  await expect(second).rejects.toThrow(EmbeddedPostgresError)
  await expect(second).rejects.toThrow(/Another Rhubarb is already running on the database in .* DATA_DIR/)
  expect(await ask(first, 'select 1')).toBe(1)
})

test('a start waits for an owner that is about to stop', async () => {
  const folder = await newFolder()
  const first = await start(folder)
  const second = start(folder, () => first.stop())
  expect(await ask(await second, 'select 1')).toBe(1)
})

test('PostgreSQL stops when its owner is killed', async () => {
  const folder = await newFolder()
  const owner = await startOwner(folder)
  const postmaster = await postmasterOf(folder)
  await kill(owner.child)
  await expect.poll(() => isAlive(postmaster), { timeout: 20_000 }).toBe(false)
})

test.runIf(process.platform === 'linux')(
  'PostgreSQL that outlives its owner is stopped by the next start, which finds the data',
  async () => {
    const folder = await newFolder()
    const owner = await startOwner(folder)
    await ask(owner, 'create table beds as select 7 as carrots')
    const postmaster = await postmasterOf(folder)
    const guard = await guardOf(owner.child, postmaster)
    process.kill(guard, 'SIGSTOP')
    await kill(owner.child)
    process.kill(guard, 'SIGKILL')
    expect(isAlive(postmaster)).toBe(true)

    const notices: string[] = []
    const next = await start(folder, (line) => notices.push(line))
    expect(notices).toContain('Stopping the PostgreSQL that an earlier run left behind.')
    await expect.poll(() => isAlive(postmaster), { timeout: 20_000 }).toBe(false)
    expect(await ask(next, 'select carrots from beds')).toBe(7)
  },
)

test('PostgreSQL that does not answer any more is stopped too', async () => {
  const folder = await newFolder()
  const owner = await startOwner(folder)
  const postmaster = await postmasterOf(folder)
  process.kill(postmaster, 'SIGSTOP')
  await kill(owner.child)

  expect(await ask(await start(folder), 'select 1')).toBe(1)
})

test('a pid file from before that names another program is no obstacle, and no harm to that program', async () => {
  const folder = await newFolder()
  const first = await start(folder)
  const pidFile = join(folder, 'cluster', 'postmaster.pid')
  const written = await readFile(pidFile, 'utf8')
  await first.stop()
  const stranger = spawn(process.execPath, ['--eval', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
  cleanups.push(() => stranger.kill('SIGKILL'))
  await writeFile(pidFile, written.replace(/^\d+/, String(stranger.pid)))

  expect(await ask(await start(folder), 'select 1')).toBe(1)
  expect(stranger.exitCode ?? stranger.signalCode).toBe(null)
})

test('what a killed preparation left is removed, and the database is prepared anew', async () => {
  const folder = await newFolder()
  await mkdir(join(folder, 'new-half', 'cluster', 'base'), { recursive: true })
  await writeFile(join(folder, 'new-half', 'cluster', 'PG_VERSION'), '18\n')

  expect(await ask(await start(folder), 'select 1')).toBe(1)
  expect((await readdir(folder)).sort()).toEqual(['cluster', 'lock', 'password'])
})

test('a preparation that is killed can be begun again', async () => {
  const folder = await newFolder()
  const source = `
    import { startEmbeddedPostgres } from ${JSON.stringify(import.meta.resolve('./embedded-postgres.ts'))}
    const notice = () => setTimeout(() => process.kill(process.pid, 'SIGKILL'), 150)
    await startEmbeddedPostgres({ ...${JSON.stringify({ folder, settings })}, notice })
  `
  const child = spawn(process.execPath, ['--input-type=module', '--eval', source], { stdio: 'inherit' })
  await once(child, 'exit')
  expect(child.signalCode).toBe('SIGKILL')

  expect(await ask(await start(folder), 'select 1')).toBe(1)
})

test('a lost password is replaced', async () => {
  const folder = await newFolder()
  const first = await start(folder)
  await first.stop()
  await rm(join(folder, 'password'))

  const second = await start(folder)
  expect(await ask(second, 'select 1')).toBe(1)
  expect(new URL(second.url).password).not.toBe(new URL(first.url).password)
})

test('it says why PostgreSQL does not start', async () => {
  const folder = await newFolder()
  const wrong = startEmbeddedPostgres({ folder, settings: { ...settings, shared_buffers: 'plenty' } })
  await expect(wrong).rejects.toThrow(/invalid value for parameter "shared_buffers"/)
  expect(await ask(await start(folder), 'select 1')).toBe(1)
})

test('a long path and odd characters in it do not matter', async () => {
  const folder = join(await newFolder(), `with a space, 'quotes' and ${'length '.repeat(20)}`)
  expect(await ask(await start(folder), 'select 1')).toBe(1)
})

test.runIf(isRoot)('as root, PostgreSQL runs as another user', async () => {
  const folder = await newFolder()
  await start(folder)
  expect((await stat(join(folder, 'cluster'))).uid).not.toBe(0)
})

test.runIf(isRoot)('as root, data that this other user could not reach is kept where it can', async () => {
  // Not below the system's folder for temporary files: closed folders there are let open.
  const project = await mkdtemp('/var/lib/rhubarb-closed-')
  cleanups.push(() => rm(project, { recursive: true, force: true }))
  const folder = join(project, 'data', 'postgres')
  const postgres = await start(folder)
  const outside = await realpath(folder)
  cleanups.push(() => rm(outside, { recursive: true, force: true }))
  expect(await readlink(folder)).toBe(outside)
  expect(outside).toMatch(/^\/var\/lib\/rhubarb\/data-/)
  await ask(postgres, 'create table beds as select 7 as carrots')
  await postgres.stop()

  expect(await ask(await start(folder), 'select carrots from beds')).toBe(7)
})
