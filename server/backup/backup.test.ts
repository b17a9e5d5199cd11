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
import { listReportCases, resolveReportCase } from '#contract/report-cases.ts'
import { report } from '#contract/reports.ts'
import { getSiteSettings, saveSiteLogo } from '#contract/site-settings.ts'
import { createWant } from '#contract/wants.ts'
import { migrations } from '#server/migrations-folder.ts'
import { listTables, nameOf } from '#server/platform/db/copies.ts'
import { listMigrations } from '#server/platform/db/migrate.ts'
import { startEmbeddedPostgres } from '#server/platform/embedded-postgres/start.ts'
import { createDiskStorage } from '#server/platform/images/disk-storage.ts'
import { renditionFile } from '#server/platform/images/images.ts'
import { prepareDatabase } from '#server/start.ts'
import type { Actor } from '#test/actor.ts'
import { admin } from '#test/admin.ts'
import { compileCache } from '#test/bare-server.ts'
import { isLong } from '#test/long.ts'
import { photo } from '#test/pictures.ts'
import { newDatabase, newWorld } from '#test/world.ts'
import { takeBackup } from './backup.ts'
import { restoreBackup } from './restore.ts'
import { isBackedUp, schemas } from './tables.ts'

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
  for (const table of (await listTables(client, schemas)).filter(isBackedUp)) {
    const { rows } = await client.query<{ digest: string }>(
      `select count(*) || ' ' || coalesce(md5(string_agg(row, e'\\n' order by row)), '') as digest
       from (select t::text as row from ${nameOf(table)} t) rows`,
    )
    digests[nameOf(table)] = rows[0]?.digest ?? ''
  }
  return digests
}

async function withClient<Result>(url: string, use: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return use(client).finally(() => client.end())
}

/** Returns the image files below a folder by name. */
async function imagesBelow(path: string) {
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

const pauseMs = 50

/** Posts and deletes listings, sends messages and changes photos until the returned function is called. */
function startWriting([seller, buyer]: readonly [Actor, Actor]) {
  let isOver = false
  async function write() {
    for (let turn = 0; !isOver; turn += 1) {
      const body = { title: `Squash ${turn}`, type_id: types.giveaway }
      const listing = await seller.call(createListing, { body, file: await photo({ width: 40 + turn }) })
      await buyer.call(sendMessage, { body: { receiver_id: seller.id, content: `Is squash ${turn} left?` } })
      await buyer.call(uploadProfileImage, { body: {}, file: await photo({ width: 50 + turn }) })
      if (turn < 5) await buyer.call(createWant, { body: { title: `pumpkin ${turn}` } })
      if (turn % 2 === 0) await seller.call(deleteListing, { params: { id: listing.id } })
      await sleep(pauseMs)
    }
  }
  const writing = write()
  return async () => {
    isOver = true
    await writing
  }
}

/** Runs a command like the operator does. */
function command(name: 'backup' | 'restore', env: Record<string, string>, ...words: string[]) {
  const program = join(import.meta.dirname, 'main.ts')
  return run(process.execPath, [program, name, ...words], {
    env: { PATH: '/usr/bin:/bin', ...compileCache, ...env },
  }).then(
    ({ stdout }) => ({ code: 0, output: stdout }),
    (error: { code: number; stderr: string }) => ({ code: error.code, output: error.stderr }),
  )
}

async function pictureOf(member: Actor) {
  return (await member.call(getProfile)).profile_picture
}

const success = { code: 0, output: expect.stringContaining('The database is restored to') }

async function restoreInNewDatabase(path: string, dataDir: string): Promise<string> {
  const database = await newDatabase('template0')
  stack.defer(() => database.drop())
  const env = { DATABASE_URL: database.url, DATA_DIR: dataDir, LOG_LEVEL: 'silent' }
  expect(await command('restore', env, path)).toMatchObject(success)
  return database.url
}

/** Restores a backup like on a new machine: into the embedded PostgreSQL, which the command prepares. */
async function restoreInNewCluster(path: string, dataDir: string): Promise<string> {
  expect(await command('restore', { DATA_DIR: dataDir, LOG_LEVEL: 'silent' }, path)).toMatchObject(success)
  const postgres = await startEmbeddedPostgres({ folder: join(dataDir, 'postgres') })
  stack.defer(() => postgres.stop())
  return postgres.url
}

/** Closes a report of a listing with a photo, which its owner deletes. The audit log has an action then. */
async function closeReport(owner: Actor, moderator: Actor) {
  await admin(world, 'grant', moderator.username, 'moderator')
  const body = { title: 'Plastic', type_id: types.giveaway }
  const { id } = await owner.call(createListing, { body, file: await photo() })
  await moderator.call(report, { body: { listing_id: id, reason: 'No plant' } })
  const [opened] = await moderator.call(listReportCases, { query: {} })
  await moderator.call(resolveReportCase, {
    params: { id: opened?.id ?? 0 },
    body: { outcome: 'dismiss', rule: 'other', reason: 'It is a pot' },
  })
  await owner.call(deleteListing, { params: { id } })
  await world.jobsDone()
}

/** Saves a logo of the site, whose picture no member owns. */
async function saveLogo(operator: Actor) {
  await admin(world, 'grant', operator.username, 'operator')
  const { version } = await operator.call(getSiteSettings)
  return operator.call(saveSiteLogo, { body: { version }, file: await photo() })
}

test('a backup taken during writes restores every row and byte', async () => {
  await closeReport(ann, bob)
  const { settings } = await saveLogo(bob)
  const { id } = await ann.call(createListing, {
    body: {
      title: 'The "last" beans \\N – 🫘',
      description: 'A line\nand \\another\\n',
      type_id: types.giveaway,
    },
    file: await photo(),
  })
  const stop = startWriting([ann, bob])
  await expect
    .poll(() => world.db.selectFrom('listings').select('id').execute(), { timeout: 20_000 })
    .toHaveLength(3)

  const path = join(folder, 'while-busy')
  let atBackup: { rows: Record<string, string>; files: Map<string, Buffer>; images: string[] } | undefined
  const backup = await takeBackup({
    url: world.databaseUrl,
    storage,
    folder: path,
    meanwhile: (snapshot) =>
      withClient(world.databaseUrl, async (client) => {
        await client.query('begin isolation level repeatable read')
        await client.query(`set transaction snapshot '${snapshot}'`)
        const picture = await pictureOf(bob)
        const images = await client.query<{ name: string; widths: number[] }>(
          'select name, widths from images union select name, widths from kept_photos',
        )
        atBackup = {
          rows: await digestOf(client),
          images: images.rows.flatMap(({ name, widths }) =>
            widths.map((width) => renditionFile(name, width)),
          ),
          files: await imagesBelow(join(world.dataDir, 'images')),
        }
        // The writer replaces a photo of the snapshot before it is copied.
        await expect.poll(() => pictureOf(bob)).not.toBe(picture)
      }),
  })
  await stop()
  expect(backup.images?.missing).toEqual([])

  const dataDir = join(folder, 'new-machine')
  const url = isLong ? await restoreInNewCluster(path, dataDir) : await restoreInNewDatabase(path, dataDir)
  expect(await withClient(url, digestOf)).toEqual(atBackup?.rows)
  const restored = await imagesBelow(join(dataDir, 'images'))
  expect([...restored.keys()].sort()).toEqual(atBackup?.images.sort())
  for (const [file, bytes] of restored) expect(atBackup?.files.get(file)?.equals(bytes), file).toBe(true)

  await using node = await world.node({ dataDir }, url)
  expect(await node.guest().send('GET', settings.logo?.src ?? '')).toMatchObject({ status: 200 })
  const annThere = node.as(ann)
  expect(await annThere.call(getProfile)).toEqual(ann.profile)
  const listing = await annThere.call(getListing, { params: { id } })
  expect(await annThere.send('GET', `/api/${listing.featured_image}`)).toMatchObject({ status: 200 })
  const posted = await annThere.call(createListing, { body: { title: 'New beans', type_id: types.giveaway } })
  expect(posted.id).toBeGreaterThan(id)
})

test('refuses to restore into a running or filled database or from an invalid backup', async () => {
  const path = join(folder, 'of-a-world')
  const take = () => takeBackup({ url: world.databaseUrl, storage, folder: path })
  if (isLong) {
    const env = { DATABASE_URL: world.databaseUrl, DATA_DIR: world.dataDir, LOG_LEVEL: 'silent' }
    expect(await command('backup', env, path)).toMatchObject({ code: 0 })
  } else await take()
  await expect(take()).rejects.toThrow('is not empty')

  const database = await newDatabase('template_world')
  stack.defer(() => database.drop())
  const otherStorage = createDiskStorage(join(folder, 'other-machine'))
  const restore = ({ url = database.url, from = path, replace = true } = {}) =>
    restoreBackup({ url, storage: otherStorage, folder: from, replace })
  await restore({ replace: false })
  const restored = await withClient(database.url, digestOf)
  await withClient(database.url, (client) =>
    client.query(
      `update users set city = 'Ghent'; insert into rate_limits (key, points) values ('ann', 5);
       insert into recent_writes select id, now() from users`,
    ),
  )
  const filled = await withClient(database.url, digestOf)

  await expect(restore({ url: world.databaseUrl })).rejects.toThrow('A server is running on this database')
  await expect(restore({ from: folder })).rejects.toThrow('There is no complete backup in')
  await expect(restore({ replace: false })).rejects.toThrow('There are members in this database')
  const manifest = JSON.parse(await readFile(join(path, 'backup.json'), 'utf8'))
  const setMigrations = (migrations: string[]) =>
    writeFile(join(path, 'backup.json'), JSON.stringify({ ...manifest, migrations }))
  await writeFile(join(path, 'backup.json'), '{"format": 1,')
  await expect(restore()).rejects.toThrow('backup.json is damaged')
  await setMigrations([...manifest.migrations, '9999_of_tomorrow'])
  await expect(restore()).rejects.toThrow('of a newer version')
  await setMigrations(['0001_members_listings'])
  await expect(restore()).rejects.toThrow('This backup was made before the first release')
  await setMigrations(manifest.migrations.slice(0, -1))
  await expect(restore()).rejects.toThrow('of an older version')
  await setMigrations(manifest.migrations)
  const users = join(path, 'tables', 'public.users.copy.gz')
  const bytes = await readFile(users)
  await writeFile(users, 'worms')
  await expect(restore()).rejects.toThrow('public.users.copy.gz is damaged')
  expect(await withClient(database.url, digestOf)).toEqual(filled)

  await writeFile(users, bytes)
  await restore()
  expect(await withClient(database.url, digestOf)).toEqual(restored)
  const { rows } = await withClient(database.url, (client) =>
    client.query('select user_id::text from recent_writes union all select key from rate_limits'),
  )
  expect(rows).toEqual([])
})

test('restores an older backup into a new database and migrates it', async () => {
  const [before, after] = [await newDatabase('template0'), await newDatabase('template0')]
  stack.defer(() => before.drop())
  stack.defer(() => after.drop())
  const known = await listMigrations(migrations)
  await prepareDatabase(before.url, known.at(-2))
  await withClient(before.url, (client) =>
    client.query(
      `insert into images (name, purpose, width, height, placeholder, widths) values ('plum', 'photo', 9, 9, '', '{9}')`,
    ),
  )
  const path = join(folder, 'of-old')
  await takeBackup({ url: before.url, storage: undefined, folder: path })
  await restoreBackup({ url: after.url, storage, folder: path, replace: false })

  const migrationsOf = (client: pg.Client) => client.query('select name from kysely_migration order by name')
  expect((await withClient(after.url, migrationsOf)).rows.map(({ name }) => name)).toEqual(known)
  expect((await withClient(after.url, (client) => client.query('select name from images'))).rows).toEqual([
    { name: 'plum' },
  ])
})
