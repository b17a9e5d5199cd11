import { expect, test } from 'vitest'
import { createLog } from '#server/platform/log.ts'
import { newWorld, type World } from '#test/world.ts'
import { postgresEvents } from './postgres-events.ts'

const newReceiver = ({ databaseUrl }: World) => postgresEvents({ url: databaseUrl, log: createLog('silent') })
/** The listener of the world's own node. */
const ownListener = 1

test('closes its connection if it can not subscribe', async () => {
  await using world = await newWorld()
  const events = newReceiver(world)
  const invalidChannel = ''
  events.on(
    invalidChannel,
    () => {},
    () => {},
  )

  await expect(events.start()).rejects.toThrow('zero-length')
  await expect.poll(() => world.listeners()).toBe(ownListener)
})

test('closes its connection if it is stopped while it connects', async () => {
  await using world = await newWorld()
  const events = newReceiver(world)
  const started = events.start()
  await events.stop()
  await started

  await expect.poll(() => world.listeners()).toBe(ownListener)
})
