import { expect, test } from 'vitest'
import { authSentences, confirmEmail } from '#contract/auth.ts'
import { updateProfile } from '#contract/profile.ts'
import { tokenIn } from '#test/links.ts'
import { newWorld } from '#test/world.ts'

test('a new member confirms their address by the link in the first mail, once', async () => {
  await using world = await newWorld()
  const [ann] = await world.members('ann')
  await world.jobsDone()
  const token = tokenIn(world.mailTo(ann)[0])

  expect(await world.guest().call(confirmEmail, { body: { token } })).toEqual({
    message: authSentences.confirmed,
  })
  const again = await world.guest().try(confirmEmail, { body: { token } })
  expect([again.status, again.body.detail]).toEqual([400, authSentences.confirmInvalid])
})

test('a mail other than confirmation and reset waits until the address is confirmed', async () => {
  await using world = await newWorld()
  const [ann] = await world.members('ann')
  await ann.call(updateProfile, { body: { password: 'walls-of-jericho-3' } })
  await world.jobsDone()
  expect(world.mailTo(ann).map(({ subject }) => subject)).toEqual(['Welcome to Rhubarb'])

  await world.guest().call(confirmEmail, { body: { token: tokenIn(world.mailTo(ann)[0]) } })
  await world.jobsDone()
  expect(world.mailTo(ann).map(({ subject }) => subject)).toEqual([
    'Welcome to Rhubarb',
    'Your password was changed',
  ])
})

test('a new e-mail is announced to the old address and confirmed at the new one', async () => {
  await using world = await newWorld()
  const [ann] = await world.members('ann')
  await world.jobsDone()
  await world.guest().call(confirmEmail, { body: { token: tokenIn(world.mailTo(ann)[0]) } })

  await ann.call(updateProfile, { body: { email: 'ann@elsewhere.example' } })
  await world.jobsDone()
  const [toNew] = world.mailTo({ email: 'ann@elsewhere.example' })
  expect(world.mailTo(ann).map(({ subject }) => subject)).toContain('Your e-mail address was changed')
  expect(world.mailTo(ann).at(-1)?.text).not.toContain('elsewhere')
  expect(toNew?.subject).toBe('Confirm your new address')

  await ann.call(updateProfile, { body: { password: 'walls-of-jericho-3' } })
  await world.jobsDone()
  expect(world.mailTo({ email: 'ann@elsewhere.example' })).toHaveLength(1)
  await world.guest().call(confirmEmail, { body: { token: tokenIn(toNew) } })
  await world.jobsDone()
  expect(world.mailTo({ email: 'ann@elsewhere.example' })).toHaveLength(2)
})

test('a link confirms only the address it was sent to', async () => {
  await using world = await newWorld()
  const [ann] = await world.members('ann')
  await world.jobsDone()
  const token = tokenIn(world.mailTo(ann)[0])
  await ann.call(updateProfile, { body: { email: 'ann@elsewhere.example' } })
  expect((await world.guest().try(confirmEmail, { body: { token } })).status).toBe(400)
})
