import { expect, test } from 'vitest'
import { authMessages, confirmEmail, getProfile, resendConfirmation } from '#contract/auth.ts'
import { updateProfile } from '#contract/profile.ts'
import type { Actor } from '#test/actor.ts'
import { tokenIn } from '#test/links.ts'
import { newWorld, type World } from '#test/world.ts'
import { hashOfToken } from './tokens.ts'

/** The token of the newest mail to an address that has one. */
async function tokenFor(world: World, address: Pick<Actor, 'email'>): Promise<string> {
  await world.jobsDone()
  return tokenIn(world.mailTo(address).findLast(({ text }) => text.includes('token=')))
}

async function confirming(world: World, token: string): Promise<number> {
  return (await world.guest().try(confirmEmail, { body: { token } })).status
}

test('a new member confirms their address by the link in the first mail, once', async () => {
  await using world = await newWorld()
  const [ann] = await world.members('ann')
  await world.jobsDone()
  const token = tokenIn(world.mailTo(ann)[0])

  expect(await world.guest().call(confirmEmail, { body: { token } })).toEqual({
    message: authMessages.confirmed,
  })
  const again = await world.guest().try(confirmEmail, { body: { token } })
  expect([again.status, again.body.detail]).toEqual([400, authMessages.confirmInvalid])
})

test('a confirmation link lives seven days', async () => {
  await using world = await newWorld()
  const [ann] = await world.members('ann')
  const token = await tokenFor(world, ann)
  const { expires_at, created_at } = await world.db
    .selectFrom('email_confirmations')
    .select(['expires_at', 'created_at'])
    .executeTakeFirstOrThrow()
  expect(Math.round((Date.parse(expires_at) - Date.parse(created_at)) / 3_600_000)).toBe(7 * 24)

  await world.db
    .updateTable('email_confirmations')
    .set({ expires_at: new Date(Date.now() - 1).toISOString() })
    .execute()
  expect(await confirming(world, token)).toBe(400)
})

test('a mail other than confirmation and reset waits until its reader has confirmed the address', async () => {
  await using world = await newWorld()
  const [ann, bob] = await world.members('ann', 'bob')
  const subjects = (who: Actor) => world.mailTo(who).map(({ subject }) => subject)
  await ann.call(updateProfile, { body: { password: 'walls-of-jericho-3' } })
  await bob.call(updateProfile, { body: { password: 'walls-of-jericho-4' } })
  await world.jobsDone()
  expect(subjects(ann)).toEqual(['Welcome to Rhubarb'])

  expect(await confirming(world, await tokenFor(world, ann))).toBe(200)
  await bob.call(updateProfile, { body: { password: 'walls-of-jericho-5' } })
  await world.jobsDone()
  expect(subjects(ann)).toEqual(['Welcome to Rhubarb', 'Your password was changed'])
  expect(subjects(bob)).toEqual(['Welcome to Rhubarb'])
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
  expect(toNew?.subject).toBe('Confirm your e-mail address')

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
  const token = await tokenFor(world, ann)
  await ann.call(updateProfile, { body: { email: 'ann@elsewhere.example' } })
  await world.jobsDone()
  // As it is while the mail to the new address is on its way.
  await world.db
    .updateTable('email_confirmations')
    .set({ token_hash: hashOfToken(token), email: ann.email })
    .execute()
  expect(await confirming(world, token)).toBe(400)
})

test('a later link ends an earlier one, also for the same address', async () => {
  await using world = await newWorld()
  const [ann] = await world.members('ann')
  const first = await tokenFor(world, ann)
  await ann.call(updateProfile, { body: { email: 'ann@elsewhere.example' } })
  await world.jobsDone()
  await ann.call(updateProfile, { body: { email: ann.email } })
  const second = await tokenFor(world, ann)
  expect([await confirming(world, first), await confirming(world, second)]).toEqual([400, 200])
})

test('the same address in other letters is no new one: nobody is written to, and its link still serves', async () => {
  await using world = await newWorld()
  const [ann] = await world.members('ann')
  const token = await tokenFor(world, ann)
  await ann.call(updateProfile, { body: { email: 'Ann@Example.com' } })
  await world.jobsDone()
  expect(world.mails).toHaveLength(1)
  expect(await confirming(world, token)).toBe(200)
})

test('a member has the confirmation mail sent again, and its link ends the one before', async () => {
  await using world = await newWorld()
  const [ann] = await world.members('ann')
  const first = await tokenFor(world, ann)
  expect(await ann.call(getProfile)).toMatchObject({ email_confirmed: false })

  expect(await ann.call(resendConfirmation)).toEqual({ message: authMessages.confirmationSent })
  const second = await tokenFor(world, ann)
  expect(world.mailTo(ann).map(({ subject }) => subject)).toEqual([
    'Welcome to Rhubarb',
    'Confirm your e-mail address',
  ])
  expect(await confirming(world, first)).toBe(400)
  expect(await confirming(world, second)).toBe(200)
  expect(await ann.call(getProfile)).toMatchObject({ email_confirmed: true })
})

test('a confirmed address gets no further confirmation mail', async () => {
  await using world = await newWorld()
  const [ann] = await world.members('ann')
  await confirming(world, await tokenFor(world, ann))
  const before = world.mailTo(ann).length

  expect(await ann.call(resendConfirmation)).toEqual({ message: authMessages.alreadyConfirmed })
  await world.jobsDone()
  expect(world.mailTo(ann)).toHaveLength(before)
})

test('a member has at most five confirmation mails sent in an hour', async () => {
  await using world = await newWorld({ rateLimits: true })
  const [ann] = await world.members('ann')
  for (let mail = 0; mail < 5; mail += 1) await ann.call(resendConfirmation)
  expect((await ann.try(resendConfirmation)).status).toBe(429)
})
