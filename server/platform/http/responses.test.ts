import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, describe, expect, test } from 'vitest'
import { getProfile } from '#contract/auth.ts'
import { createListing } from '#contract/listings.ts'
import { photo } from '#test/pictures.ts'
import { sendRequest } from '#test/raw-http.ts'
import { newWorld } from '#test/world.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())
const [ann] = await world.members('ann')

test.each(['/api/listings', '/api/auth/profile', '/api/openapi.json', `/api/auth/users/${ann.id}/public`])(
  'ignores a trailing slash: %s',
  async (path) => {
    const [without, withSlash] = [await ann.send('GET', path), await ann.send('GET', `${path}/`)]

    expect(without.status).toBe(200)
    expect(withSlash.status).toBe(200)
    expect(withSlash.body).toEqual(without.body)
  },
)

test.each([
  ['GET', '/api'],
  ['GET', '/api/'],
  ['GET', '/api/nothing'],
  ['GET', '/api/listings/1/nothing'],
  ['POST', '/api/nothing'],
  ['PATCH', '/api/auth/users/1/public'],
  ['POST', '/api/images/x.webp'],
  ['DELETE', '/api/listings'],
  ['OPTIONS', '/api/listings'],
  ['GET', '/api/Listings'],
])('%s %s returns 404 to members and guests', async (method, path) => {
  for (const actor of [ann, world.guest()]) {
    const { status, headers, body } = await actor.send(method, path)
    expect(status).toBe(404)
    expect(headers.get('content-type')).toContain('application/problem+json')
    expect(body).toEqual({ type: 'about:blank', title: 'Not found', status: 404, detail: 'Not found' })
  }
})

describe('every response', () => {
  const requests: [name: string, path: string, authorization: string][] = [
    ['a list', '/api/listings', `Bearer ${ann.token}`],
    ['a 401', '/api/auth/profile', ''],
    ['a 404', '/api/nothing', ''],
    ['a health check', '/livez', ''],
  ]
  test.each(requests)('has security headers: %s', async (_, path, authorization) => {
    const { headers } = await sendRequest(world.url, 'GET', path, {
      authorization,
      origin: 'https://evil.example',
    })

    expect(Object.fromEntries(headers)).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'origin-agent-cluster': '?1',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': expect.stringMatching(/\bcamera=\(\), .*\bgeolocation=\(\)/),
      'content-security-policy': expect.stringContaining("default-src 'none'"),
      'strict-transport-security': expect.stringContaining('max-age=31536000'),
      'x-request-id': expect.stringMatching(/^[\da-f-]{36}$/),
    })
    expect(headers.get('x-powered-by')).toBeUndefined()
    expect(headers.get('access-control-allow-origin')).toBeUndefined()
    expect(headers.get('content-security-policy')).not.toContain('unsafe')
    expect(headers.get('content-security-policy')).toContain("require-trusted-types-for 'script'")
  })

  test.each(['/api/%zz', `/api/auth/users/${'a'.repeat(300)}/public`])(
    'has a request id and security headers, also outside of the API: %#',
    async (path) => {
      const { headers } = await sendRequest(world.url, 'PUT', path)

      expect(headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
    },
  )

  test('has a unique request id, which the client can not set', async () => {
    const ids = new Set<string | undefined>()
    for (let time = 0; time < 3; time += 1) {
      const { headers } = await sendRequest(world.url, 'GET', '/api/listings', {
        'x-request-id': 'mine',
        'request-id': 'mine',
      })
      ids.add(headers.get('x-request-id'))
    }
    expect(ids.size).toBe(3)
    expect(ids).not.toContain('mine')
  })
})

test('API responses must not be cached', async () => {
  const paths = [
    '/api/auth/profile',
    '/api/listings',
    '/api/nothing',
    '/api/openapi.json',
    '/api/listings/999',
  ]
  for (const actor of [ann, world.guest()]) {
    for (const path of paths)
      expect((await actor.send('GET', path)).headers.get('cache-control'), path).toBe('no-store')
  }
})

test('sends headers that need HTTPS only if the public URL is HTTPS', async () => {
  await using plain = await world.node({ publicUrl: 'http://rhubarb.test' })
  const { headers } = await plain.guest().send('GET', '/livez')

  const names = ['strict-transport-security', 'cross-origin-opener-policy', 'origin-agent-cluster']
  expect(names.filter((name) => headers.has(name))).toEqual([])
})

test('finishes running requests when a node stops', async () => {
  const node = await world.node()
  const { hostname, port, host } = new URL(node.url)
  const body = JSON.stringify({ title: 'Beans', type_id: 3 })
  const client = connect({ host: hostname, port: Number(port) })
  let received = ''
  client.on('data', (part) => {
    received += part
  })
  const head = [
    'POST /api/listings HTTP/1.1',
    `host: ${host}`,
    `authorization: Bearer ${ann.token}`,
    'content-type: application/json',
    `content-length: ${body.length}`,
    'expect: 100-continue',
  ]
  client.write(`${head.join('\r\n')}\r\n\r\n`)
  await once(client, 'data')
  const stopped = node[Symbol.asyncDispose]()
  client.write(body)
  await Promise.all([stopped, once(client, 'close')])

  expect(received).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 Created\r\n/)
})

test('a stopping node is not ready, still serves requests and closes connections', async () => {
  const node = await world.node()
  const stopped = node.drain(500)
  const elsewhere = node.as(ann)

  const [ready, response] = await Promise.all([
    elsewhere.send<object>('GET', '/readyz'),
    elsewhere.try(getProfile),
  ])
  expect(ready).toMatchObject({ status: 503, body: { status: 'stopping' } })
  expect(response.status).toBe(200)
  expect(response.headers.get('connection')).toBe('close')
  await stopped
  await expect(elsewhere.send('GET', '/livez')).rejects.toThrow()
})

test('responses to another member do not contain secrets of the database', async () => {
  const secrets = await world.db
    .selectFrom('users')
    .select(['password_hash', 'email'])
    .executeTakeFirstOrThrow()
  const [bob] = await world.members('bob')
  await ann.send('POST', '/api/listings', {
    body: JSON.stringify({ title: 'Beans', type_id: 3 }),
    headers: { 'content-type': 'application/json' },
  })
  const paths = [
    '/api/listings',
    '/api/listings/1',
    `/api/auth/users/${ann.id}/public`,
    '/api/auth/profile',
    '/livez',
    '/readyz',
  ]
  for (const path of paths) {
    const text = JSON.stringify((await bob.send('GET', path)).body)
    expect(text).not.toContain(secrets.email)
    expect(text).not.toContain(secrets.password_hash)
    expect(text).not.toMatch(/argon2|password_hash|token_hash/)
    // A member sees their own street address.
    if (path !== '/api/auth/profile') expect(text).not.toMatch(/"address"|"apt"/)
  }
  expect(await ann.call(getProfile)).not.toHaveProperty('password_hash')
})

test('ignores range and conditional headers for photos', async () => {
  const { featured_image } = await ann.call(createListing, {
    body: { title: 'Pumpkins', price: 1 },
    file: await photo(),
  })
  const conditions = [
    { range: 'bytes=0-5' },
    { range: 'bytes=99999999-' },
    { 'if-match': '"another"' },
    { 'if-unmodified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' },
  ]
  for (const headers of conditions) {
    const response = await sendRequest(world.url, 'GET', `/api/${featured_image}`, headers)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-range')).toBeUndefined()
  }
})
