import { afterAll, expect, test } from 'vitest'
import { authMessages, getProfile, logIn } from '#contract/auth.ts'
import type { CallInput } from '#contract/endpoint.ts'
import { deleteProfile, updateProfile } from '#contract/profile.ts'
import type { Actor } from '#test/actor.ts'
import { connectTo } from '#test/database.ts'
import { newWorld } from '#test/world.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())

const newPassword = 'rhubarb-and-custard-7'

test('changes only the fields that are sent', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  const before = await ann.call(getProfile)

  const changed = await ann.call(updateProfile, {
    body: { first_name: 'Anna', city: 'Portland', zip_code: '97214' },
  })
  const place = { city: 'Portland', zip_code: '97214', location_known: true }
  expect(changed).toEqual({ ...before, first_name: 'Anna', ...place })
  expect(await ann.call(updateProfile, { body: { city: '' } })).toMatchObject({
    city: null,
    zip_code: '97214',
  })
  await ann.call(updateProfile, { body: { city: 'Astoria', state: 'OR' } })
  await ann.call(updateProfile, { body: { last_name: 'Oduya' } })
  expect(await ann.call(updateProfile, { body: {} })).toEqual({
    ...before,
    first_name: 'Anna',
    last_name: 'Oduya',
    city: 'Astoria',
    state: 'OR',
    zip_code: '97214',
    location_known: true,
  })
  expect(await bob.call(getProfile)).toEqual(bob.profile)
})

test('an empty password keeps the old one', async () => {
  const [ann] = await world.uniqueMembers('ann')
  await ann.call(updateProfile, { body: { password: '' } })
  expect(
    (await world.guest().try(logIn, { body: { username: ann.email, password: ann.password } })).status,
  ).toBe(200)
})

test('a new password ends the other sessions and keeps this one', async () => {
  const [ann] = await world.uniqueMembers('ann')
  const phone = ann.at(world.url)
  phone.token = (
    await world.guest().call(logIn, { body: { username: ann.email, password: ann.password } })
  ).access_token
  await phone.call(getProfile)

  await ann.call(updateProfile, { body: { password: newPassword } })
  expect((await phone.try(getProfile)).status).toBe(401)
  expect((await ann.try(getProfile)).status).toBe(200)
  expect(
    (await world.guest().try(logIn, { body: { username: ann.email, password: newPassword } })).status,
  ).toBe(200)
})

test('an invalid change returns the message of the broken rule and changes nothing', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  const before = await ann.call(getProfile)
  for (const [change, status, message] of [
    [{ username: bob.username.toUpperCase() }, 409, authMessages.usernameTaken],
    [{ email: bob.email.toUpperCase() }, 409, authMessages.emailTaken],
    [{ email: bob.email, password: 'walls-of-jericho-3' }, 409, authMessages.emailTaken],
    [{ username: 'a b' }, 422, 'Username can only contain letters, numbers, and underscores'],
    [{ first_name: ' ' }, 422, 'First name is required'],
    [{ email: 'no-address' }, 422, 'Invalid email format'],
    [{ zip_code: '972' }, 422, 'Postcode must be at least 5 characters.'],
    [{ password: 'short' }, 422, 'Password must be at least 8 characters long'],
    [{ password: 'password123' }, 422, authMessages.commonPassword],
  ] as const) {
    const response = await ann.try(updateProfile, { body: change })
    expect([change, response.status, response.body.detail]).toEqual([change, status, message])
  }
  expect(await ann.call(getProfile)).toEqual(before)
  expect(
    (await world.guest().try(logIn, { body: { username: ann.email, password: ann.password } })).status,
  ).toBe(200)
})

test('accepts the own username in another case', async () => {
  const [ann] = await world.uniqueMembers('ann')
  const username = ann.username.toUpperCase()
  expect(await ann.call(updateProfile, { body: { username } })).toMatchObject({ username })
})

test('ignores fields that the client may not set', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  const row = () =>
    world.db.selectFrom('users').selectAll().where('id', '=', ann.id).executeTakeFirstOrThrow()
  const before = await row()
  const fields = {
    id: bob.id,
    password_hash: 'x',
    email_confirmed_at: '2026-01-01',
    picture_name: 'x',
    created_at: '2020-01-01',
    suspended_at: null,
    friend_count: 9,
  }
  const response = await ann.send('PUT', '/api/auth/profile', {
    body: JSON.stringify(fields),
    headers: { 'content-type': 'application/json' },
  })
  expect(response.status).toBe(200)
  expect(await row()).toEqual(before)
})

test('deleting the account requires the password', async () => {
  const [ann] = await world.uniqueMembers('ann')
  const refused = await ann.try(deleteProfile, { body: { password: 'not mine at all' } })
  expect([refused.status, refused.body.errors]).toEqual([
    422,
    [{ field: 'password', message: authMessages.wrongPassword }],
  ])
  expect((await ann.try(getProfile)).status).toBe(200)

  expect((await ann.try(deleteProfile, { body: { password: ann.password } })).status).toBe(204)
  expect((await ann.try(getProfile)).status).toBe(401)
  expect(
    (await world.guest().try(logIn, { body: { username: ann.email, password: ann.password } })).status,
  ).toBe(401)
})

test('one of two concurrent password changes from different sessions is refused', async () => {
  for (let round = 0; round < 5; round += 1) {
    const [ann] = await world.uniqueMembers('ann')
    const phone = ann.at(world.url)
    const login = { username: ann.email, password: ann.password }
    phone.token = (await world.guest().call(logIn, { body: login })).access_token
    const passwords = ['walls-of-jericho-3', 'walls-of-jericho-4']
    const responses = await Promise.all(
      [ann, phone].map((session, turn) =>
        session.try(updateProfile, { body: { password: passwords[turn] ?? '' } }),
      ),
    )
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 401])

    const winner = responses.findIndex(({ status }) => status === 200)
    const statuses = []
    for (const password of passwords)
      statuses.push((await world.guest().try(logIn, { body: { ...login, password } })).status)
    expect(statuses).toEqual(winner === 0 ? [200, 401] : [401, 200])
  }
})

test.each<[string, number, (ann: Actor) => Promise<{ status: number }>]>([
  [
    'a new password',
    403,
    (ann) =>
      ann.try(updateProfile, { body: { password: 'walls-of-jericho-3', current_password: ann.password } }),
  ],
  [
    'a new e-mail',
    403,
    (ann) =>
      ann.try(updateProfile, {
        body: { email: 'ann@elsewhere.example', current_password: ann.password },
      }),
  ],
  ['the deletion of the account', 422, (ann) => ann.try(deleteProfile, { body: { password: ann.password } })],
])('a current password that changes concurrently does not allow %s', async (_, refusal, change) => {
  const [ann] = await world.uniqueMembers('ann')
  const created_at = new Date(Date.now() - 11 * 60_000).toISOString()
  await world.db.updateTable('sessions').set({ created_at }).where('user_id', '=', ann.id).execute()
  const before = await ann.call(getProfile)

  await using operator = await connectTo(world.databaseUrl)
  await operator.query('begin')
  await operator.query("update users set password_hash = 'another' where id = $1", [ann.id])
  // Not committed yet: the call below reads the old password.
  const response = change(ann)
  await expect.poll(() => world.waitingForLocks(), { interval: 10 }).toBe(1)
  await operator.query('commit')
  expect((await response).status).toBe(refusal)
  expect(await ann.call(getProfile)).toEqual(before)
})

test('an e-mail that changes concurrently does not allow to set it back without the password', async () => {
  const [ann] = await world.uniqueMembers('ann')
  const created_at = new Date(Date.now() - 11 * 60_000).toISOString()
  await world.db.updateTable('sessions').set({ created_at }).where('user_id', '=', ann.id).execute()
  const email = `new-${ann.email}`

  await using operator = await connectTo(world.databaseUrl)
  await operator.query('begin')
  await operator.query('update users set email = $2 where id = $1', [ann.id, email])
  const response = ann.try(updateProfile, { body: { email: ann.email } })
  await expect.poll(() => world.waitingForLocks(), { interval: 10 }).toBe(1)
  await operator.query('commit')
  expect((await response).status).toBe(403)
  expect(await ann.call(getProfile)).toMatchObject({ email })
})

test('ten minutes after the login, a new password or e-mail needs the current password', async () => {
  const [ann] = await world.uniqueMembers('ann')
  const email = `${ann.username}@elsewhere.example`
  const setAge = async (minutes: number) => {
    const created_at = new Date(Date.now() - minutes * 60_000).toISOString()
    await world.db.updateTable('sessions').set({ created_at }).where('user_id', '=', ann.id).execute()
  }
  const answerTo = async (body: CallInput<typeof updateProfile>['body']) => {
    const { status, body: problem } = await ann.try(updateProfile, { body })
    if (status === 200) return 200
    expect(problem.errors).toEqual([{ field: 'current_password', message: problem.detail }])
    return [status, problem.detail]
  }
  await setAge(9)
  expect(await answerTo({ password: newPassword })).toBe(200)
  expect(await answerTo({ password: newPassword, current_password: 'not mine at all' })).toEqual([
    403,
    'Incorrect password',
  ])

  await setAge(11)
  for (const current_password of [undefined, ''])
    for (const change of [{ password: 'walls-of-jericho-3' }, { email }])
      expect(
        await answerTo({ ...change, ...(current_password === undefined ? {} : { current_password }) }),
      ).toEqual([403, 'Please enter your current password'])
  for (const change of [{ password: 'walls-of-jericho-3' }, { email }])
    expect(await answerTo({ ...change, current_password: ann.password })).toEqual([403, 'Incorrect password'])
  // Without a new password or e-mail no current password is needed.
  expect(await answerTo({ first_name: 'Anna', email: ann.email.toUpperCase(), password: '' })).toBe(200)

  expect(await answerTo({ email, current_password: newPassword })).toBe(200)
  expect(await answerTo({ password: 'walls-of-jericho-3', current_password: newPassword })).toBe(200)
  expect(await answerTo({ password: newPassword, current_password: 'walls-of-jericho-3' })).toBe(200)
  expect(await ann.call(getProfile)).toMatchObject({ first_name: 'Anna', email })
})
