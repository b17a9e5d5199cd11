import { afterAll, expect, test } from 'vitest'
import { authMessages, confirmEmail, getProfile, resendConfirmation } from '#contract/auth.ts'
import { updateProfile } from '#contract/profile.ts'
import type { Actor } from '#test/actor.ts'
import { tokenIn } from '#test/links.ts'
import { newWorld } from '#test/world.ts'
import { hashOfToken } from './tokens.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())

/** The token of the newest mail to an address that has one. */
async function tokenFor(address: Pick<Actor, 'email'>): Promise<string> {
  await world.jobsDone()
  return tokenIn(world.mailTo(address).findLast(({ text }) => text.includes('token=')))
}

async function confirming(token: string): Promise<number> {
  return (await world.guest().try(confirmEmail, { body: { token } })).status
}

test('a new member confirms their address by the link in the first mail, once', async () => {
  const [ann] = await world.newcomers('ann')
  await world.jobsDone()
  const token = tokenIn(world.mailTo(ann)[0])

  expect(await world.guest().call(confirmEmail, { body: { token } })).toEqual({
    message: authMessages.confirmed,
  })
  const again = await world.guest().try(confirmEmail, { body: { token } })
  expect([again.status, again.body.detail]).toEqual([400, authMessages.confirmInvalid])
})

test('a confirmation link lives seven days', async () => {
  const [ann] = await world.newcomers('ann')
  const token = await tokenFor(ann)
  const { expires_at, created_at } = await world.db
    .selectFrom('email_confirmations')
    .select(['expires_at', 'created_at'])
    .where('email', '=', ann.email)
    .executeTakeFirstOrThrow()
  expect(Math.round((Date.parse(expires_at) - Date.parse(created_at)) / 3_600_000)).toBe(7 * 24)

  await world.db
    .updateTable('email_confirmations')
    .set({ expires_at: new Date(Date.now() - 1).toISOString() })
    .where('email', '=', ann.email)
    .execute()
  expect(await confirming(token)).toBe(400)
})

test('a mail other than confirmation and reset waits until its reader has confirmed the address', async () => {
  const [ann, bob] = await world.newcomers('ann', 'bob')
  const subjects = (who: Actor) => world.mailTo(who).map(({ subject }) => subject)
  await ann.call(updateProfile, { body: { password: 'walls-of-jericho-3' } })
  await bob.call(updateProfile, { body: { password: 'walls-of-jericho-4' } })
  await world.jobsDone()
  expect(subjects(ann)).toEqual(['Welcome to Rhubarb'])

  expect(await confirming(await tokenFor(ann))).toBe(200)
  await bob.call(updateProfile, { body: { password: 'walls-of-jericho-5' } })
  await world.jobsDone()
  expect(subjects(ann)).toEqual(['Welcome to Rhubarb', 'Your password was changed'])
  expect(subjects(bob)).toEqual(['Welcome to Rhubarb'])
})

test('a new e-mail is announced to the old address and confirmed at the new one', async () => {
  const [ann] = await world.newcomers('ann')
  const email = `${ann.username}@elsewhere.example`
  await world.jobsDone()
  await world.guest().call(confirmEmail, { body: { token: tokenIn(world.mailTo(ann)[0]) } })

  await ann.call(updateProfile, { body: { email } })
  await world.jobsDone()
  const [toNew] = world.mailTo({ email })
  expect(world.mailTo(ann).map(({ subject }) => subject)).toContain('Your e-mail address was changed')
  expect(world.mailTo(ann).at(-1)?.text).not.toContain('elsewhere')
  expect(toNew?.subject).toBe('Confirm your e-mail address')

  await ann.call(updateProfile, { body: { password: 'walls-of-jericho-3' } })
  await world.jobsDone()
  expect(world.mailTo({ email })).toHaveLength(1)
  await world.guest().call(confirmEmail, { body: { token: tokenIn(toNew) } })
  await world.jobsDone()
  expect(world.mailTo({ email })).toHaveLength(2)
})

test('a link confirms only the address it was sent to', async () => {
  const [ann] = await world.newcomers('ann')
  const email = `${ann.username}@elsewhere.example`
  const token = await tokenFor(ann)
  await ann.call(updateProfile, { body: { email } })
  await world.jobsDone()
  // As it is while the mail to the new address is on its way.
  await world.db
    .updateTable('email_confirmations')
    .set({ token_hash: hashOfToken(token), email: ann.email })
    .where('email', '=', email)
    .execute()
  expect(await confirming(token)).toBe(400)
})

test('a later link ends an earlier one, also for the same address', async () => {
  const [ann] = await world.newcomers('ann')
  const email = `${ann.username}@elsewhere.example`
  const first = await tokenFor(ann)
  await ann.call(updateProfile, { body: { email } })
  await world.jobsDone()
  await ann.call(updateProfile, { body: { email: ann.email } })
  const second = await tokenFor(ann)
  expect([await confirming(first), await confirming(second)]).toEqual([400, 200])
})

test('the same address in other letters is no new one: nobody is written to, and its link still serves', async () => {
  const [ann] = await world.newcomers('ann')
  const token = await tokenFor(ann)
  const before = world.mails.length
  await ann.call(updateProfile, { body: { email: ann.email.toUpperCase() } })
  await world.jobsDone()
  expect(world.mails).toHaveLength(before)
  expect(await confirming(token)).toBe(200)
})

test('a member has the confirmation mail sent again, and its link ends the one before', async () => {
  const [ann] = await world.newcomers('ann')
  const first = await tokenFor(ann)
  expect(await ann.call(getProfile)).toMatchObject({ email_confirmed: false })

  expect(await ann.call(resendConfirmation)).toEqual({ message: authMessages.confirmationSent })
  const second = await tokenFor(ann)
  expect(world.mailTo(ann).map(({ subject }) => subject)).toEqual([
    'Welcome to Rhubarb',
    'Confirm your e-mail address',
  ])
  expect(await confirming(first)).toBe(400)
  expect(await confirming(second)).toBe(200)
  expect(await ann.call(getProfile)).toMatchObject({ email_confirmed: true })
})

test('a confirmed address gets no further confirmation mail', async () => {
  const [ann] = await world.newcomers('ann')
  await confirming(await tokenFor(ann))
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
