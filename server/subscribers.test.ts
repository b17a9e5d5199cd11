import { afterAll, expect, test } from 'vitest'
import { categories, states, types } from '#contract/constants.ts'
import { createListing, deleteListing, getListing, updateListing } from '#contract/listings.ts'
import { listMatches } from '#contract/matches.ts'
import { acceptTrade, createTrade, getTrade, tradeMessages } from '#contract/trades.ts'
import { createWant } from '#contract/wants.ts'
import { newWorld } from '#test/world.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())

test('a subscriber that refuses a change rolls it back with the work of the other subscribers', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  const { id } = await ann.call(createListing, { body: { title: 'Plums', type_id: types.giveaway } })
  const trade = await bob.call(createTrade, { body: { listing_id: id } })
  await ann.call(acceptTrade, { params: { id: trade.id } })
  await world.jobsDone()
  const jobs = await world.jobsOf('match-listing')

  const refused = await ann.try(updateListing, {
    params: { id },
    body: { title: 'Damsons', state_id: states.available },
  })

  expect([refused.status, refused.body.detail]).toEqual([409, tradeMessages.listingPromised])
  expect((await ann.call(getListing, { params: { id } })).title).toBe('Plums')
  expect(await world.jobsOf('match-listing')).toHaveLength(jobs.length)
})

test('a failing subscriber of a domain event rolls back the change and the work of the other subscribers', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  const category_id = categories.produce
  await bob.call(createWant, { body: { title: 'Zucchini', category_id } })
  const body = { title: 'Zucchini', type_id: types.giveaway, category_id, is_public: true }
  const { id } = await ann.call(createListing, { body })
  await world.jobsDone()
  const trade = await bob.call(createTrade, { body: { listing_id: id } })
  await world.jobsDone()

  // When a listing is deleted, one subscriber deletes its matches, and a later one ends its trades.
  await world.failUpdates('trades')
  const { status, body: problem } = await ann.try(deleteListing, { params: { id } })

  expect([status, problem.detail]).toEqual([500, expect.not.stringContaining('refused')])
  expect(await ann.call(getListing, { params: { id } })).toMatchObject({ title: 'Zucchini' })
  expect(await bob.call(listMatches, { query: {} })).toMatchObject([{ listing: { id } }])
  expect(await bob.call(getTrade, { params: { id: trade.id } })).toMatchObject({ state: 'requested' })
})
