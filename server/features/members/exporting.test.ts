import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { getProfile } from '#contract/auth.ts'
import { exportProfile } from '#contract/profile.ts'
import { newWorld } from '#test/world.ts'

const world = await newWorld({ rateLimits: true })
afterAll(() => world[Symbol.asyncDispose]())
const [ann, bob, cas] = await world.members('ann', 'bob', 'cas')

test('runs at most two slow exports at a time and serves other requests', async () => {
  const operator = new pg.Client(world.databaseUrl)
  await operator.connect()
  await operator.query('begin; lock table wants in access exclusive mode')
  const exports = [ann, bob].flatMap((member) =>
    Array.from({ length: 4 }, async () => (await member.try(exportProfile)).status),
  )
  await expect.poll(() => world.waitingForLocks()).toBeGreaterThan(1)

  expect((await cas.try(getProfile)).status).toBe(200)
  expect(await world.waitingForLocks()).toBe(2)
  await operator.query('commit')
  await operator.end()
  expect(new Set(await Promise.all(exports))).toEqual(new Set([200]))
})

test('limits a member to five exports, then one a minute', async () => {
  const dea = await world.member({ username: 'dea' })
  const tries = await Promise.all(Array.from({ length: 7 }, () => dea.try(exportProfile)))
  expect(tries.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 429, 429])
  expect(tries.find(({ status }) => status === 429)?.headers.get('retry-after')).toBe('60')
  expect((await cas.try(exportProfile)).status).toBe(200)
})
