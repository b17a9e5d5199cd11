import { afterAll, expect, test } from 'vitest'
import { types } from '#contract/constants.ts'
import { createListing } from '#contract/listings.ts'
import { updatePreferences } from '#contract/profile.ts'
import { subscribeToPush } from '#contract/push.ts'
import { createWant } from '#contract/wants.ts'
import { startPushService } from '#test/push-service.ts'
import { zoneWhereItIs } from '#test/time-zones.ts'
import { newWorld } from '#test/world.ts'

const push = await startPushService()
const world = await newWorld({ config: { push: push.settings } })
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await push.stop()
})

test('pushes to the ten browsers that a member subscribed last', async () => {
  const [ann, bob, lister] = await world.members('ann', 'bob', 'lister')
  await ann.call(updatePreferences, { body: { time_zone: zoneWhereItIs(12) } })
  await ann.call(createWant, { body: { title: 'rhubarb' } })
  const [shared, first, second] = [push.browser(), push.browser(), push.browser()]
  const others = Array.from({ length: 8 }, () => push.browser())
  await bob.call(subscribeToPush, { body: shared.subscription })
  for (const { subscription } of [first, second, ...others, first, shared])
    await ann.call(subscribeToPush, { body: subscription })

  await lister.call(createListing, { body: { title: 'Rhubarb', type_id: types.giveaway } })
  await world.jobsDone()
  const pushed = [shared, first, second, ...others].map(({ shown }) => shown.length)
  expect(pushed).toEqual([1, 1, 0, ...others.map(() => 1)])
})
