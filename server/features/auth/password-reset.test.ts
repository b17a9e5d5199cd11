import { afterAll, expect, test } from 'vitest'
import {
  authMessages,
  getProfile,
  getResetAccount,
  logIn,
  requestPasswordReset,
  resetPassword,
} from '#contract/auth.ts'
import { updateProfile } from '#contract/profile.ts'
import { type Actor, json } from '#test/actor.ts'
import { tokenIn } from '#test/links.ts'
import { sendRequest } from '#test/raw-http.ts'
import { newWorld, type World } from '#test/world.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())

const newPassword = 'rhubarb-and-custard-7'

async function resetTokenOf(world: World, member: Actor): Promise<string> {
  await member.call(requestPasswordReset, { body: { email: member.email } })
  await world.jobsDone()
  return tokenIn(world.mailTo(member).findLast(({ subject }) => subject === 'Set a new password'))
}

const body = (token: string, new_password = newPassword) => ({
  token,
  new_password,
  confirm_password: new_password,
})

/** Returns the status and message of a refused token. */
async function refusalOf(token: string) {
  const { status, body: problem } = await world.guest().try(resetPassword, { body: body(token) })
  return [status, problem.detail]
}

test('the link in the mail sets a new password', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  const token = await resetTokenOf(world, ann)

  expect(await world.guest().call(resetPassword, { body: body(token) })).toEqual({
    message: authMessages.resetDone,
  })
  expect(
    (await world.guest().try(logIn, { body: { username: ann.email, password: ann.password } })).status,
  ).toBe(401)
  expect(
    (await world.guest().try(logIn, { body: { username: ann.email, password: newPassword } })).status,
  ).toBe(200)
  expect(
    (await world.guest().try(logIn, { body: { username: bob.email, password: bob.password } })).status,
  ).toBe(200)
})

test('the holder of a valid link, and nobody else, learns the e-mail of the account', async () => {
  const [ann] = await world.uniqueMembers('ann')
  const token = await resetTokenOf(world, ann)
  const accountOf = (given: string) => world.guest().call(getResetAccount, { body: { token: given } })

  expect(await accountOf(token)).toEqual({ email: ann.email })
  expect(await accountOf('A'.repeat(43))).toEqual({ email: null })
  // Reading it leaves the link valid. Its use ends both.
  await world.guest().call(resetPassword, { body: body(token) })
  expect(await accountOf(token)).toEqual({ email: null })
})

test('sends no link to an address that changes while the mail is prepared', async () => {
  const [ann] = await world.uniqueMembers('ann')
  await world.db.transaction().execute(async (tx) => {
    await tx.selectFrom('users').select('id').where('id', '=', ann.id).forUpdate().execute()
    await ann.call(requestPasswordReset, { body: { email: ann.email } })
    await expect.poll(() => world.waitingForLocks()).toBe(1)
    await tx
      .updateTable('users')
      .set({ email: `new-${ann.email}` })
      .where('id', '=', ann.id)
      .execute()
  })
  await world.jobsDone()
  expect(world.mailTo(ann).filter(({ subject }) => subject === 'Set a new password')).toEqual([])
})

test('the link in the mail starts with the public URL, not with a host from the request', async () => {
  const [ann] = await world.uniqueMembers('ann')
  const claims = {
    host: 'evil.example',
    'x-forwarded-host': 'evil.example',
    forwarded: 'host=evil.example;proto=http',
    origin: 'https://evil.example',
    'content-type': 'application/json',
  }
  const payload = JSON.stringify({ email: ann.email.toUpperCase() })
  await sendRequest(world.url, 'POST', '/api/auth/request-password-reset', claims, payload)
  await world.jobsDone()

  const mail = world.mailTo(ann).find(({ subject }) => subject === 'Set a new password')
  expect(mail?.text).toMatch(/https:\/\/rhubarb\.test\/reset-password\?token=[\w-]{43}\n/)
  expect(mail?.html).toContain(`https://rhubarb.test/reset-password?token=${tokenIn(mail)}`)
  expect(`${mail?.text}${mail?.html}`).not.toContain('evil')
})

test('an unknown address returns the same bytes as a known one and gets no mail', async () => {
  const [ann] = await world.uniqueMembers('ann')
  await world.jobsDone()
  const before = world.mails.length
  const known = await world.guest().try(requestPasswordReset, { body: { email: ann.email } })
  const unknown = await world.guest().try(requestPasswordReset, { body: { email: 'nobody@example.com' } })
  await world.jobsDone()

  expect(unknown.body).toEqual(known.body)
  expect(unknown.body).toEqual({
    message: 'If an account exists with this email, you will receive a password reset link',
  })
  expect(unknown.status).toBe(known.status)
  expect(world.mails.slice(before).map(({ to }) => to)).toEqual([[ann.email]])
})

test('a token works only once, even in concurrent requests', async () => {
  const [ann] = await world.uniqueMembers('ann')
  const token = await resetTokenOf(world, ann)
  const responses = await Promise.all(
    ['first-of-the-two-1', 'second-of-the-two-2'].map((password) =>
      world.guest().try(resetPassword, { body: body(token, password) }),
    ),
  )
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 400])

  expect(responses.map(({ body: { detail } }) => detail)).toContain(authMessages.resetUsed)
  expect(await refusalOf(token)).toEqual([400, authMessages.resetUsed])
  expect(await refusalOf('A'.repeat(43))).toEqual([400, 'Invalid or expired reset token'])
})

test('a token expires after 30 minutes', async () => {
  const [ann] = await world.uniqueMembers('ann')
  const token = await resetTokenOf(world, ann)
  const { expires_at, created_at } = await world.db
    .selectFrom('password_resets')
    .select(['expires_at', 'created_at'])
    .where('user_id', '=', ann.id)
    .executeTakeFirstOrThrow()
  expect(Math.round((Date.parse(expires_at) - Date.parse(created_at)) / 60_000)).toBe(30)

  await world.db
    .updateTable('password_resets')
    .set({ expires_at: new Date(Date.now() - 1).toISOString() })
    .execute()
  expect(await refusalOf(token)).toEqual([400, authMessages.resetExpired])
})

test('stores only a hash of the token', async () => {
  const [ann] = await world.uniqueMembers('ann')
  const token = await resetTokenOf(world, ann)
  const rows = await world.db.selectFrom('password_resets').selectAll().execute()
  for (const encoding of ['base64url', 'latin1'] as const) {
    expect(rows.map((row) => row.token_hash.toString(encoding))).not.toContain(token)
  }
  expect(world.logged.join('')).not.toContain(token)
})

test('a new reset link invalidates the previous one', async () => {
  const [ann] = await world.uniqueMembers('ann')
  const first = await resetTokenOf(world, ann)
  const second = await resetTokenOf(world, ann)
  expect(await refusalOf(first)).toEqual([400, authMessages.resetReplaced])
  expect((await world.guest().try(resetPassword, { body: body(second) })).status).toBe(200)
})

test.each([
  ['password', { password: 'walls-of-jericho-3' }],
  ['e-mail', { email: 'ann@elsewhere.example' }],
])('changing the %s invalidates the reset link', async (_, change) => {
  const [ann] = await world.uniqueMembers('ann')
  const token = await resetTokenOf(world, ann)
  await ann.call(updateProfile, { body: change })
  expect(await refusalOf(token)).toEqual([400, authMessages.resetRevoked])
})

test('a reset ends all sessions of the member and notifies them by mail', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  await using other = await world.node()
  const token = await resetTokenOf(world, ann)
  const elsewhere = other.as(ann)
  await elsewhere.call(getProfile)
  await world.db.updateTable('users').set({ email_confirmed_at: new Date().toISOString() }).execute()
  await world.guest().call(resetPassword, { body: body(token) })
  await world.jobsDone()

  expect((await ann.try(getProfile)).status).toBe(401)
  await expect.poll(async () => (await elsewhere.try(getProfile)).status).toBe(401)
  expect((await bob.try(getProfile)).status).toBe(200)
  expect(world.mailTo(ann).map(({ subject }) => subject)).toContain('Your password was changed')
})

test('an invalid form returns the messages of the broken rules', async () => {
  for (const [form, messages] of [
    [{}, ['Reset token is required.', 'New password is required.', 'Passwords do not match.']],
    [{ token: '', new_password: newPassword, confirm_password: newPassword }, ['Reset token is required.']],
    [{ token: 'x', new_password: '', confirm_password: '' }, ['New password is required.']],
    [
      { token: 'x', new_password: 'short', confirm_password: 'short' },
      ['Password must be at least 8 characters long.'],
    ],
    [{ token: 'x', new_password: newPassword, confirm_password: 'another' }, ['Passwords do not match.']],
  ] as const) {
    const response = await world.guest().send('POST', '/api/auth/reset-password', json(form))
    expect(response.status).toBe(422)
    expect(response.body.detail.split('\n')).toEqual(messages)
  }
})

test('refuses a common password and keeps the link valid', async () => {
  const [ann] = await world.uniqueMembers('ann')
  const token = await resetTokenOf(world, ann)
  const refused = await world.guest().try(resetPassword, { body: body(token, 'password123') })
  expect(refused.body.errors).toEqual([{ field: 'new_password', message: authMessages.commonPassword }])
  expect((await world.guest().try(resetPassword, { body: body(token) })).status).toBe(200)
})

test('refuses an invalid or empty address', async () => {
  const response = await world.guest().try(requestPasswordReset, { body: { email: 'ann' } })
  expect([response.status, response.body.detail]).toEqual([422, 'Invalid email address'])
  const empty = await world.guest().try(requestPasswordReset, { body: { email: '' } })
  expect(empty.body.detail).toBe('Email is required')
})
