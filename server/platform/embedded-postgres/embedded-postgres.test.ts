import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  realpath,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, describe, expect, test } from 'vitest'
import { OperatorError } from '#server/platform/errors.ts'
import { longTest } from '#test/long.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './start.ts'

const run = promisify(execFile)
const isRoot = process.getuid?.() === 0
const settings = { fsync: 'off', shared_buffers: '16MB', max_connections: '20' }

// Preparing a database is slow, so most tests copy this one.
const prepared = await mkdtemp(join(tmpdir(), 'rhubarb-postgres-'))
afterAll(() => rm(prepared, { recursive: true, force: true }))
await (await startEmbeddedPostgres({ folder: join(prepared, 'postgres'), settings })).stop()

/** Creates a folder for a database. Disposing it stops its processes and deletes it. */
async function newFolder({ parent = tmpdir(), name = 'postgres' } = {}) {
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

    /** Starts another process that owns the database like a server does. */
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

async function preparedFolder() {
  const testFolder = await newFolder()
  await run('cp', ['-a', join(prepared, 'postgres'), testFolder.folder])
  return testFolder
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

const sharedFolder = await preparedFolder()
afterAll(() => sharedFolder[Symbol.asyncDispose]())
/** For tests that do not restart it. */
const shared = await sharedFolder.start()

async function postmasterOf(folder: string) {
  const [pid] = (await readFile(join(folder, 'cluster', 'postmaster.pid'), 'utf8')).split('\n')
  return Number(pid)
}

/** Returns the pid of the shell that stops PostgreSQL when its owner dies (Linux only). */
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

// These tests mostly wait, so they run concurrently.
describe.concurrent('the embedded PostgreSQL', { timeout: 120_000 }, () => {
  test('runs queries and supports Unicode for a role that can create databases and pg_trgm and is no superuser', async () => {
    expect(await ask(shared, 'show server_version')).toMatch(/^18\./)
    expect(await ask(shared, `select lower('ÉTÉ')`)).toBe('été')
    expect(await ask(shared, 'show data_checksums')).toBe('on')
    expect(await ask(shared, `select current_setting('is_superuser')`)).toBe('off')
    await ask(shared, 'create database another')
    const url = new URL(shared.url)
    url.pathname = '/another'
    await ask({ url: url.href }, 'create extension pg_trgm')
  })

  test('listens on loopback only and requires its password', async () => {
    expect(await ask(shared, 'show listen_addresses')).toBe('127.0.0.1')
    const wrong = new URL(shared.url)
    wrong.password = 'wrong'
    await expect(ask({ url: wrong.href }, 'select 1')).rejects.toThrow('password authentication failed')
    const superuser = new URL(shared.url)
    superuser.username = 'postgres'
    await expect(ask({ url: superuser.href }, 'select 1')).rejects.toThrow('no pg_hba.conf entry')
    expect((await stat(join(sharedFolder.folder, 'password'))).mode & 0o777).toBe(0o600)
    expect((await stat(join(sharedFolder.folder, 'cluster'))).mode & 0o777).toBe(0o700)
  })

  test('refuses a second owner of the same folder', async () => {
    const second = startEmbeddedPostgres({ folder: sharedFolder.folder, settings })
    await expect(second).rejects.toThrow(OperatorError)
    await expect(second).rejects.toThrow(/Another Rhubarb is already running on the database in .* DATA_DIR/)
    expect(await ask(shared, 'select 1')).toBe(1)
  })

  test('refuses a link to a missing folder instead of creating a new database', async () => {
    await using testFolder = await newFolder()
    const { folder } = testFolder
    await symlink('/nowhere/disk', folder)
    await expect(startEmbeddedPostgres({ folder, settings })).rejects.toThrow(
      /^The database is missing: .*postgres is a link to \/nowhere\/disk\. Mount or restore/,
    )
    expect(await readlink(folder)).toBe('/nowhere/disk')
  })

  longTest('tells its owner when it exits unexpectedly', {}, async () => {
    await using testFolder = await preparedFolder()
    const exit = Promise.withResolvers<string>()
    const postgres = await startEmbeddedPostgres({
      folder: testFolder.folder,
      settings,
      onExit: exit.resolve,
    })
    process.kill(await postmasterOf(testFolder.folder), 'SIGKILL')
    expect(await exit.promise).toBe('PostgreSQL exited unexpectedly (SIGKILL).')
    await postgres.stop()
  })

  test('waits for an owner that is stopping, and keeps data and password', async () => {
    await using testFolder = await preparedFolder()
    const first = await testFolder.start()
    await ask(first, 'create table beds as select 7 as carrots')
    const second = await testFolder.start(() => first.stop())
    expect(await ask(second, 'select carrots from beds')).toBe(7)
    expect(new URL(second.url).password).toBe(new URL(first.url).password)
  })

  // In concurrent tests, `expect.poll` needs the `expect` of the test.
  longTest('stops when its owner is killed', {}, async ({ expect }) => {
    await using testFolder = await preparedFolder()
    const owner = await testFolder.startOwner()
    const postmaster = await postmasterOf(testFolder.folder)
    await kill(owner.child)
    await expect.poll(() => isAlive(postmaster), { timeout: 20_000 }).toBe(false)
  })

  longTest(
    'is stopped by the next start if it outlives its owner, without loss of data',
    { skip: process.platform !== 'linux' },
    async ({ expect }) => {
      await using testFolder = await preparedFolder()
      const owner = await testFolder.startOwner()
      await ask(owner, 'create table beds as select 7 as carrots')
      const postmaster = await postmasterOf(testFolder.folder)
      const guard = await guardOf(owner.child, postmaster)
      process.kill(guard, 'SIGSTOP')
      await kill(owner.child)
      process.kill(guard, 'SIGKILL')
      expect(isAlive(postmaster)).toBe(true)

      const notices: string[] = []
      const next = await testFolder.start((line) => notices.push(line))
      expect(notices).toContain('Stopping the PostgreSQL that an earlier run left behind.')
      await expect.poll(() => isAlive(postmaster), { timeout: 20_000 }).toBe(false)
      expect(await ask(next, 'select carrots from beds')).toBe(7)
    },
  )

  longTest('is stopped by the next start if it hangs', {}, async () => {
    await using testFolder = await preparedFolder()
    const owner = await testFolder.startOwner()
    const postmaster = await postmasterOf(testFolder.folder)
    process.kill(postmaster, 'SIGSTOP')
    await kill(owner.child)

    expect(await ask(await testFolder.start(), 'select 1')).toBe(1)
  })

  longTest('starts despite a stale pid file and does not stop the process that it names', {}, async () => {
    await using testFolder = await preparedFolder()
    const first = await testFolder.start()
    const pidFile = join(testFolder.folder, 'cluster', 'postmaster.pid')
    const written = await readFile(pidFile, 'utf8')
    await first.stop()
    const stranger = spawn(process.execPath, ['--eval', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
    testFolder.defer(() => stranger.kill('SIGKILL'))
    await writeFile(pidFile, written.replace(/^\d+/, String(stranger.pid)))

    expect(await ask(await testFolder.start(), 'select 1')).toBe(1)
    expect(stranger.exitCode ?? stranger.signalCode).toBe(null)
  })

  longTest(
    'is prepared again, in a long path with special characters, after the preparation was killed',
    {},
    async () => {
      await using testFolder = await newFolder({ name: `with a space, 'quotes' and ${'length '.repeat(20)}` })
      await mkdir(join(testFolder.folder, 'new-half', 'cluster', 'base'), { recursive: true })
      await writeFile(join(testFolder.folder, 'new-half', 'cluster', 'PG_VERSION'), '18\n')
      const source = `
    import { startEmbeddedPostgres } from ${JSON.stringify(import.meta.resolve('./start.ts'))}
    const notice = () => setTimeout(() => process.kill(process.pid, 'SIGKILL'), 150)
    await startEmbeddedPostgres({ ...${JSON.stringify({ folder: testFolder.folder, settings })}, notice })
  `
      const child = spawn(process.execPath, ['--input-type=module', '--eval', source], { stdio: 'inherit' })
      await once(child, 'exit')
      expect(child.signalCode).toBe('SIGKILL')

      expect(await ask(await testFolder.start(), 'select 1')).toBe(1)
      expect((await readdir(testFolder.folder)).sort()).toEqual(['cluster', 'lock', 'password'])
    },
  )

  longTest('replaces a lost password', {}, async () => {
    await using testFolder = await preparedFolder()
    const first = await testFolder.start()
    await first.stop()
    await rm(join(testFolder.folder, 'password'))

    const second = await testFolder.start()
    expect(await ask(second, 'select 1')).toBe(1)
    expect(new URL(second.url).password).not.toBe(new URL(first.url).password)
  })

  longTest('fails with the reason of PostgreSQL if it can not start', {}, async () => {
    await using testFolder = await preparedFolder()
    const wrong = startEmbeddedPostgres({
      folder: testFolder.folder,
      settings: { ...settings, shared_buffers: 'plenty' },
    })
    await expect(wrong).rejects.toThrow(/invalid value for parameter "shared_buffers"/)
    expect(await ask(await testFolder.start(), 'select 1')).toBe(1)
  })

  test.runIf(isRoot)('runs as another user if started by root', async () => {
    expect((await stat(join(prepared, 'postgres', 'cluster'))).uid).not.toBe(0)
  })

  longTest(
    'moves its data to a folder that this user can read if started by root',
    { skip: !isRoot },
    async () => {
      // Not in the system's temporary folder, where the code opens the parent folders instead.
      await using testFolder = await newFolder({ parent: '/var/lib', name: 'data/postgres' })
      const postgres = await testFolder.start()
      const outside = await realpath(testFolder.folder)
      testFolder.defer(() => rm(outside, { recursive: true, force: true }))
      expect(await readlink(testFolder.folder)).toBe(outside)
      expect(outside).toMatch(/^\/var\/lib\/rhubarb\/data-/)
      await ask(postgres, 'create table beds as select 7 as carrots')
      await postgres.stop()

      expect(await ask(await testFolder.start(), 'select carrots from beds')).toBe(7)
    },
  )
})
