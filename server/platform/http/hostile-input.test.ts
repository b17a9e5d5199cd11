import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { getProfile } from '#contract/auth.ts'
import { types } from '#contract/constants.ts'
import { listListings } from '#contract/listing-queries.ts'
import { createListing, getListing } from '#contract/listings.ts'
import { updateProfile } from '#contract/profile.ts'
import {
  checkBody,
  checkPath,
  checkQuery,
  endpointsByInput,
  expectRefusal,
  pathOf,
} from '#test/hostile/hostile-fields.ts'
import { sendRequest } from '#test/raw-http.ts'
import { newWorld } from '#test/world.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())
const [ann] = await world.members('ann')
// A member without a place may not ask what is near.
const profile = await ann.call(updateProfile, { body: { zip_code: '97214' } })
const listing = await ann.call(createListing, { body: { title: 'Beans', type_id: types.giveaway } })

const { withBody, withQuery, withPath } = await endpointsByInput(world)
const authorization = `Bearer ${ann.token}`
let attackers = 0
/** Registers a member whose account the requests may change and returns the headers for it. */
async function newAttacker() {
  attackers += 1
  const mallory = await world.member({ username: `mallory_${attackers}` })
  return { authorization: `Bearer ${mallory.token}`, 'content-type': 'application/json' }
}

afterEach(async () => {
  expect(await ann.try(getProfile)).toMatchObject({ status: 200, body: { username: 'ann' } })
})

// All endpoints share one parser, so testing one is enough.
describe('a JSON body', async () => {
  const json = await newAttacker()
  const send = (body: string | Buffer, headers = json) =>
    sendRequest(world.url, createListing.method, pathOf(createListing, listing.id), headers, body)

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

// All endpoints share one parser for each kind of input, so values that the contract refuses are sent to one endpoint of each.
// `npm run test:hostile -- hostile-input` sends them to all.
test.each(withBody)(
  'the body of %s is accepted or refused for each field like the contract does',
  async (_, endpoint) =>
    checkBody({
      ...{ world, endpoint, headers: await newAttacker(), id: listing.id },
      sendsAll: endpoint === createListing,
    }),
)

test.each(withQuery)(
  'the query of %s is accepted or refused for each parameter like the contract does',
  (_, endpoint) =>
    checkQuery({
      ...{ world, endpoint, headers: { authorization }, id: listing.id },
      sendsAll: endpoint === listListings,
    }),
)

test.each(withPath)('the path of %s returns 404 for invalid ids', async (_, endpoint) =>
  checkPath({
    ...{ world, endpoint, headers: endpoint.body ? await newAttacker() : { authorization }, id: listing.id },
    sendsAll: endpoint === getListing,
  }),
)

test.each(['%', '%zz', '%f', '%c0%ae', '%ff', '%ed%a0%80'])('refuses the path %s', async (value) => {
  const response = await sendRequest(world.url, getListing.method, pathOf(getListing, value), {
    authorization,
  })
  expectRefusal(response)
  expect([400, 404]).toContain(response.status)
})

test.each([
  ['a very long path', 'GET', `/api/${'a/'.repeat(6000)}`, 404],
  ['a very long query', 'GET', `/api/listings?q=${'a'.repeat(3000)}`, 422],
  ['an even longer query', 'GET', `/api/listings?q=${'a'.repeat(14_000)}`, 404],
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
  expect(await ann.call(getProfile)).toEqual(profile)
  expect(Object.prototype).not.toHaveProperty('is_admin')
  expect(world.logged.filter((line) => line.includes('failed unexpectedly'))).toEqual([])
})
