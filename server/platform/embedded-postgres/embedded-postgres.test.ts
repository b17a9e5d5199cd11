import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, readlink, realpath, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, describe, expect, test } from 'vitest'
import { EmbeddedPostgresError } from './error.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './start.ts'

const run = promisify(execFile)
const isRoot = process.getuid?.() === 0
const settings = { fsync: 'off', shared_buffers: '16MB', max_connections: '20' }

// Preparing a database takes a while. Who only wants to have one takes a copy of this, which was prepared and stopped.
const prepared = await mkdtemp(join(tmpdir(), 'rhubarb-postgres-'))
afterAll(() => rm(prepared, { recursive: true, force: true }))
await (await startEmbeddedPostgres({ folder: join(prepared, 'postgres'), settings })).stop()

/** A folder of a test's own for a database, and what was started in it; all of it goes with the test. */
async function newPlace({ parent = tmpdir(), name = 'postgres' } = {}) {
  const stack = new AsyncDisposableStack()
  const outer = await mkdtemp(join(parent, 'rhubarb-postgres-'))
  stack.defer(() => rm(outer, { recursive: true, force: true }))
  const folder = join(outer, name)
  return {
    folder,
    defer: (cleanup: () => unknown) => stack.defer(async () => void (await cleanup())),

    async start(notice?: (line: string) => void): Promise<EmbeddedPostgres> {
      const postgres = await startEmbeddedPostgres({ folder, settings, ...(notice && { notice }) })
      stack.defer(() => postgres.stop())
      return postgres
    },

    /** Another process that owns the database, as a server does. */
    async startOwner() {
      const source = `
        import { startEmbeddedPostgres } from ${JSON.stringify(import.meta.resolve('./start.ts'))}
        const { url } = await startEmbeddedPostgres(${JSON.stringify({ folder, settings })})
        console.log(url)
        setInterval(() => {}, 1000)
      `
      const child = spawn(process.execPath, ['--input-type=module', '--eval', source], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      stack.defer(() => void child.kill('SIGKILL'))
      const [url] = await once(createInterface({ input: child.stdout }), 'line')
      return { url: String(url), child }
    },

    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

async function preparedPlace() {
  const place = await newPlace()
  await run('cp', ['-a', join(prepared, 'postgres'), place.folder])
  return place
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

// Much of each is waiting, so they wait beside each other.
describe.concurrent('PostgreSQL of our own', { timeout: 120_000 }, () => {
  test('it answers SQL, knows letters beyond ASCII, and keeps data from one start to the next', async () => {
    await using place = await preparedPlace()
    const first = await place.start()
    expect(await ask(first, 'show server_version')).toMatch(/^18\./)
    expect(await ask(first, `select lower('ÉTÉ')`)).toBe('été')
    expect(await ask(first, 'show data_checksums')).toBe('on')
    await ask(first, 'create table beds as select 7 as carrots')
    await first.stop()

    const second = await place.start()
    expect(await ask(second, 'select carrots from beds')).toBe(7)
    expect(new URL(second.url).password).toBe(new URL(first.url).password)
  })

  test('its role may create databases and the extension of the product, and is no superuser', async () => {
    await using place = await preparedPlace()
    const postgres = await place.start()
    await ask(postgres, 'create database another')
    const url = new URL(postgres.url)
    url.pathname = '/another'
    await ask({ url: url.href }, 'create extension pg_trgm')
    expect(await ask(postgres, `select current_setting('is_superuser')`)).toBe('off')
  })

  test('it listens on the loopback only, and wants its password', async () => {
    await using place = await preparedPlace()
    const postgres = await place.start()
    expect(await ask(postgres, 'show listen_addresses')).toBe('127.0.0.1')
    const wrong = new URL(postgres.url)
    wrong.password = 'wrong'
    await expect(ask({ url: wrong.href }, 'select 1')).rejects.toThrow('password authentication failed')
    const superuser = new URL(postgres.url)
    superuser.username = 'postgres'
    await expect(ask({ url: superuser.href }, 'select 1')).rejects.toThrow('no pg_hba.conf entry')
    expect((await stat(join(place.folder, 'password'))).mode & 0o777).toBe(0o600)
    expect((await stat(join(place.folder, 'cluster'))).mode & 0o777).toBe(0o700)
  })

  test('a second owner of the same folder is told so', async () => {
    await using place = await preparedPlace()
    const first = await place.start()
    const second = startEmbeddedPostgres({ folder: place.folder, settings })
    await expect(second).rejects.toThrow(EmbeddedPostgresError)
    await expect(second).rejects.toThrow(/Another Rhubarb is already running on the database in .* DATA_DIR/)
    expect(await ask(first, 'select 1')).toBe(1)
  })

  test('a start waits for an owner that is about to stop', async () => {
    await using place = await preparedPlace()
    const first = await place.start()
    const second = place.start(() => first.stop())
    expect(await ask(await second, 'select 1')).toBe(1)
  })

  test('PostgreSQL stops when its owner is killed', async () => {
    await using place = await preparedPlace()
    const owner = await place.startOwner()
    const postmaster = await postmasterOf(place.folder)
    await kill(owner.child)
    await expect.poll(() => isAlive(postmaster), { timeout: 20_000 }).toBe(false)
  })

  test.runIf(process.platform === 'linux')(
    'PostgreSQL that outlives its owner is stopped by the next start, which finds the data',
    async () => {
      await using place = await preparedPlace()
      const owner = await place.startOwner()
      await ask(owner, 'create table beds as select 7 as carrots')
      const postmaster = await postmasterOf(place.folder)
      const guard = await guardOf(owner.child, postmaster)
      process.kill(guard, 'SIGSTOP')
      await kill(owner.child)
      process.kill(guard, 'SIGKILL')
      expect(isAlive(postmaster)).toBe(true)

      const notices: string[] = []
      const next = await place.start((line) => notices.push(line))
      expect(notices).toContain('Stopping the PostgreSQL that an earlier run left behind.')
      await expect.poll(() => isAlive(postmaster), { timeout: 20_000 }).toBe(false)
      expect(await ask(next, 'select carrots from beds')).toBe(7)
    },
  )

  test('PostgreSQL that does not answer any more is stopped too', async () => {
    await using place = await preparedPlace()
    const owner = await place.startOwner()
    const postmaster = await postmasterOf(place.folder)
    process.kill(postmaster, 'SIGSTOP')
    await kill(owner.child)

    expect(await ask(await place.start(), 'select 1')).toBe(1)
  })

  test('a pid file from before that names another program is no obstacle, and no harm to that program', async () => {
    await using place = await preparedPlace()
    const first = await place.start()
    const pidFile = join(place.folder, 'cluster', 'postmaster.pid')
    const written = await readFile(pidFile, 'utf8')
    await first.stop()
    const stranger = spawn(process.execPath, ['--eval', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
    place.defer(() => stranger.kill('SIGKILL'))
    await writeFile(pidFile, written.replace(/^\d+/, String(stranger.pid)))

    expect(await ask(await place.start(), 'select 1')).toBe(1)
    expect(stranger.exitCode ?? stranger.signalCode).toBe(null)
  })

  test('what a killed preparation left is removed, and the database is prepared anew', async () => {
    await using place = await newPlace()
    await mkdir(join(place.folder, 'new-half', 'cluster', 'base'), { recursive: true })
    await writeFile(join(place.folder, 'new-half', 'cluster', 'PG_VERSION'), '18\n')

    expect(await ask(await place.start(), 'select 1')).toBe(1)
    expect((await readdir(place.folder)).sort()).toEqual(['cluster', 'lock', 'password'])
  })

  test('a preparation that is killed can be begun again', async () => {
    await using place = await newPlace()
    const source = `
    import { startEmbeddedPostgres } from ${JSON.stringify(import.meta.resolve('./start.ts'))}
    const notice = () => setTimeout(() => process.kill(process.pid, 'SIGKILL'), 150)
    await startEmbeddedPostgres({ ...${JSON.stringify({ folder: place.folder, settings })}, notice })
  `
    const child = spawn(process.execPath, ['--input-type=module', '--eval', source], { stdio: 'inherit' })
    await once(child, 'exit')
    expect(child.signalCode).toBe('SIGKILL')

    expect(await ask(await place.start(), 'select 1')).toBe(1)
  })

  test('a lost password is replaced', async () => {
    await using place = await preparedPlace()
    const first = await place.start()
    await first.stop()
    await rm(join(place.folder, 'password'))

    const second = await place.start()
    expect(await ask(second, 'select 1')).toBe(1)
    expect(new URL(second.url).password).not.toBe(new URL(first.url).password)
  })

  test('it says why PostgreSQL does not start', async () => {
    await using place = await preparedPlace()
    const wrong = startEmbeddedPostgres({
      folder: place.folder,
      settings: { ...settings, shared_buffers: 'plenty' },
    })
    await expect(wrong).rejects.toThrow(/invalid value for parameter "shared_buffers"/)
    expect(await ask(await place.start(), 'select 1')).toBe(1)
  })

  test('a long path and odd characters in it do not matter', async () => {
    await using place = await newPlace({ name: `with a space, 'quotes' and ${'length '.repeat(20)}` })
    expect(await ask(await place.start(), 'select 1')).toBe(1)
  })

  test.runIf(isRoot)('as root, PostgreSQL runs as another user', async () => {
    expect((await stat(join(prepared, 'postgres', 'cluster'))).uid).not.toBe(0)
  })

  test.runIf(isRoot)('as root, data that this other user could not reach is kept where it can', async () => {
    // Not below the system's folder for temporary files: closed folders there are let open.
    await using place = await newPlace({ parent: '/var/lib', name: 'data/postgres' })
    const postgres = await place.start()
    const outside = await realpath(place.folder)
    place.defer(() => rm(outside, { recursive: true, force: true }))
    expect(await readlink(place.folder)).toBe(outside)
    expect(outside).toMatch(/^\/var\/lib\/rhubarb\/data-/)
    await ask(postgres, 'create table beds as select 7 as carrots')
    await postgres.stop()

    expect(await ask(await place.start(), 'select carrots from beds')).toBe(7)
  })
})
