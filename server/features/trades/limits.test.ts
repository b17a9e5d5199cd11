import { expect, test } from 'vitest'
import { limits, types } from '#contract/constants.ts'
import { createListing } from '#contract/listings.ts'
import { acceptTrade, changePickup, createTrade, tradeMessages } from '#contract/trades.ts'
import { newWorld } from '#test/world.ts'

const unknown = 987_654_321
const hours = (count: number) => new Date(Date.now() + count * 3_600_000).toISOString()

test('a member asks for and arranges a limited number of trades a day, because each sends mails', async () => {
  await using world = await newWorld({ rateLimits: true })
  const [ann, bob] = await world.members('ann', 'bob')
  const give = async () =>
    (await ann.call(createListing, { body: { title: 'Plums', type_id: types.giveaway } })).id
  const [plums, others] = [await give(), await give()]
  const { id } = await bob.call(createTrade, { body: { listing_id: plums } })
  await ann.call(acceptTrade, { params: { id } })
  const span = { starts_at: hours(2), ends_at: hours(3) }
  await bob.call(changePickup, { params: { id }, body: span })

  const setCount = (limit: string, points: number) =>
    world.db.updateTable('rate_limits').set({ points }).where('key', 'like', `${limit}:%`).execute()
  await setCount('trade requests', limits.trade.requestsPerDay - 1)
  await setCount('pickup changes', limits.trade.pickupChangesPerDay - 1)
  // Failed ones count too, so the limits are reached without mails.
  expect((await bob.try(createTrade, { body: { listing_id: unknown } })).status).toBe(404)
  expect((await bob.try(changePickup, { params: { id: unknown }, body: span })).status).toBe(404)

  const request = await bob.try(createTrade, { body: { listing_id: others } })
  expect(request).toMatchObject({
    status: 429,
    body: { detail: expect.stringContaining(tradeMessages.tooManyPerDay) },
  })
  const pickup = await bob.try(changePickup, { params: { id }, body: { ...span, ends_at: hours(4) } })
  expect(pickup).toMatchObject({
    status: 429,
    body: { detail: expect.stringContaining(tradeMessages.tooManyPickupChanges) },
  })
})
