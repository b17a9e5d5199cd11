import { expect, test } from 'vitest'
import { createLog } from '#server/platform/log.ts'
import { newWorld, type World } from '#test/world.ts'
import { postgresBus } from './postgres-bus.ts'

const newBus = ({ databaseUrl }: World) => postgresBus({ url: databaseUrl, log: createLog('silent') })
/** The listener of the world's own node. */
const ownListener = 1

test('closes its connection if it can not subscribe', async () => {
  await using world = await newWorld()
  const bus = newBus(world)
  const invalidChannel = ''
  bus.on(
    invalidChannel,
    () => {},
    () => {},
  )

  await expect(bus.start()).rejects.toThrow('zero-length')
  await expect.poll(() => world.listeners()).toBe(ownListener)
})

test('closes its connection if it is stopped while it connects', async () => {
  await using world = await newWorld()
  const bus = newBus(world)
  const started = bus.start()
  await bus.stop()
  await started

  expect(bus.isConnected()).toBe(false)
  await expect.poll(() => world.listeners()).toBe(ownListener)
})
