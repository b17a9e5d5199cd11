import { afterAll, expect, test } from 'vitest'
import { createLog } from '#server/platform/log.ts'
import { newWorld } from '#test/world.ts'
import { postgresEvents } from './postgres-events.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())
const newReceiver = () => postgresEvents({ url: world.databaseUrl, log: createLog('silent') })
/** The listener of the world's own node. */
const ownListener = 1

test('closes its connection if it can not subscribe', async () => {
  const events = newReceiver()
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
  const events = newReceiver()
  const started = events.start()
  await events.stop()
  await started

  await expect.poll(() => world.listeners()).toBe(ownListener)
})
