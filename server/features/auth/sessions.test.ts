import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { getProfile, logIn, logOut } from '#contract/auth.ts'
import { newWorld } from '#test/world.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())

test('a logout ends the session at once', async () => {
  const [ann] = await world.members('ann')
  await ann.call(getProfile)

  expect(await ann.try(logOut)).toMatchObject({ status: 204 })
  expect(await ann.try(getProfile)).toMatchObject({ status: 401 })
  expect(await ann.try(logOut)).toMatchObject({ status: 401 })
})

test('a logout ends no other session', async () => {
  const [ben, carl] = await world.members('ben', 'carl')
  const bensPhone = ben.at(world.url)
  bensPhone.token = (
    await bensPhone.call(logIn, { body: { username: ben.email, password: ben.password } })
  ).access_token
  await ben.call(logOut)

  expect(await ben.try(getProfile)).toMatchObject({ status: 401 })
  expect(await bensPhone.try(getProfile)).toMatchObject({ status: 200 })
  expect(await carl.try(getProfile)).toMatchObject({ status: 200 })
})

test('accepts a logout with a JSON content type and no body', async () => {
  const [dora] = await world.members('dora')

  expect(
    await dora.send('POST', '/api/auth/logout', { headers: { 'content-type': 'application/json' } }),
  ).toMatchObject({ status: 204 })
  expect(await dora.try(getProfile)).toMatchObject({ status: 401 })
})

test('a session is valid on every node', async () => {
  await using other = await world.node()
  const [emma] = await world.members('emma')

  expect(await other.as(emma).call(getProfile)).toEqual(emma.profile)
})

test('a logout takes effect on all nodes', async () => {
  await using other = await world.node()
  const [fay] = await world.members('fay')
  const elsewhere = other.as(fay)
  await elsewhere.call(getProfile)
  await fay.call(logOut)

  expect(await elsewhere.try(getProfile)).toMatchObject({ status: 401 })
})

test('refuses an expired session', async () => {
  const [kim] = await world.members('kim')
  const expired = new Date(Date.now() - 1).toISOString()
  await world.db.updateTable('sessions').set({ expires_at: expired }).where('user_id', '=', kim.id).execute()

  expect(await kim.try(getProfile)).toMatchObject({ status: 401, body: { detail: 'Not authenticated' } })
})

test('deleting a member ends their session', async () => {
  const [lea] = await world.members('lea')
  await lea.call(getProfile)
  await world.db.deleteFrom('users').where('id', '=', lea.id).execute()

  expect(await lea.try(getProfile)).toMatchObject({ status: 401, body: { detail: 'Not authenticated' } })
})

test.each([
  ['got another password', 'hal', "set password_hash = 'of another password'"],
  ['was suspended', 'ida', 'set suspended_at = now()'],
])('refuses a login during which the member %s', async (_, username, change) => {
  const member = await world.member({ username })
  const operator = new pg.Client(world.databaseUrl)
  await operator.connect()
  await operator.query('begin')
  await operator.query(`update users ${change} where id = $1`, [member.id])
  const credentials = { username: member.email, password: member.password }
  const response = world.guest().try(logIn, { body: credentials })
  await expect.poll(() => world.waitingForLocks()).toBe(1)
  await operator.query('delete from sessions where user_id = $1', [member.id])
  await operator.query('commit')
  await operator.end()

  expect(await response).toMatchObject({ status: 401, body: { detail: 'Incorrect email or password' } })
})
