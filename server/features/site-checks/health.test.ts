import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { checkSiteNow, getHealth } from '#contract/health.ts'
import { createListing } from '#contract/listings.ts'
import { updateProfile } from '#contract/profile.ts'
import { admin } from '#test/admin.ts'
import { addFailedJob } from '#test/failed-jobs.ts'
import { photo } from '#test/pictures.ts'
import { newWorld } from '#test/world.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())
const olga = await world.member({ username: 'olga' })
await admin(world, 'grant', 'olga', 'operator')

test('an operator sees the nodes, the database, the photos and the backup', async () => {
  await olga.call(createListing, { body: { title: 'Apples', price: 2 }, file: await photo() })
  await using _second = await world.node()
  const health = await olga.call(getHealth)
  expect(health).toMatchObject({
    release: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    nodes: 2,
    postgresql: { version: expect.stringMatching(/^\d+/), bytes: expect.any(Number) },
    replica: null,
    redis: null,
    photos: { count: 1, bytes: expect.any(Number), in_bucket: false },
    backup_at: null,
  })
  expect(health.photos.bytes).toBeGreaterThan(0)
  expect(health.postgresql.bytes).toBeGreaterThan(1e6)
  expect(health.alerts).toContainEqual({
    key: 'backup',
    state: 'warning',
    says: 'This database has never been backed up by `npm run backup`.',
    todo: expect.stringContaining('nightly backup'),
  })
})

test('failed jobs are an alert, in the language of the operator', async () => {
  // A new node has looked at nothing yet.
  await using node = await world.node()
  const there = node.as(olga)
  await addFailedJob(world.db, olga.id)
  await olga.call(updateProfile, { body: { language: 'de' } })
  const { alerts } = await there.call(getHealth)
  expect(alerts).toContainEqual({
    key: 'jobs',
    state: 'warning',
    says: '1 Auftrag ist endgültig gescheitert.',
    todo: 'Lies die Fehler unter E-Mail und Aufträge, und versuche die Aufträge erneut oder verwirf sie.',
  })
})

test('Redis that is away is an alert', async () => {
  await using node = await world.node({ redisUrl: 'redis://127.0.0.1:9' })
  const { redis, alerts } = await node.as(olga).call(getHealth)
  expect(redis).toBe(false)
  expect(alerts).toContainEqual(expect.objectContaining({ key: 'redis', state: 'error' }))
})

test('a replica that is away is an alert', async () => {
  const readUrl = 'postgres://rhubarb@127.0.0.1:9/rhubarb'
  await using node = await world.node({ database: { ...world.config.database, readUrl } })
  const { replica, alerts } = await node.as(olga).call(getHealth)
  expect(replica).toEqual({ lag_ms: null, is_used: false })
  expect(alerts).toContainEqual(expect.objectContaining({ key: 'replica', state: 'warning' }))
})

test('jobs that are due for more than ten minutes are an alert, unlike jobs for a later time', async () => {
  // No node runs the jobs of this kind.
  await sql`select jobs.create_queue('unknown-kind', '{"policy": "standard"}')`.execute(world.db)
  const lateAlerts = async () => {
    // A new node has looked at nothing yet.
    await using node = await world.node()
    const { alerts } = await node.as(olga).call(getHealth)
    return alerts.filter(({ says }) => says.includes('unknown-kind'))
  }
  const wait = (age: string, due: string) =>
    sql`
      insert into jobs.job (name, created_on, start_after)
      values ('unknown-kind', now() - ${age}::interval, now() + ${due}::interval)`.execute(world.db)
  await wait('9 minutes', '-9 minutes')
  await wait('1 day', '1 day')
  expect(await lateAlerts()).toEqual([])
  await wait('1 day', '-11 minutes')
  expect(await lateAlerts()).toMatchObject([{ key: 'jobs', state: 'warning' }])
})

test('the time of the newest backup is shown', async () => {
  const taken_at = new Date().toISOString()
  await sql`insert into newest_backup (taken_at) values (${taken_at})`.execute(world.db)
  await using node = await world.node()
  expect((await node.as(olga).call(getHealth)).backup_at).toBe(taken_at)
})

test('the checks of the shell run on a press, with the mail server', async () => {
  const checks = await olga.call(checkSiteNow)
  expect(checks.map(({ key }) => key)).toEqual(expect.arrayContaining(['database', 'site', 'mail', 'backup']))
  expect(checks.find(({ key }) => key === 'mail')).toMatchObject({
    says: expect.stringContaining('127.0.0.1'),
  })
})
