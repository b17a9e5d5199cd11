import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { getProfile, uploadProfileImage } from '#contract/auth.ts'
import { types } from '#contract/constants.ts'
import { createListing, deleteListing, getListing } from '#contract/listings.ts'
import { sendMessage } from '#contract/messages.ts'
import { createWant } from '#contract/wants.ts'
import { listTables, nameOf } from '#server/platform/db/copies.ts'
import { listMigrations } from '#server/platform/db/migrate.ts'
import { startEmbeddedPostgres } from '#server/platform/embedded-postgres/start.ts'
import { createDiskStorage } from '#server/platform/images/disk-storage.ts'
import { renditionFile } from '#server/platform/images/images.ts'
import { migrations, prepareDatabase } from '#server/start.ts'
import type { Actor } from '#test/actor.ts'
import { photo } from '#test/pictures.ts'
import { newDatabase, newWorld } from '#test/world.ts'
import { takeBackup } from './backup.ts'
import { restoreBackup } from './restore.ts'
import { isKept, schemas } from './tables.ts'

const run = promisify(execFile)
const stack = new AsyncDisposableStack()
afterAll(() => stack.disposeAsync())
const world = stack.use(await newWorld())
const folder = await mkdtemp(join(tmpdir(), 'rhubarb-backup-'))
stack.defer(() => rm(folder, { recursive: true, force: true }))
const [ann, bob] = await world.members('ann', 'bob')
const storage = createDiskStorage(join(world.dataDir, 'images'))

/** Returns a digest of the rows of each table. */
async function digestOf(client: pg.Client) {
  const digests: Record<string, string> = {}
  for (const table of (await listTables(client, schemas)).filter(isKept)) {
    const { rows } = await client.query<{ digest: string }>(
      `select count(*) || ' ' || coalesce(md5(string_agg(row, e'\\n' order by row)), '') as digest
       from (select t::text as row from ${nameOf(table)} t) rows`,
    )
    digests[nameOf(table)] = rows[0]?.digest ?? ''
  }
  return digests
}

async function asking<Result>(url: string, ask: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return ask(client).finally(() => client.end())
}

async function bytesBelow(path: string) {
  const entries = await readdir(path, { recursive: true })
  const files = entries.filter((entry) => entry.endsWith('.webp'))
  return new Map(
    await Promise.all(
      files.map(
        async (file) => [file.slice(file.lastIndexOf('/') + 1), await readFile(join(path, file))] as const,
      ),
    ),
  )
}

/** Everybody goes on as ever: lists and takes down again, writes, changes photos. */
function goOn(members: readonly [Actor, Actor]) {
  let isOver = false
  const [one, other] = members
  async function write() {
    for (let turn = 0; !isOver; turn += 1) {
      const body = { title: `Squash ${turn}`, type_id: types.giveaway }
      const listing = await one.call(createListing, { body, file: await photo({ width: 40 + turn }) })
      await other.call(sendMessage, { body: { receiver_id: one.id, content: `Is squash ${turn} left?` } })
      await other.call(uploadProfileImage, { body: {}, file: await photo({ width: 50 + turn }) })
      if (turn < 5) await other.call(createWant, { body: { title: `pumpkin ${turn}` } })
      if (turn % 2 === 0) await one.call(deleteListing, { params: { id: listing.id } })
    }
  }
  const writing = write()
  return async () => {
    isOver = true
    await writing
  }
}

/** The commands, as an operator types them. */
function command(name: 'backup' | 'restore', env: Record<string, string>, ...words: string[]) {
  const program = join(import.meta.dirname, 'main.ts')
  return run(process.execPath, [program, name, ...words], { env: { PATH: '/usr/bin:/bin', ...env } }).then(
    ({ stdout }) => ({ code: 0, said: stdout }),
    (error: { code: number; stderr: string }) => ({ code: error.code, said: error.stderr }),
  )
}

const wellDone = { code: 0, said: expect.stringContaining('All is as it was at') }

test('a backup that is taken while members go on restores into a new cluster, row for row and byte for byte', {
  timeout: 120_000,
}, async () => {
  const { id } = await ann.call(createListing, {
    body: {
      title: 'The "last" beans \\N – 🫘',
      description: 'A line\nand \\another\\n',
      type_id: types.giveaway,
    },
    file: await photo(),
  })
  const stop = goOn([ann, bob])
  await expect
    .poll(() => world.db.selectFrom('listings').select('id').execute(), { timeout: 20_000 })
    .toHaveLength(3)

  const path = join(folder, 'while-busy')
  let then: { rows: Record<string, string>; files: Map<string, Buffer>; images: string[] } | undefined
  const backup = await takeBackup({
    url: world.databaseUrl,
    storage,
    folder: path,
    meanwhile: (snapshot) =>
      asking(world.databaseUrl, async (client) => {
        await client.query('begin isolation level repeatable read')
        await client.query(`set transaction snapshot '${snapshot}'`)
        const images = await client.query<{ name: string; widths: number[] }>(
          'select name, widths from images',
        )
        then = {
          rows: await digestOf(client),
          images: images.rows.flatMap(({ name, widths }) =>
            widths.map((width) => renditionFile(name, width)),
          ),
          files: await bytesBelow(join(world.dataDir, 'images')),
        }
        // Long enough that photos which are there now are deleted before they are copied or not.
        await sleep(500)
      }),
  })
  await stop()
  expect(backup.images?.missing).toEqual([])

  const dataDir = join(folder, 'new-machine')
  const env = { DATA_DIR: dataDir, LOG_LEVEL: 'silent' }
  expect(await command('restore', env, path)).toMatchObject(wellDone)
  const cluster = stack.use(postgresIn(await startEmbeddedPostgres({ folder: join(dataDir, 'postgres') })))
  expect(await asking(cluster.url, digestOf)).toEqual(then?.rows)
  const restored = await bytesBelow(join(dataDir, 'images'))
  expect([...restored.keys()].sort()).toEqual(then?.images.sort())
  for (const [file, bytes] of restored) expect(then?.files.get(file)?.equals(bytes), file).toBe(true)

  await using node = await world.node({ dataDir }, cluster.url)
  const annThere = node.meet(ann)
  expect(await annThere.call(getProfile)).toEqual(ann.profile)
  const listing = await annThere.call(getListing, { params: { id } })
  expect(await annThere.send('GET', `/api/${listing.featured_image}`)).toMatchObject({ status: 200 })
  const posted = await annThere.call(createListing, { body: { title: 'New beans', type_id: types.giveaway } })
  expect(posted.id).toBeGreaterThan(id)
})

function postgresIn(postgres: Awaited<ReturnType<typeof startEmbeddedPostgres>>) {
  return { url: postgres.url, [Symbol.asyncDispose]: () => postgres.stop() }
}

test('nothing that is there is lost by a restore that was not meant, and nothing broken is restored', async () => {
  const path = join(folder, 'of-a-world')
  const env = { DATABASE_URL: world.databaseUrl, DATA_DIR: world.dataDir, LOG_LEVEL: 'silent' }
  expect(await command('backup', env, path)).toMatchObject({ code: 0 })
  const again = takeBackup({ url: world.databaseUrl, storage, folder: path })
  await expect(again).rejects.toThrow('There is something in')

  const database = await newDatabase('template_world')
  stack.defer(() => database.drop())
  const otherStorage = createDiskStorage(join(folder, 'other-machine'))
  const restore = ({ url = database.url, from = path, replace = true } = {}) =>
    restoreBackup({ url, storage: otherStorage, folder: from, replace })
  await restore({ replace: false })
  const restored = await asking(database.url, digestOf)
  await asking(database.url, (client) => client.query(`update users set city = 'Ghent'`))
  const filled = await asking(database.url, digestOf)

  await expect(restore({ url: world.databaseUrl })).rejects.toThrow('A server is running on this database')
  await expect(restore({ from: folder })).rejects.toThrow('There is no whole backup in')
  await expect(restore({ replace: false })).rejects.toThrow('There are members in this database')
  const manifest = JSON.parse(await readFile(join(path, 'backup.json'), 'utf8'))
  const pretend = (migrations: string[]) =>
    writeFile(join(path, 'backup.json'), JSON.stringify({ ...manifest, migrations }))
  await pretend([...manifest.migrations, '9999_of_tomorrow'])
  await expect(restore()).rejects.toThrow('of a newer Rhubarb')
  await pretend(['0001_members_listings'])
  await expect(restore()).rejects.toThrow('This backup was made before the first release')
  await pretend(manifest.migrations.slice(0, -1))
  await expect(restore()).rejects.toThrow('of an older Rhubarb')
  await pretend(manifest.migrations)
  const users = join(path, 'tables', 'public.users.copy.gz')
  const bytes = await readFile(users)
  await writeFile(users, 'worms')
  await expect(restore()).rejects.toThrow('public.users.copy.gz is not as it was written')
  expect(await asking(database.url, digestOf)).toEqual(filled)

  await writeFile(users, bytes)
  await restore()
  expect(await asking(database.url, digestOf)).toEqual(restored)
})

test('an older backup is brought to the newest schema in a new database', async () => {
  const [before, after] = [await newDatabase('template0'), await newDatabase('template0')]
  stack.defer(() => before.drop())
  stack.defer(() => after.drop())
  const known = await listMigrations(migrations)
  await prepareDatabase(before.url, known.at(-2))
  await asking(before.url, (client) => client.query(`insert into images values ('plum', 9, 9, '', '{9}')`))
  const path = join(folder, 'of-old')
  await takeBackup({ url: before.url, storage: undefined, folder: path })
  await restoreBackup({ url: after.url, storage, folder: path, replace: false })

  const done = (client: pg.Client) => client.query('select name from kysely_migration order by name')
  expect((await asking(after.url, done)).rows.map(({ name }) => name)).toEqual(known)
  expect((await asking(after.url, (client) => client.query('select name from images'))).rows).toEqual([
    { name: 'plum' },
  ])
})
