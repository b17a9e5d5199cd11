import { expect, test } from 'vitest'
import { getProfile } from '#contract/auth.ts'
import { newWorld } from '#test/world.ts'

test('a guest registers, logs in, and reads their profile', async () => {
  await using world = await newWorld()
  const [ann] = await world.members('ann')

  expect(await ann.call(getProfile)).toMatchObject({
    username: 'ann',
    email: 'ann@example.com',
    friend_count: 0,
  })
})

test('a new member is welcomed by mail', async () => {
  await using world = await newWorld()
  const [ann] = await world.members('ann')
  await world.jobsDone()

  expect(world.mailTo(ann)).toMatchObject([
    { subject: 'Welcome to Rhubarb', html: expect.stringContaining('ann') },
  ])
})
