import { afterAll, expect, test } from 'vitest'
import { states, types } from '#contract/constants.ts'
import { createListing, getListing, updateListing } from '#contract/listings.ts'
import { acceptTrade, createTrade, tradeMessages } from '#contract/trades.ts'
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
