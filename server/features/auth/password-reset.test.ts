import { afterAll, expect, test } from 'vitest'
import { authMessages, getProfile, logIn, requestPasswordReset, resetPassword } from '#contract/auth.ts'
import { updateProfile } from '#contract/profile.ts'
import { type Actor, json } from '#test/actor.ts'
import { tokenIn } from '#test/links.ts'
import { sendRequest } from '#test/raw-http.ts'
import { newWorld, type World } from '#test/world.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())

const better = 'rhubarb-and-custard-7'

async function resetTokenOf(world: World, member: Actor): Promise<string> {
  await member.call(requestPasswordReset, { body: { email: member.email } })
  await world.jobsDone()
  return tokenIn(world.mailTo(member).findLast(({ subject }) => subject === 'Set a new password'))
}

const body = (token: string, new_password = better) => ({
  token,
  new_password,
  confirm_password: new_password,
})

test('a member who forgot their password sets a new one by the link in a mail', async () => {
  const [ann, bob] = await world.newcomers('ann', 'bob')
  const token = await resetTokenOf(world, ann)

  expect(await world.guest().call(resetPassword, { body: body(token) })).toEqual({
    message: authMessages.resetDone,
  })
  expect(
    (await world.guest().try(logIn, { body: { username: ann.email, password: ann.password } })).status,
  ).toBe(401)
  expect((await world.guest().try(logIn, { body: { username: ann.email, password: better } })).status).toBe(
    200,
  )
  expect(
    (await world.guest().try(logIn, { body: { username: bob.email, password: bob.password } })).status,
  ).toBe(200)
})

test('the mail goes to the member, and its link starts with the public URL, whatever host the request claims', async () => {
  const [ann] = await world.newcomers('ann')
  const claims = {
    host: 'evil.example',
    'x-forwarded-host': 'evil.example',
    forwarded: 'host=evil.example;proto=http',
    origin: 'https://evil.example',
    'content-type': 'application/json',
  }
  const asked = JSON.stringify({ email: ann.email.toUpperCase() })
  await sendRequest(world.url, 'POST', '/api/auth/request-password-reset', claims, asked)
  await world.jobsDone()

  const mail = world.mailTo(ann).find(({ subject }) => subject === 'Set a new password')
  expect(mail?.text).toMatch(/https:\/\/rhubarb\.test\/reset-password\?token=[\w-]{43}\n/)
  expect(mail?.html).toContain(`https://rhubarb.test/reset-password?token=${tokenIn(mail)}`)
  expect(`${mail?.text}${mail?.html}`).not.toContain('evil')
})

test('the answer is the same bytes for an address that nobody has, and no mail goes there', async () => {
  const [ann] = await world.newcomers('ann')
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

test('the answer takes the same time for an address that nobody has', async () => {
  const [ann] = await world.newcomers('ann')
  const took: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] }
  for (let round = 0; round < 60; round += 1) {
    for (const [kind, email] of [
      ['known', ann.email],
      ['unknown', `nobody${round}@example.com`],
    ] as const) {
      const start = performance.now()
      await world.guest().call(requestPasswordReset, { body: { email } })
      took[kind].push(performance.now() - start)
    }
  }
  // Other work on the machine only adds time, so the minimum is compared.
  const ratio = Math.min(...took.unknown) / Math.min(...took.known)
  expect(ratio).toBeGreaterThan(0.5)
  expect(ratio).toBeLessThan(2)
})

test('a token serves once, also for two who come at the same moment', async () => {
  const [ann] = await world.newcomers('ann')
  const token = await resetTokenOf(world, ann)
  const answers = await Promise.all(
    ['first-of-the-two-1', 'second-of-the-two-2'].map((password) =>
      world.guest().try(resetPassword, { body: body(token, password) }),
    ),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])

  const again = await world.guest().try(resetPassword, { body: body(token) })
  expect([again.status, again.body.detail]).toEqual([400, 'Invalid or expired reset token'])
})

test('a token lives 30 minutes', async () => {
  const [ann] = await world.newcomers('ann')
  const token = await resetTokenOf(world, ann)
  const { expires_at, created_at } = await world.db
    .selectFrom('password_resets')
    .select(['expires_at', 'created_at'])
    .executeTakeFirstOrThrow()
  expect(Math.round((Date.parse(expires_at) - Date.parse(created_at)) / 60_000)).toBe(30)

  await world.db
    .updateTable('password_resets')
    .set({ expires_at: new Date(Date.now() - 1).toISOString() })
    .execute()
  expect((await world.guest().try(resetPassword, { body: body(token) })).status).toBe(400)
})

test('only a hash of the token is kept', async () => {
  const [ann] = await world.newcomers('ann')
  const token = await resetTokenOf(world, ann)
  const rows = await world.db.selectFrom('password_resets').selectAll().execute()
  for (const encoding of ['base64url', 'latin1'] as const) {
    expect(rows.map((row) => row.token_hash.toString(encoding))).not.toContain(token)
  }
  expect(world.logged.join('')).not.toContain(token)
})

test('a later mail ends the link of an earlier one', async () => {
  const [ann] = await world.newcomers('ann')
  const first = await resetTokenOf(world, ann)
  const second = await resetTokenOf(world, ann)
  expect((await world.guest().try(resetPassword, { body: body(first) })).status).toBe(400)
  expect((await world.guest().try(resetPassword, { body: body(second) })).status).toBe(200)
})

test.each([
  ['password', { password: 'walls-of-jericho-3' }],
  ['e-mail', { email: 'ann@elsewhere.example' }],
])('a link dies when the %s changes', async (_what, change) => {
  const [ann] = await world.newcomers('ann')
  const token = await resetTokenOf(world, ann)
  await ann.call(updateProfile, { body: change })
  expect((await world.guest().try(resetPassword, { body: body(token) })).status).toBe(400)
})

test('a reset logs the member out everywhere, and tells them by mail', async () => {
  const [ann, bob] = await world.newcomers('ann', 'bob')
  await using other = await world.node()
  const token = await resetTokenOf(world, ann)
  const elsewhere = other.meet(ann)
  await elsewhere.call(getProfile)
  await world.db.updateTable('users').set({ email_confirmed_at: new Date().toISOString() }).execute()
  await world.guest().call(resetPassword, { body: body(token) })
  await world.jobsDone()

  expect((await ann.try(getProfile)).status).toBe(401)
  await expect.poll(async () => (await elsewhere.try(getProfile)).status).toBe(401)
  expect((await bob.try(getProfile)).status).toBe(200)
  expect(world.mailTo(ann).map(({ subject }) => subject)).toContain('Your password was changed')
})

test('what is sent with a token is checked, and refused in the words of the specification', async () => {
  for (const [sent, errorMessages] of [
    [{}, ['Reset token is required.', 'New password is required.', 'Passwords do not match.']],
    [{ token: '', new_password: better, confirm_password: better }, ['Reset token is required.']],
    [{ token: 'x', new_password: '', confirm_password: '' }, ['New password is required.']],
    [
      { token: 'x', new_password: 'short', confirm_password: 'short' },
      ['Password must be at least 8 characters long.'],
    ],
    [{ token: 'x', new_password: better, confirm_password: 'another' }, ['Passwords do not match.']],
  ] as const) {
    const answer = await world.guest().send('POST', '/api/auth/reset-password', json(sent))
    expect(answer.status).toBe(422)
    expect(answer.body.detail.split('\n')).toEqual(errorMessages)
  }
})

test('a common password is refused, and the link still serves', async () => {
  const [ann] = await world.newcomers('ann')
  const token = await resetTokenOf(world, ann)
  const refused = await world.guest().try(resetPassword, { body: body(token, 'password123') })
  expect(refused.body.errors).toEqual([{ field: 'new_password', message: authMessages.commonPassword }])
  expect((await world.guest().try(resetPassword, { body: body(token) })).status).toBe(200)
})

test('an address that is no address is refused', async () => {
  const answer = await world.guest().try(requestPasswordReset, { body: { email: 'ann' } })
  expect([answer.status, answer.body.detail]).toEqual([422, 'Invalid email address'])
  const empty = await world.guest().try(requestPasswordReset, { body: { email: '' } })
  expect(empty.body.detail).toBe('Email is required')
})

test('asking again and again is slowed down, for members and strangers alike', async () => {
  await using world = await newWorld({ rateLimits: true })
  const [ann] = await world.newcomers('ann')
  for (const email of [ann.email, 'nobody@example.com']) {
    const statuses = []
    for (let round = 0; round < 6; round += 1) {
      statuses.push((await world.guest().try(requestPasswordReset, { body: { email } })).status)
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
  }
})
