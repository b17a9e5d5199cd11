import { afterAll, expect, test } from 'vitest'
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
