import { afterAll, expect, test } from 'vitest'
import { authMessages, confirmEmail, getProfile, resendConfirmation } from '#contract/auth.ts'
import { updateProfile } from '#contract/profile.ts'
import type { Actor } from '#test/actor.ts'
import { tokenIn } from '#test/links.ts'
import { newWorld } from '#test/world.ts'
import { hashOfToken } from './tokens.ts'

const world = await newWorld({ registration: true })
afterAll(() => world[Symbol.asyncDispose]())

/** Returns the token of the newest mail to the address that contains one. */
async function tokenFor(address: Pick<Actor, 'email'>): Promise<string> {
  await world.jobsDone()
  return tokenIn(world.mailTo(address).findLast(({ text }) => text.includes('token=')))
}

async function confirmStatus(token: string): Promise<number> {
  return (await world.guest().try(confirmEmail, { body: { token } })).status
}

test('a new member can confirm the address once with the link in the first mail', async () => {
  const [ann] = await world.uniqueMembers('ann')
  await world.jobsDone()
  const token = tokenIn(world.mailTo(ann)[0])

  expect(await world.guest().call(confirmEmail, { body: { token } })).toEqual({
    message: authMessages.confirmed,
  })
  const again = await world.guest().try(confirmEmail, { body: { token } })
  expect([again.status, again.body.detail]).toEqual([400, authMessages.confirmInvalid])
})

test('a confirmation link expires after seven days', async () => {
  const [ann] = await world.uniqueMembers('ann')
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
  expect(await confirmStatus(token)).toBe(400)
})

test('sends an unconfirmed address no mail except the welcome mail', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  const subjects = (member: Actor) => world.mailTo(member).map(({ subject }) => subject)
  await ann.call(updateProfile, { body: { password: 'walls-of-jericho-3' } })
  await bob.call(updateProfile, { body: { password: 'walls-of-jericho-4' } })
  await world.jobsDone()
  expect(subjects(ann)).toEqual(['Welcome to Rhubarb'])

  expect(await confirmStatus(await tokenFor(ann))).toBe(200)
  await bob.call(updateProfile, { body: { password: 'walls-of-jericho-5' } })
  await world.jobsDone()
  expect(subjects(ann)).toEqual(['Welcome to Rhubarb', 'Your password was changed'])
  expect(subjects(bob)).toEqual(['Welcome to Rhubarb'])
})

test('notifies the old address of a new one and sends the new one a confirmation link', async () => {
  const [ann] = await world.uniqueMembers('ann')
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

test('a confirmation link confirms only the address that it was sent to', async () => {
  const [ann] = await world.uniqueMembers('ann')
  const email = `${ann.username}@elsewhere.example`
  const token = await tokenFor(ann)
  await ann.call(updateProfile, { body: { email } })
  await world.jobsDone()
  // The old link's token, as if the mail to the new address had not been sent yet.
  await world.db
    .updateTable('email_confirmations')
    .set({ token_hash: hashOfToken(token), email: ann.email })
    .where('email', '=', email)
    .execute()
  expect(await confirmStatus(token)).toBe(400)
})

test('a new confirmation link invalidates the previous one for the same address', async () => {
  const [ann] = await world.uniqueMembers('ann')
  const email = `${ann.username}@elsewhere.example`
  const first = await tokenFor(ann)
  await ann.call(updateProfile, { body: { email } })
  await world.jobsDone()
  await ann.call(updateProfile, { body: { email: ann.email } })
  const second = await tokenFor(ann)
  expect([await confirmStatus(first), await confirmStatus(second)]).toEqual([400, 200])
})

test('changing only the case of the address sends no mail and leaves the link valid', async () => {
  const [ann] = await world.uniqueMembers('ann')
  const token = await tokenFor(ann)
  const before = world.mails.length
  await ann.call(updateProfile, { body: { email: ann.email.toUpperCase() } })
  await world.jobsDone()
  expect(world.mails).toHaveLength(before)
  expect(await confirmStatus(token)).toBe(200)
})

test('resending the confirmation mail invalidates the previous link', async () => {
  const [ann] = await world.uniqueMembers('ann')
  const first = await tokenFor(ann)
  expect(await ann.call(getProfile)).toMatchObject({ email_confirmed: false })

  expect(await ann.call(resendConfirmation)).toEqual({ message: authMessages.confirmationSent })
  const second = await tokenFor(ann)
  expect(world.mailTo(ann).map(({ subject }) => subject)).toEqual([
    'Welcome to Rhubarb',
    'Confirm your e-mail address',
  ])
  expect(await confirmStatus(first)).toBe(400)
  expect(await confirmStatus(second)).toBe(200)
  expect(await ann.call(getProfile)).toMatchObject({ email_confirmed: true })
})

test('sends no confirmation mail to a confirmed address', async () => {
  const [ann] = await world.uniqueMembers('ann')
  await confirmStatus(await tokenFor(ann))
  const before = world.mailTo(ann).length

  expect(await ann.call(resendConfirmation)).toEqual({ message: authMessages.alreadyConfirmed })
  await world.jobsDone()
  expect(world.mailTo(ann)).toHaveLength(before)
})
