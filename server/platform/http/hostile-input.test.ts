import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { z } from 'zod/mini'
import { getProfile } from '#contract/auth.ts'
import { apiBase, types } from '#contract/constants.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { createListing, getListing } from '#contract/listings.ts'
import { problem } from '#contract/problem.ts'
import { allEndpoints } from '#test/endpoints.ts'
import { type RawResponse, sendRequest } from '#test/raw-http.ts'
import { newWorld } from '#test/world.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())
const [ann] = await world.members('ann')
const listing = await ann.call(createListing, { body: { title: 'Beans', type_id: types.giveaway } })

const endpoints = await registered(await allEndpoints())
const withBody = endpoints.filter(
  ({ body, encoding }) => body && encoding !== 'multipart' && encoding !== 'form',
)
const withQuery = endpoints.filter(({ query }) => query)
const withPath = endpoints.filter(({ params }) => params)
const named = (all: readonly Endpoint[]) =>
  all.map((endpoint): [string, Endpoint] => [`${endpoint.method} ${endpoint.path}`, endpoint])

const authorization = `Bearer ${ann.token}`
let attackers = 0
/** Registers a member whose account the requests may change and returns the headers for it. */
async function newAttacker() {
  attackers += 1
  const mallory = await world.member({ username: `mallory_${attackers}` })
  return { authorization: `Bearer ${mallory.token}`, 'content-type': 'application/json' }
}

function pathOf({ path }: Endpoint, value: string | number = listing.id) {
  return apiBase + path.replaceAll(/\{\w+\}/g, String(value))
}

/** Expects problem details with one sentence (or one per field) and without internals of the server. */
function expectRefusal({ status, headers, text }: RawResponse, expectedStatus?: number) {
  expect(status).toBeGreaterThanOrEqual(400)
  expect(status).toBeLessThan(500)
  if (expectedStatus !== undefined) expect(status).toBe(expectedStatus)
  expect(headers.get('content-type')).toContain('application/problem+json')
  const { detail, ...rest } = problem.parse(JSON.parse(text))
  expect(rest.status).toBe(status)
  expect(detail).toMatch(/^\S[^{}]{2,}\S$/s)
  expect(detail).not.toMatch(
    /undefined|null|Invalid input|Expected|received|Error|\bat \w+ \(|node:|\.ts|sql/,
  )
  if (rest.errors) expect(detail).toBe(rest.errors.map(({ message }) => message).join('\n'))
}

afterEach(async () => {
  expect(await ann.try(getProfile)).toMatchObject({ status: 200, body: { username: 'ann' } })
})

// All endpoints share one parser, so testing one is enough.
describe('a JSON body', async () => {
  const json = await newAttacker()
  const send = (body: string | Buffer, headers = json) =>
    sendRequest(world.url, createListing.method, pathOf(createListing), headers, body)

  test.each<[string, string | Buffer]>([
    ['truncated JSON', '{"title": "Bea'],
    ['a form', 'title=Beans'],
    ['NUL', '\u0000'],
    ['bytes', Buffer.from([0xff, 0xfe, 0x00, 0x7b])],
    ['a trailing comma', '{"title":"Beans",}'],
    ['two JSON texts', '{}{}'],
    ['NaN', '{"price":NaN}'],
    ['a prototype', '{"__proto__":{"is_admin":true},"title":"Beans"}'],
    ['a constructor', '{"constructor":{"prototype":{"is_admin":true}}}'],
    ['very deep nesting', `${'['.repeat(30_000)}${']'.repeat(30_000)}`],
  ])('is refused if it is %s', async (_, body) => expectRefusal(await send(body)))

  test.each([
    ['an invalid byte', '{"title":"Be\xffans"}'],
    ['a truncated character', '{"title":"Beans \xf0\x9f\x8d"}'],
    ['a surrogate', '{"title":"Beans \xed\xa0\x80"}'],
    ['an overlong encoding', '{"title":"Beans \xc0\xaf"}'],
  ])('is refused if it is not UTF-8: %s', async (_, bytes) =>
    expectRefusal(await send(Buffer.from(bytes, 'latin1')), 400),
  )

  test.each(['null', '[]', '"text"', '42', 'true', '[{"title":"Beans"}]'])(
    'is refused if it is no object: %s',
    async (body) => expectRefusal(await send(body), 422),
  )

  test('is refused if it exceeds the limit', async () =>
    expectRefusal(await send(JSON.stringify({ title: 'a'.repeat(70_000) })), 413))

  test.each([
    'text/plain',
    'application/xml',
    'application/x-www-form-urlencoded',
    'application/jsonp',
    'nonsense',
  ])('is refused with the type %s', async (type) =>
    expectRefusal(await send('{}', { ...json, 'content-type': type }), 415),
  )
})

describe.each(named(withBody))('the body of %s', async (_, endpoint) => {
  const json = await newAttacker()

  test('is accepted or refused for each field like the contract does', async () => {
    for (const field of fieldsOf(endpoint.body)) {
      for (const value of hostileValues) {
        const body = `{${JSON.stringify(field)}: ${value}}`
        const isValid = endpoint.body?.safeParse(JSON.parse(body)).success ?? true
        const response = await sendRequest(world.url, endpoint.method, pathOf(endpoint), json, body)
        if (isValid) expect(response.status).toBeLessThan(500)
        else expectRefusal(response, 422)
      }
    }
  })
})

/**
 * Returns the possible statuses of a query that the contract accepts. A cursor or token can be well-formed and invalid, the path
 * may name an unknown id, and a distance requires the caller's location.
 */
function possibleStatuses(field: string): number[] {
  if (field === 'cursor') return [200, 400, 404, 422]
  if (field === 'near' || field === 'sort') return [200, 404, 422]
  return field === 'token' ? [200, 400, 404] : [200, 404]
}

describe.each(named(withQuery))('the query of %s', (_, endpoint) => {
  test('is accepted or refused for each parameter like the contract does', async () => {
    for (const field of fieldsOf(endpoint.query)) {
      for (const value of hostileTexts) {
        const url = `${pathOf(endpoint)}?${field}=${encodeURIComponent(value)}`
        const isValid = endpoint.query?.safeParse({ [field]: value }).success ?? true
        const response = await sendRequest(world.url, endpoint.method, url, { authorization })
        if (isValid) expect(possibleStatuses(field)).toContain(response.status)
        else expectRefusal(response, 422)
      }
      const repeated = `${pathOf(endpoint)}?${field}=1&${field}=2&${field}[x]=3`
      expect(
        (await sendRequest(world.url, endpoint.method, repeated, { authorization })).status,
      ).toBeLessThan(500)
    }
  })
})

describe.each(named(withPath))('the path of %s', async (_, endpoint) => {
  const json = await newAttacker()

  test('returns 404 for invalid ids', async () => {
    const headers = endpoint.body ? json : { authorization }
    for (const value of invalidIds) {
      const path = pathOf(endpoint, encodeURI(value))
      const response = await sendRequest(world.url, endpoint.method, path, headers, '')
      // A 422 for the body may come before the 404 for the path.
      const { status } = response
      expectRefusal(response, endpoint.body && (status === 415 || status === 422) ? status : 404)
    }
  })
})

test.each(['%', '%zz', '%f', '%c0%ae', '%ff', '%ed%a0%80'])('refuses the path %s', async (value) => {
  const response = await sendRequest(world.url, getListing.method, pathOf(getListing, value), {
    authorization,
  })
  expectRefusal(response)
  expect([400, 404]).toContain(response.status)
})

test.each([
  ['a very long path', 'GET', `/api/${'a/'.repeat(6000)}`, 404],
  ['a very long query', 'GET', `/api/listings?q=${'a'.repeat(14_000)}`, 422],
  ['a request line that exceeds the limit', 'GET', `/api/${'a'.repeat(20_000)}`, 431],
  ['a path with parent folders', 'GET', '/api/../../etc/passwd', 404],
  ['an unsupported method', 'DELETE', '/api/openapi.json', 404],
  ['a path with a broken escape', 'GET', '/api/auth/%E0%A4%A/profile', 400],
])('%s is refused', async (_, method, path, status) => {
  const response = await sendRequest(world.url, method, path, { authorization })
  expectRefusal(response, status)
})

test('invalid HTTP is refused with problem details', async () => {
  expectRefusal(await sendRequest(world.url, 'GET', '/api\u0001/listings HTTP/9.9'), 400)
})

test('none of these requests changes other members or causes an unexpected failure', async () => {
  expect(await ann.call(getProfile)).toEqual(ann.profile)
  expect(Object.prototype).not.toHaveProperty('is_admin')
  expect(world.logged.filter((line) => line.includes('failed unexpectedly'))).toEqual([])
})

/** Returns the endpoints that this server serves. Another test checks that it serves all of them. */
async function registered(all: readonly Endpoint[]): Promise<Endpoint[]> {
  const { body } = await world.guest().send<{ paths: Record<string, object> }>('GET', '/api/openapi.json')
  return all.filter(({ method, path }) => method.toLowerCase() in (body.paths[apiBase + path] ?? {}))
}

function fieldsOf(schema: z.ZodMiniType | undefined): string[] {
  if (!schema) return []
  return Object.keys(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }).properties ?? {})
}

const invalidIds = [
  ...['0', '-1', '01', '1.5', '1e3', '0x1', '%20', '%00', 'null', '٣', "1'--"],
  ...['9'.repeat(25), 'a'.repeat(300)],
]
const hostileTexts = [
  '',
  ' ',
  '0',
  '-1',
  '1.5',
  '1e400',
  'NaN',
  'null',
  'true',
  '[]',
  '\u0000',
  "'; drop table users; --",
  '9'.repeat(400),
  '../../etc/passwd',
  '\u{1f345}',
  '\u202e',
]
const hostileValues = [
  ...hostileTexts.map((text) => JSON.stringify(text)),
  ...['null', 'true', '0', '-1', '-0', '0.1', '1e-9', '1e308', '1e400', '-1e400', '9007199254740993'],
  ...['[]', '[[]]', '[1]', '["a"]', '{}', '{"$ne":null}', '{"toString":1}', '{"length":5}'],
  ...['"\\ud800"', '"\\udc00\\ud800"', '"abc\\u0000def"', '"a\\nb@example.com"'],
  JSON.stringify('a'.repeat(20_000)),
  `${'['.repeat(500)}${']'.repeat(500)}`,
]
