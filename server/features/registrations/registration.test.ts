import { createHash } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { getProfile, logIn, type NewMember, register } from '#contract/auth.ts'
import { minimumCost, passwordCost } from '#server/features/auth/passwords.ts'
import { json } from '#test/actor.ts'
import { newWorld } from '#test/world.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())

let count = 0
function newMember(changes: Partial<NewMember> = {}): NewMember {
  count += 1
  return {
    first_name: 'Ada',
    last_name: 'Gardener',
    username: `somebody_${count}`,
    email: `somebody${count}@example.com`,
    password: 'plum-crumble-42',
    ...changes,
  }
}

const countMembers = async () =>
  Number(
    (
      await world.db
        .selectFrom('users')
        .select(({ fn }) => fn.countAll().as('all'))
        .execute()
    )[0]?.all,
  )

test('registering returns the profile without the password', async () => {
  const ann = newMember({ username: 'ann', email: 'ann@example.com', first_name: 'Ann' })
  const { status, body } = await world.guest().try(register, { body: ann })

  expect(status).toBe(201)
  expect(body).toEqual({
    id: expect.any(Number),
    username: 'ann',
    first_name: 'Ann',
    last_name: 'Gardener',
    email: 'ann@example.com',
    email_confirmed: false,
    email_refused: false,
    desk_role: null,
    city: null,
    state: null,
    zip_code: null,
    address: null,
    apt: null,
    profile_picture: null,
    friend_count: 0,
    language: 'en',
    location_known: false,
  })
})

describe('an invalid registration returns the message of the broken rule', () => {
  test.each<[field: string, value: unknown, message: string]>([
    ['email', '', 'Email is required'],
    ['email', '   ', 'Email is required'],
    ['email', undefined, 'Email is required'],
    ['email', 'ann', 'Invalid email format'],
    ['email', 'ann@', 'Invalid email format'],
    ['email', 'ann@garden', 'Invalid email format'],
    ['email', 'ann bee@example.com', 'Invalid email format'],
    ['email', 'ann@example.com\r\nBcc: all@example.com', 'Please remove characters that can not be shown'],
    ['email', `${'a'.repeat(250)}@example.com`, 'Invalid email format'],
    ['username', '', 'Username is required'],
    ['username', undefined, 'Username is required'],
    ['username', 'ann bee', 'Username can only contain letters, numbers, and underscores'],
    ['username', 'änn', 'Username can only contain letters, numbers, and underscores'],
    ['username', 'a-', 'Username can only contain letters, numbers, and underscores'],
    ['username', 'an', 'Username must be at least 3 characters long'],
    ['username', 'a'.repeat(31), 'Username must be at most 30 characters long'],
    ['first_name', '', 'First name is required'],
    ['first_name', ' \u00a0 ', 'First name is required'],
    ['first_name', 'A\u0000da', 'Please remove characters that can not be shown'],
    ['first_name', 'a'.repeat(61), 'First name must be at most 60 characters long'],
    ['last_name', '', 'Last name is required'],
    ['last_name', 42, 'Last name is required'],
    ['last_name', 'a'.repeat(61), 'Last name must be at most 60 characters long'],
    ['password', '', 'Password is required'],
    ['password', undefined, 'Password is required'],
    ['password', 'plumjam', 'Password must be at least 8 characters long'],
    ['password', 'p'.repeat(201), 'Password must be at most 200 characters long'],
    ['password', 'plum\u0000crumble', 'Please remove characters that can not be shown'],
  ])('%s %j: %s', async (field, value, message) => {
    const { status, body } = await world
      .guest()
      .send('POST', '/api/auth/register', json({ ...newMember(), [field]: value }))

    expect({ status, detail: body.detail, errors: body.errors }).toEqual({
      status: 422,
      detail: message,
      errors: [{ field, message }],
    })
  })

  test('names every invalid field, with one message each', async () => {
    const { body } = await world.guest().send('POST', '/api/auth/register', json({}))

    expect(body.errors).toEqual([
      { field: 'first_name', message: 'First name is required' },
      { field: 'last_name', message: 'Last name is required' },
      { field: 'username', message: 'Username is required' },
      { field: 'email', message: 'Email is required' },
      { field: 'password', message: 'Password is required' },
    ])
    expect(body.detail).toBe(body.errors?.map(({ message }) => message).join('\n'))
  })

  test.each([
    ['appears in leaks, in any case', ['password1', 'PassWord1', 'iloveyou']],
    [
      "contains little more than the site's or the member's name",
      ['Rhubarb1', '--rhubarb--2026', 'Hortensia!', 'hortensia_1960', 'BLOOM1234', '1hortensia.bloom'],
    ],
  ])('refuses a password that %s', async (_, passwords) => {
    for (const password of passwords) {
      const names = { first_name: 'Hortensia', last_name: 'Bloom' }
      const { status, body } = await world.guest().try(register, { body: newMember({ ...names, password }) })

      expect(status).toBe(422)
      expect(body.errors).toEqual([
        { field: 'password', message: 'This password is too common; please choose another one' },
      ])
    }
  })
})

describe('e-mails and usernames are unique', () => {
  test('in any case', async () => {
    const dora = newMember({ username: 'Dora', email: 'dora@example.com' })
    await world.guest().call(register, { body: dora })
    const before = await countMembers()

    const sameName = await world.guest().try(register, { body: newMember({ username: 'dORA' }) })
    const sameEmail = await world.guest().try(register, { body: newMember({ email: 'DORA@Example.COM' }) })

    for (const [response, field, message] of [
      [sameName, 'username', 'This username is already taken'],
      [sameEmail, 'email', 'An account with this email already exists'],
    ] as const)
      expect(response).toMatchObject({ status: 409, body: { detail: message, errors: [{ field, message }] } })
    expect(await countMembers()).toBe(before)
  })

  test('in concurrent registrations', async () => {
    const responses = await Promise.all(
      ['eve', 'Eve', 'EVE', 'eVe'].map((username) =>
        world.guest().try(register, { body: newMember({ username }) }),
      ),
    )

    expect(responses.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409])
  })
})

test('trims names and normalizes them to NFC', async () => {
  const { body } = await world.guest().try(register, {
    body: newMember({ first_name: '  Zoe\u0308 ', last_name: '\tde Bruı\u0301n\n' }),
  })

  expect(body).toMatchObject({ first_name: 'Zo\u00eb', last_name: 'de Bruı\u0301n' })
})

test('ignores fields that the client may not set', async () => {
  const frank = newMember()
  const { body } = await world.guest().send<{ id: number; friend_count: number }>(
    'POST',
    '/api/auth/register',
    json({
      ...frank,
      id: 999_999,
      friend_count: 50,
      created_at: '1999-01-01',
      password_hash: 'x',
      city: 'Ghent',
    }),
  )
  const row = await world.db
    .selectFrom('users')
    .selectAll()
    .where('email', '=', frank.email)
    .executeTakeFirstOrThrow()

  expect(body).toMatchObject({ id: row.id, friend_count: 0, city: null })
  expect(row.id).toBeLessThan(999_999)
  expect(row.created_at > '2000').toBe(true)
})

test('stores the password as an Argon2id hash with 19 MiB and two passes', async () => {
  const gwen = newMember()
  const cheap = { ...passwordCost }
  Object.assign(passwordCost, minimumCost)
  await world
    .guest()
    .call(register, { body: gwen })
    .finally(() => Object.assign(passwordCost, cheap))
  const { password_hash } = await world.db
    .selectFrom('users')
    .select('password_hash')
    .where('email', '=', gwen.email)
    .executeTakeFirstOrThrow()

  expect(password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
})

test('a login token has 256 random bits and is stored only as a hash', async () => {
  const hank = newMember()
  await world.guest().call(register, { body: hank })
  const credentials = { username: hank.email, password: hank.password }
  const tokens: string[] = []
  for (let login = 0; login < 3; login += 1) {
    tokens.push((await world.guest().call(logIn, { body: credentials })).access_token)
  }
  const sessions = await world.db.selectFrom('sessions').selectAll().execute()

  expect(new Set(tokens).size).toBe(3)
  for (const token of tokens) {
    expect(Buffer.from(token, 'base64url')).toHaveLength(256 / 8)
    expect(sessions.map(({ token_hash }) => token_hash.toString('hex'))).toContain(
      createHash('sha256').update(token).digest('hex'),
    )
    expect(JSON.stringify(sessions.map((row) => [row.token_hash.toString('latin1'), row]))).not.toContain(
      token,
    )
  }
})

test('a new member can read their profile', async () => {
  const ivy = await world.member({ username: 'ivy' })

  expect(await ivy.call(getProfile)).toEqual(ivy.profile)
})
