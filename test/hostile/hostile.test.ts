import { afterAll, expect, test } from 'vitest'
import { seed } from '#test/seed.ts'
import { newWorld } from '#test/world.ts'
import { holdings, sendEvents, sendRequests } from './load.ts'

// `npm run test:hostile` sends a hundred times as much.
const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())
const [mallory] = await world.members('mallory')
// Her welcome is under way, and with it what confirms her address.
await world.jobsDone()
const before = await holdings(world)

test('no malformed request fails the server', async () => {
  await sendRequests(world, mallory, 1000, seed)
})

test('no malformed event fails the server', async () => {
  await sendEvents(world, mallory, 500, seed)
})

test('nothing of them is kept', async () => {
  expect((await holdings(world)).rows).toEqual(before.rows)
})
