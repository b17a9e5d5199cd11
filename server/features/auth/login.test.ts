import { afterAll, describe, expect, test } from 'vitest'
import { logIn, register } from '#contract/auth.ts'
import { json } from '#test/actor.ts'
import { newWorld } from '#test/world.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())
const [ann] = await world.members('ann')
const guest = world.guest()

const credentials = { username: ann.email, password: ann.password }

test('logging in with the e-mail returns a token for seven days', async () => {
  const { status, body } = await guest.try(logIn, { body: credentials })

  expect(status).toBe(200)
  expect(body).toEqual({
    access_token: expect.stringMatching(/^[\w-]{43}$/),
    token_type: 'bearer',
    expires_in: 604_800,
    user: { id: ann.id, username: 'ann', first_name: 'ann', profile_picture: null, language: 'en' },
  })
})

test('the session expires seven days after the login', async () => {
  const before = Date.now()
  await guest.call(logIn, { body: credentials })
  const { expires_at } = await world.db
    .selectFrom('sessions')
    .select('expires_at')
    .orderBy('expires_at', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()

  expect(Date.parse(expires_at) - before).toBeGreaterThanOrEqual(604_800_000)
  expect(Date.parse(expires_at) - Date.now()).toBeLessThanOrEqual(604_800_000)
})

test('ignores the case of the e-mail and blanks around it', async () => {
  for (const username of ['ANN@example.COM', '  ann@example.com ']) {
    expect(await guest.try(logIn, { body: { ...credentials, username } })).toMatchObject({ status: 200 })
  }
})

test('a wrong password and an unknown e-mail return the same bytes', async () => {
  const wrong = await guest.try(logIn, { body: { ...credentials, password: 'plum-crumble-43' } })
  const unknown = await guest.try(logIn, { body: { ...credentials, username: 'nobody@example.com' } })

  expect(wrong.status).toBe(401)
  expect(wrong.headers.get('www-authenticate')).toBe('Bearer')
  expect(wrong.body).toMatchObject({ status: 401, detail: 'Incorrect email or password' })
  expect(unknown.status).toBe(401)
  expect(JSON.stringify(unknown.body)).toBe(JSON.stringify(wrong.body))
  expect(namesOf(unknown.headers)).toEqual(namesOf(wrong.headers))
})

test('compares passwords with their case and surrounding blanks', async () => {
  const password = '  Gooseberry fool  '
  const email = 'berta@example.com'
  await guest.call(register, {
    body: { first_name: 'Berta', last_name: 'Berry', username: 'berta', email, password },
  })
  const statusFor = async (password: string) =>
    (await guest.try(logIn, { body: { username: email, password } })).status

  expect(await statusFor(password)).toBe(200)
  expect(await statusFor(password.trim())).toBe(401)
  expect(await statusFor(password.toLowerCase())).toBe(401)
})

test('accepts a password in composed and in decomposed Unicode form', async () => {
  const email = 'chloe@example.com'
  const person = { first_name: 'Chloe', last_name: 'Berry', username: 'chloe', email }
  await guest.call(register, { body: { ...person, password: 'cr\u00e8me br\u00fbl\u00e9e' } })

  const response = await guest.try(logIn, {
    body: { username: email, password: 'cre\u0300me bru\u0302le\u0301e' },
  })
  expect(response.status).toBe(200)
})

describe('an invalid login returns the message of the broken rule', () => {
  test.each([
    ['username', '', 'Email is required'],
    ['username', 'ann', 'Invalid email format'],
    ['password', '', 'Password is required'],
  ])('%s %j: %s', async (field, value, message) => {
    const { status, body } = await guest.try(logIn, { body: { ...credentials, [field]: value } })

    expect({ status, detail: body.detail, errors: body.errors }).toEqual({
      status: 422,
      detail: message,
      errors: [{ field, message }],
    })
  })

  test('refuses an empty body with both messages', async () => {
    const { status, body } = await guest.send('POST', '/api/auth/login')

    expect({ status, detail: body.detail }).toEqual({
      status: 422,
      detail: 'Email is required\nPassword is required',
    })
  })

  test('refuses a JSON body with 415', async () => {
    expect(await guest.send('POST', '/api/auth/login', json(credentials))).toMatchObject({ status: 415 })
  })
})

describe('a request without a valid token returns 401 and the scheme to use', () => {
  const [scheme, token] = ['Bearer', ann.token ?? '']
  test.each([
    ['an empty header', { authorization: '' }],
    ['a scheme alone', { authorization: scheme }],
    ['a token without a scheme', { authorization: token }],
    ['another scheme', { authorization: `Basic ${token}` }],
    ['a token of another length', { authorization: `${scheme} ${token}A` }],
    ['a token that was never issued', { authorization: `${scheme} ${'A'.repeat(43)}` }],
    ['characters that no token has', { authorization: `${scheme} ${"'or'1'='1'--".padEnd(43, '%')}` }],
    ['two tokens', { authorization: `${scheme} ${token},${token}` }],
    ['a very long token', { authorization: `${scheme} ${'A'.repeat(8000)}` }],
  ])('with %s', async (_, headers) => {
    const response = await guest.send('GET', '/api/auth/profile', { headers })

    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toBe('Bearer')
    expect(response.body).toMatchObject({ status: 401, detail: 'Not authenticated' })
  })

  test('ignores the case of the scheme', async () => {
    const headers = { authorization: `bearer ${token}` }
    expect(await guest.send('GET', '/api/auth/profile', { headers })).toMatchObject({ status: 200 })
  })
})

function namesOf(headers: Headers): string[] {
  return [...headers.keys()]
}
