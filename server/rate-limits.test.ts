import { afterAll, expect, test } from 'vitest'
import { requestPasswordReset, resendConfirmation } from '#contract/auth.ts'
import { limits, types } from '#contract/constants.ts'
import { friendMessages, removeFriend, requestFriend } from '#contract/friends.ts'
import { invitationMessages, invite } from '#contract/invitations.ts'
import { createListing, updateListing } from '#contract/listings.ts'
import { exportProfile, updateProfile } from '#contract/profile.ts'
import { acceptTrade, changePickup, createTrade, tradeMessages } from '#contract/trades.ts'
import { deleteWant } from '#contract/wants.ts'
import { newWorld } from '#test/world.ts'

const world = await newWorld({ rateLimits: true })
const otherNode = await world.node()
afterAll(async () => {
  await otherNode[Symbol.asyncDispose]()
  await world[Symbol.asyncDispose]()
})

const unknown = 987_654_321
const hours = (count: number) => new Date(Date.now() + count * 3_600_000).toISOString()

/** Sets how many attempts are counted for each member under a limit. */
const setCount = (limit: string, points: number) =>
  world.db.updateTable('rate_limits').set({ points }).where('key', 'like', `${limit}:%`).execute()

test('limits password resets to five per address, known or unknown', async () => {
  const [ann] = await world.uniqueMembers('ann')
  for (const email of [ann.email, 'nobody@example.com']) {
    const statuses = []
    for (let round = 0; round < 6; round += 1) {
      statuses.push((await world.guest().try(requestPasswordReset, { body: { email } })).status)
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
  }
})

test('limits a member to five confirmation mails an hour', async () => {
  const [ann] = await world.uniqueMembers('ann')
  for (let mail = 0; mail < 5; mail += 1) await ann.call(resendConfirmation)
  expect((await ann.try(resendConfirmation)).status).toBe(429)
})

test('limits guesses at the current password to ten', async () => {
  const [ann] = await world.uniqueMembers('ann')
  const statuses = []
  for (let guess = 0; guess < 11; guess += 1) {
    const body = { email: 'ann@elsewhere.example', current_password: `guess-number-${guess}` }
    statuses.push((await ann.try(updateProfile, { body })).status)
  }
  expect(statuses).toEqual([...Array(10).fill(403), 429])
})

test('limits a member to five exports, then one a minute', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  const tries = await Promise.all(Array.from({ length: 7 }, () => ann.try(exportProfile)))
  expect(tries.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 429, 429])
  expect(tries.find(({ status }) => status === 429)?.headers.get('retry-after')).toBe('60')
  expect((await bob.try(exportProfile)).status).toBe(200)
})

test('limits a member to twenty invitations a day', async () => {
  const [ann] = await world.uniqueMembers('ann')
  for (let count = 0; count < limits.invitationsPerDay; count += 1)
    expect((await ann.try(invite, { body: { email: `n${count}@example.com` } })).status).toBe(202)
  const refused = await ann.try(invite, { body: { email: 'one.more@example.com' } })
  expect([refused.status, refused.body.detail]).toEqual([429, invitationMessages.tooMany])
  expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
})

test('limits a member to fifty friend requests a day across nodes, counting withdrawn ones', async () => {
  const [ann, bob, cat, dan] = await world.uniqueMembers('ann', 'bob', 'cat', 'dan')
  const nodes = [ann, otherNode.as(ann)] as const
  const request = (node: typeof ann, { id }: typeof ann) =>
    node.try(requestFriend, { body: { friend_id: id } })
  expect((await request(nodes[0], bob)).status).toBe(201)
  await setCount('friend requests', limits.friends.requestsPerDay - 1)
  expect((await request(nodes[1], cat)).status).toBe(201)
  expect((await request(nodes[0], bob)).status).toBe(200)
  await ann.call(removeFriend, { params: { id: bob.id } })
  for (const node of nodes) {
    const refused = await request(node, dan)
    expect([refused.status, refused.body.detail]).toEqual([429, friendMessages.tooManyRequests])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(80_000)
  }
})

test('limits a member to two hundred listings a day, and edits of listings and wants in a short time', async () => {
  const [ann] = await world.uniqueMembers('ann')
  const post = () => ann.try(createListing, { body: { title: 'Onions', price: 1 } })
  expect((await post()).status).toBe(201)
  await setCount('listings', limits.listingsPerDay - 1)
  expect((await post()).status).toBe(201)

  expect(await post()).toMatchObject({
    status: 429,
    body: { detail: 'You can post at most 200 listings a day. Please try again in 24 hours.' },
  })
  const params = { id: unknown }
  const repeat = async (call: () => Promise<{ status: number }>) =>
    new Set((await Promise.all(Array.from({ length: 130 }, call))).map(({ status }) => status))
  expect(await repeat(() => ann.try(updateListing, { params, body: {} }))).toEqual(new Set([404, 429]))
  expect(await repeat(() => ann.try(deleteWant, { params }))).toEqual(new Set([404, 429]))
})

test('limits the trade requests and pickup changes of a day, because each sends mails', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  const give = async () =>
    (await ann.call(createListing, { body: { title: 'Plums', type_id: types.giveaway } })).id
  const [plums, others] = [await give(), await give()]
  const { id } = await bob.call(createTrade, { body: { listing_id: plums } })
  await ann.call(acceptTrade, { params: { id } })
  const span = { starts_at: hours(2), ends_at: hours(3) }
  await bob.call(changePickup, { params: { id }, body: span })

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
