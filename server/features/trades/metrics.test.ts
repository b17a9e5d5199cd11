import { expect, test } from 'vitest'
import { types } from '#contract/constants.ts'
import { createListing } from '#contract/listings.ts'
import { acceptTrade, createTrade } from '#contract/trades.ts'
import { metricsOf } from '#test/metrics.ts'
import { newWorld } from '#test/world.ts'

test('metrics count the steps of trades, the open ones and the age of the oldest request', async () => {
  await using world = await newWorld({ config: { metrics: { host: '127.0.0.1', port: 0 } } })
  const [ann, bob, cat] = await world.members('ann', 'bob', 'cat')
  const body = { title: 'Plums', type_id: types.giveaway }
  const { id: listing_id } = await ann.call(createListing, { body })
  const { id } = await bob.call(createTrade, { body: { listing_id } })
  const { id: waiting } = await cat.call(createTrade, { body: { listing_id } })
  const { id: last } = await cat.call(createTrade, {
    body: { listing_id: (await ann.call(createListing, { body })).id },
  })
  await ann.call(acceptTrade, { params: { id } })
  expect((await ann.try(acceptTrade, { params: { id: waiting } })).status).toBe(409)
  for (const trade of [waiting, last])
    await world.db
      .updateTable('trades')
      .set({ created_at: new Date(Date.now() - 5_000_000).toISOString() })
      .where('id', '=', trade)
      .execute()

  const metrics = await metricsOf(world)
  const metric = (name: string) => Number(metrics.split(`\n${name} `)[1]?.split('\n')[0])
  expect(metric('rhubarb_trade_steps_total{step="request",state="requested"}')).toBe(3)
  expect(metric('rhubarb_trade_steps_total{step="accept",state="accepted"}')).toBe(1)
  expect(metrics.match(/^rhubarb_trade_steps_total\{/gm)).toHaveLength(2)
  expect(metric('rhubarb_trades_requested')).toBe(2)
  expect(metric('rhubarb_trades_accepted')).toBe(1)
  expect(Math.floor(metric('rhubarb_trades_oldest_request_seconds') / 1000)).toBe(5)
})
