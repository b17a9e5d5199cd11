import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { getProfile } from '#contract/auth.ts'
import { createWant } from '#contract/wants.ts'
import { seed } from '#test/seed.ts'
import { newWorld } from '#test/world.ts'
import { resourceUse, sendEvents, sendRequests } from './load.ts'

// `npm run test:hostile` sends 250 times as many.
const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())
const [mallory] = await world.members('mallory')
// The welcome mail adds a row that confirms her address.
await world.jobsDone()
const before = await resourceUse(world)

test('malformed requests cause no server error', async () => {
  await sendRequests(world, mallory, 400, seed)
})

test('malformed events cause no server error', async () => {
  await sendEvents(world, mallory, 200, seed)
})

test('malformed requests and events leave no rows', async () => {
  expect((await resourceUse(world)).rows).toEqual(before.rows)
})

test("one member's concurrent writes leave connections to the database for others", async () => {
  const bob = await world.member({ username: 'bob' })
  const operator = new pg.Client(world.databaseUrl)
  await operator.connect()
  await operator.query('begin')
  await operator.query('select from users where id = $1 for update', [mallory.id])
  const writes = Array.from({ length: 40 }, () => mallory.try(createWant, { body: { title: 'Figs' } }))
  await expect.poll(() => world.waitingForLocks()).toBeGreaterThan(3)
  expect(await bob.try(getProfile)).toMatchObject({ status: 200 })
  await operator.query('commit')
  await operator.end()
  await Promise.all(writes)
})
