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

test('the checks of the shell run on a press, with the mail server', async () => {
  const checks = await olga.call(checkSiteNow)
  expect(checks.map(({ key }) => key)).toEqual(expect.arrayContaining(['database', 'site', 'mail', 'backup']))
  expect(checks.find(({ key }) => key === 'mail')).toMatchObject({
    says: expect.stringContaining('127.0.0.1'),
  })
})
