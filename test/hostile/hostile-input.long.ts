import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { getProfile } from '#contract/auth.ts'
import { types } from '#contract/constants.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { createListing } from '#contract/listings.ts'
import { newWorld } from '#test/world.ts'
import { checkBody, checkPath, checkQuery, endpointsByInput } from './hostile-fields.ts'

// The test of `npm test` sends invalid values to one endpoint of each kind of input only.
const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())
const [ann] = await world.members('ann')
const listing = await ann.call(createListing, { body: { title: 'Beans', type_id: types.giveaway } })
const { withBody, withQuery, withPath } = await endpointsByInput(world)
const authorization = `Bearer ${ann.token}`

let attackers = 0
/** Registers a member whose account the requests may change and returns the check of an endpoint by this member. */
async function newCheck(endpoint: Endpoint) {
  attackers += 1
  const mallory = await world.member({ username: `mallory_${attackers}` })
  const headers = { authorization: `Bearer ${mallory.token}`, 'content-type': 'application/json' }
  return { world, endpoint, headers, id: listing.id, sendsAll: true }
}

afterEach(async () => {
  expect(await ann.try(getProfile)).toMatchObject({ status: 200, body: { username: 'ann' } })
})

describe.each([
  ['the body', withBody],
  ['the query', withQuery],
  ['the path', withPath],
])('%s', (part, endpoints) => {
  test.each(endpoints)(`of %s is accepted or refused like the contract does`, async (_, endpoint) => {
    if (part === 'the body') return checkBody(await newCheck(endpoint))
    if (part === 'the path' && endpoint.body) return checkPath(await newCheck(endpoint))
    const check = { world, endpoint, headers: { authorization }, id: listing.id, sendsAll: true }
    return part === 'the query' ? checkQuery(check) : checkPath(check)
  })
})

test('none of these requests changes other members or causes an unexpected failure', async () => {
  expect(await ann.call(getProfile)).toEqual(ann.profile)
  expect(world.logged.filter((line) => line.includes('failed unexpectedly'))).toEqual([])
})
