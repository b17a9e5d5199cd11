import { expect, test } from 'vitest'
import { authSentences, getProfile, logIn } from '#contract/auth.ts'
import { deleteProfile, updateProfile } from '#contract/profile.ts'
import { newWorld } from '#test/world.ts'

const better = 'rhubarb-and-custard-7'

test('a member changes what they send, and nothing else', async () => {
  await using world = await newWorld()
  const [ann, bob] = await world.members('ann', 'bob')
  const before = await ann.call(getProfile)

  const changed = await ann.call(updateProfile, {
    body: { first_name: 'Anna', city: 'Portland', zip_code: '97214' },
  })
  expect(changed).toEqual({ ...before, first_name: 'Anna', city: 'Portland', zip_code: '97214' })
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
  })
  expect(await bob.call(getProfile)).toEqual(bob.profile)
})

test('an empty password means unchanged', async () => {
  await using world = await newWorld()
  const [ann] = await world.members('ann')
  await ann.call(updateProfile, { body: { password: '' } })
  expect(
    (await world.guest().try(logIn, { body: { username: ann.email, password: ann.password } })).status,
  ).toBe(200)
})

test('a new password ends the other sessions and keeps this one', async () => {
  await using world = await newWorld()
  const [ann] = await world.members('ann')
  const phone = ann.at(world.url)
  phone.token = (
    await world.guest().call(logIn, { body: { username: ann.email, password: ann.password } })
  ).access_token
  await phone.call(getProfile)

  await ann.call(updateProfile, { body: { password: better } })
  expect((await phone.try(getProfile)).status).toBe(401)
  expect((await ann.try(getProfile)).status).toBe(200)
  expect((await world.guest().try(logIn, { body: { username: ann.email, password: better } })).status).toBe(
    200,
  )
})

test('what breaks a rule is refused in its words, and nothing changes', async () => {
  await using world = await newWorld()
  const [ann] = await world.members('ann', 'bob')
  const before = await ann.call(getProfile)
  for (const [change, status, sentence] of [
    [{ username: 'BOB' }, 409, authSentences.usernameTaken],
    [{ email: 'Bob@Example.com' }, 409, authSentences.emailTaken],
    [{ email: 'bob@example.com', password: 'walls-of-jericho-3' }, 409, authSentences.emailTaken],
    [{ username: 'a b' }, 422, 'Username can only contain letters, numbers, and underscores'],
    [{ first_name: ' ' }, 422, 'First name is required'],
    [{ email: 'nowhere' }, 422, 'Invalid email format'],
    [{ zip_code: '972' }, 422, 'Postcode must be at least 5 characters.'],
    [{ password: 'short' }, 422, 'Password must be at least 8 characters long'],
    [{ password: 'password123' }, 422, authSentences.commonPassword],
  ] as const) {
    const answer = await ann.try(updateProfile, { body: change })
    expect([change, answer.status, answer.body.detail]).toEqual([change, status, sentence])
  }
  expect(await ann.call(getProfile)).toEqual(before)
  expect(
    (await world.guest().try(logIn, { body: { username: ann.email, password: ann.password } })).status,
  ).toBe(200)
})

test('one may write one’s own name in other letters', async () => {
  await using world = await newWorld()
  const [ann] = await world.members('ann')
  expect(await ann.call(updateProfile, { body: { username: 'Ann' } })).toMatchObject({ username: 'Ann' })
})

test('fields that are not the member’s to set do nothing', async () => {
  await using world = await newWorld()
  const [ann, bob] = await world.members('ann', 'bob')
  const row = () =>
    world.db.selectFrom('users').selectAll().where('id', '=', ann.id).executeTakeFirstOrThrow()
  const before = await row()
  const sent = {
    id: bob.id,
    password_hash: 'x',
    email_confirmed_at: '2026-01-01',
    picture_name: 'x',
    created_at: '2020-01-01',
    suspended_at: null,
    friend_count: 9,
  }
  const answer = await ann.send('PUT', '/api/auth/profile', {
    body: JSON.stringify(sent),
    headers: { 'content-type': 'application/json' },
  })
  expect(answer.status).toBe(200)
  expect(await row()).toEqual(before)
})

test('a guest may not change, delete or export anything', async () => {
  await using world = await newWorld()
  for (const [method, path] of [
    ['PUT', '/api/auth/profile'],
    ['DELETE', '/api/auth/profile'],
    ['GET', '/api/auth/export'],
  ] as const) {
    expect((await world.guest().send(method, path)).status).toBe(401)
  }
})

test('deleting asks for the password', async () => {
  await using world = await newWorld()
  const [ann] = await world.members('ann')
  const refused = await ann.try(deleteProfile, { body: { password: 'not mine at all' } })
  expect([refused.status, refused.body.errors]).toEqual([
    422,
    [{ field: 'password', message: authSentences.wrongPassword }],
  ])
  expect((await ann.try(getProfile)).status).toBe(200)

  expect((await ann.try(deleteProfile, { body: { password: ann.password } })).status).toBe(204)
  expect((await ann.try(getProfile)).status).toBe(401)
  expect(
    (await world.guest().try(logIn, { body: { username: ann.email, password: ann.password } })).status,
  ).toBe(401)
})
