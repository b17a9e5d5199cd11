import { afterAll, expect, test } from 'vitest'
import {
  authMessages,
  confirmEmail,
  disownEmail,
  getProfile,
  logIn,
  register,
  requestPasswordReset,
  resendConfirmation,
  resetPassword,
} from '#contract/auth.ts'
import { updateProfile } from '#contract/profile.ts'
import { type Actor, registrationOf } from '#test/actor.ts'
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

/** Returns the status and message of a refused token. */
async function refusalOf(endpoint: typeof confirmEmail | typeof disownEmail, token: string) {
  const { status, body } = await world.guest().try(endpoint, { body: { token } })
  return [status, body.detail]
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
  expect(await world.guest().call(confirmEmail, { body: { token } })).toEqual({
    message: authMessages.alreadyConfirmed,
  })
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
  expect(await refusalOf(confirmEmail, token)).toEqual([400, authMessages.confirmExpired])
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
    .set({ ended: null, expires_at: new Date(Date.now() + 60_000).toISOString() })
    .where('token_hash', '=', hashOfToken(token))
    .execute()
  expect(await refusalOf(confirmEmail, token)).toEqual([400, authMessages.confirmOtherAddress])
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
  expect(await refusalOf(confirmEmail, first)).toEqual([400, authMessages.confirmReplaced])
  expect(await confirmStatus(second)).toBe(200)
  expect(await confirmStatus(first)).toBe(200)
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

test('a used, replaced, expired or unknown link says so', async () => {
  const [ann] = await world.uniqueMembers('ann')
  const email = `${ann.username}@elsewhere.example`
  const token = await tokenFor(ann)
  expect(await refusalOf(confirmEmail, 'A'.repeat(43))).toEqual([400, authMessages.confirmInvalid])
  await confirmStatus(token)
  await ann.call(updateProfile, { body: { email } })
  expect(await refusalOf(confirmEmail, token)).toEqual([400, authMessages.confirmOtherAddress])
  await world.jobsDone()
  await ann.call(updateProfile, { body: { email: ann.email } })
  // Until the new mail is sent, the address is unconfirmed again.
  expect(await refusalOf(confirmEmail, token)).toEqual([400, authMessages.confirmUsed])
})

const newPassword = 'rhubarb-and-custard-7'

/** Sets a new password with the mail to an address. */
async function resetPasswordOf(address: { email: string }) {
  await world.guest().call(requestPasswordReset, { body: { email: address.email } })
  await world.jobsDone()
  const token = tokenIn(world.mailTo(address).findLast(({ subject }) => subject === 'Set a new password'))
  const body = { token, new_password: newPassword, confirm_password: newPassword }
  await world.guest().call(resetPassword, { body })
}

test('a password reset confirms the address and sends the mails that waited for it', async () => {
  const [ann] = await world.uniqueMembers('ann')
  await ann.call(updateProfile, { body: { password: 'walls-of-jericho-3' } })
  const confirmation = await tokenFor(ann)
  await resetPasswordOf(ann)
  const again = await world.guest().call(logIn, { body: { username: ann.email, password: newPassword } })
  expect(await ann.send('GET', '/api/auth/profile')).toMatchObject({ status: 401 })
  ann.token = again.access_token
  expect(await ann.call(getProfile)).toMatchObject({ email: ann.email, email_confirmed: true })
  await world.jobsDone()
  expect(world.mailTo(ann).map(({ subject }) => subject)).toContain('Your password was changed')
  expect(await world.guest().call(confirmEmail, { body: { token: confirmation } })).toEqual({
    message: authMessages.alreadyConfirmed,
  })
})

test('the owner of an address takes it from an account that somebody else has registered, also by a replaced link', async () => {
  const [mallory] = await world.uniqueMembers('mallory')
  const { email } = mallory
  await world.jobsDone()
  const welcome = world.mailTo(mallory)[0]
  expect(welcome?.text).toMatch(/This wasn’t me: https:\/\/rhubarb\.test\/not-my-account\?token=[\w-]{43}/)
  const token = tokenIn(welcome)
  await mallory.call(resendConfirmation)
  await mallory.call(requestPasswordReset, { body: { email } })
  await world.jobsDone()
  const reset = tokenIn(world.mailTo(mallory).findLast(({ subject }) => subject === 'Set a new password'))
  const confirmation = await tokenIn(
    world.mailTo(mallory).findLast(({ subject }) => subject === 'Confirm your e-mail address'),
  )

  for (let press = 0; press < 2; press += 1)
    expect(await world.guest().call(disownEmail, { body: { token } })).toEqual({
      message: authMessages.disowned,
    })
  expect(await mallory.call(getProfile)).toMatchObject({ email: '', email_confirmed: false })
  const credentials = { username: email, password: mallory.password }
  expect((await world.guest().try(logIn, { body: credentials })).status).toBe(401)
  expect(await refusalOf(confirmEmail, confirmation)).toEqual([400, authMessages.confirmOtherAddress])
  const body = { token: reset, new_password: newPassword, confirm_password: newPassword }
  expect(await world.guest().try(resetPassword, { body })).toMatchObject({
    status: 400,
    body: { detail: authMessages.resetRevoked },
  })
  const owner = registrationOf({ username: `owner_of_${mallory.id}`, email })
  expect(await world.guest().call(register, { body: owner })).toMatchObject({ email, email_confirmed: false })
})

test('an account without an address gets another one, and no mail in between', async () => {
  const [ann] = await world.uniqueMembers('ann')
  await world.guest().call(disownEmail, { body: { token: await tokenFor(ann) } })
  const sent = world.mails.length
  expect(await ann.try(resendConfirmation)).toMatchObject({
    status: 409,
    body: { detail: authMessages.noAddress },
  })
  await ann.call(updateProfile, { body: { password: newPassword, current_password: ann.password } })
  await world.jobsDone()
  expect(world.mails.slice(sent)).toEqual([])

  const email = `${ann.username}@elsewhere.example`
  await ann.call(updateProfile, { body: { email, current_password: newPassword } })
  await world.jobsDone()
  expect(world.mails.slice(sent).map(({ to, subject }) => [to, subject])).toEqual([
    [[email], 'Confirm your e-mail address'],
  ])
  expect(await confirmStatus(await tokenFor({ email }))).toBe(200)
  expect(await ann.call(getProfile)).toMatchObject({ email, email_confirmed: true })
})

test('a confirmed address is not taken from its account', async () => {
  const [ann] = await world.uniqueMembers('ann')
  const token = await tokenFor(ann)
  await confirmStatus(token)
  expect(await refusalOf(disownEmail, token)).toEqual([409, authMessages.disownConfirmed])
  expect(await refusalOf(disownEmail, 'A'.repeat(43))).toEqual([400, authMessages.confirmInvalid])
  expect(await ann.call(getProfile)).toMatchObject({ email: ann.email, email_confirmed: true })
})
