import { afterAll, expect, test } from 'vitest'
import { logIn, register } from '#contract/auth.ts'
import { newWorld } from '#test/world.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())

function refusedLogin(language: string | undefined) {
  return world.guest().send('POST', '/api/auth/login', {
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      ...(language !== undefined && { 'accept-language': language }),
    },
    body: 'username=nobody@example.com&password=plum-crumble-42',
  })
}

test.each([
  ['es', 'es', 'Correo o contraseña incorrectos'],
  ['es-MX,en;q=0.8', 'es', 'Correo o contraseña incorrectos'],
  ['tlh, en;q=0.5, es;q=0.9', 'es', 'Correo o contraseña incorrectos'],
  ['en-US,es;q=0.9', 'en', 'Incorrect email or password'],
  ['tlh', 'en', 'Incorrect email or password'],
  ['*', 'en', 'Incorrect email or password'],
  ['es;q=0', 'en', 'Incorrect email or password'],
  [';;,,q=,es;q=x', 'en', 'Incorrect email or password'],
  [undefined, 'en', 'Incorrect email or password'],
])('a client that accepts %s gets problems in %s', async (accepted, language, detail) => {
  const { status, headers, body } = await refusedLogin(accepted)

  expect(status).toBe(401)
  expect(body.detail).toBe(detail)
  expect(headers.get('content-language')).toBe(language)
  expect(headers.get('vary')).toContain('accept-language')
})

test('every message of a validation error is translated, those with numbers too', async () => {
  const { body } = await world.guest().send('POST', register.path.replace(/^/, '/api'), {
    headers: { 'content-type': 'application/json', 'accept-language': 'es' },
    body: JSON.stringify({
      username: 'ab',
      first_name: 'Ann',
      last_name: 'Lee',
      email: 'x',
      password: 'short',
    }),
  })

  expect(body).toMatchObject({
    title: 'Hay datos por corregir',
    detail: [
      'El nombre de usuario debe tener al menos 3 caracteres',
      'Ese correo no está bien escrito',
      'La contraseña debe tener al menos 8 caracteres',
    ].join('\n'),
    errors: [
      { field: 'username', message: 'El nombre de usuario debe tener al menos 3 caracteres' },
      { field: 'email', message: 'Ese correo no está bien escrito' },
      { field: 'password', message: 'La contraseña debe tener al menos 8 caracteres' },
    ],
  })
})

test('a registration stores the language that the browser prefers, and a login returns it', async () => {
  const member = {
    username: 'ines',
    first_name: 'Inés',
    last_name: 'Ruiz',
    email: 'ines@example.com',
    password: 'plum-crumble-42',
  }
  const { body } = await world.guest().send<{ language: string }>('POST', '/api/auth/register', {
    headers: { 'content-type': 'application/json', 'accept-language': 'es-US,es;q=0.9,en;q=0.8' },
    body: JSON.stringify(member),
  })
  const { user } = await world
    .guest()
    .call(logIn, { body: { username: member.email, password: member.password } })

  expect(body.language).toBe('es')
  expect(user.language).toBe('es')
})
