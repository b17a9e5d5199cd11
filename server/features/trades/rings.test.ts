import { afterAll, expect, test } from 'vitest'
import { states, types } from '#contract/constants.ts'
import { createListing, type Listing, updateListing } from '#contract/listings.ts'
import { blockMember } from '#contract/members.ts'
import { listNotifications } from '#contract/notifications.ts'
import { updatePreferences, updateProfile } from '#contract/profile.ts'
import { createTrade, listRings } from '#contract/trades.ts'
import { createWant } from '#contract/wants.ts'
import type { Actor } from '#test/actor.ts'
import { newWorld } from '#test/world.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())

const crops = [
  'plums',
  'figs',
  'garlic',
  'leeks',
  'rhubarb',
  'kale',
  'quinces',
  'basil',
  'beans',
  'carrots',
  'lemons',
  'pumpkins',
  'okra',
  'radishes',
  'parsnips',
  'spinach',
  'celery',
  'sorrel',
]
let used = 0

/** Each member offers a crop for exchange, and wants that of the member before. No other test's crops fit. */
async function circle(members: readonly Actor[], offer: object = {}): Promise<Listing[]> {
  const own = crops.slice(used, used + members.length)
  used += members.length
  const listings: Listing[] = []
  for (const [place, member] of members.entries()) {
    const title = own[place] ?? ''
    listings.push(await member.call(createListing, { body: { title, type_id: types.exchange, ...offer } }))
  }
  for (const [place, member] of members.entries())
    await member.call(createWant, { body: { title: own.at(place - 1) ?? '' } })
  await world.jobsDone()
  return listings
}

const givers = (rings: Awaited<ReturnType<typeof ringsOf>>) =>
  rings.map(({ legs }) => legs.map(({ giver }) => giver.id))
const ringsOf = (who: Actor) => who.call(listRings)

test('a ring of three is suggested to each of its members, and may be proposed', async () => {
  const members = await world.uniqueMembers('ann', 'ben', 'cat')
  const [ann, ben, cat] = members
  const listings = await circle(members)
  for (const who of members)
    expect(new Set(givers(await ringsOf(who))[0])).toEqual(new Set(members.map(({ id }) => id)))
  const [ring] = await ringsOf(ann)
  const leg = ring?.legs.find(({ giver }) => giver.id === ann.id)
  expect(leg).toMatchObject({ taker: { id: ben.id }, listing: { id: listings[0]?.id, is_visible: true } })
  expect(leg?.reason).toMatch(/plum.* is on their list/)
  expect(ring?.legs.find(({ taker }) => taker.id === ann.id)?.reason).toMatch(/ is on your list/)
  expect(
    (await cat.call(listNotifications, { query: {} })).filter(({ kind }) => kind === 'ring'),
  ).toHaveLength(1)

  const response = await ann.try(createTrade, {
    body: { ring: ring?.legs.map(({ listing }) => listing.id) ?? [] },
  })
  expect([response.status, response.body.kind]).toEqual([201, 'ring'])
  expect(await ringsOf(ben)).toEqual([])
})

test('a ring whose listing meets two wants of a member is suggested once', async () => {
  const [ann, ben, cat] = await world.uniqueMembers('ann', 'ben', 'cat')
  const offers = [
    [ann, 'Sungold tomatoes'],
    [ben, 'shallots'],
    [cat, 'peas'],
  ] as const
  for (const [who, title] of offers)
    await who.call(createListing, { body: { title, type_id: types.exchange } })
  for (const title of ['tomatoes', 'cherry tomatoes']) await cat.call(createWant, { body: { title } })
  await ben.call(createWant, { body: { title: 'peas' } })
  await ann.call(createWant, { body: { title: 'shallots' } })
  await world.jobsDone()
  for (const who of [ann, ben, cat]) expect(givers(await ringsOf(who))).toHaveLength(1)
})

test('a ring of four is suggested', async () => {
  const members = await world.uniqueMembers('ann', 'ben', 'cat', 'dan')
  await circle(members)
  for (const who of members) expect(givers(await ringsOf(who))[0]).toHaveLength(4)
})

test('rings exclude giveaways not opened to rings, reserved listings and blocked members', async () => {
  const members = await world.uniqueMembers('ann', 'ben', 'cat')
  const [ann, ben] = members
  const [plums] = await circle(members, { type_id: types.giveaway, open_to_rings: true })
  expect(await ringsOf(ann)).toHaveLength(1)
  if (!plums) throw new Error('Ann has no listing')
  const change = (body: object) => ann.call(updateListing, { params: { id: plums.id }, body })
  await change({ open_to_rings: false })
  expect(await ringsOf(ben)).toEqual([])
  await change({ open_to_rings: true, state_id: states.reserved })
  expect(await ringsOf(ben)).toEqual([])
  await change({ state_id: states.available })
  expect(await ringsOf(ben)).toHaveLength(1)
  await ann.call(blockMember, { params: { id: ben.id } })
  expect(await ringsOf(ben)).toEqual([])
})

test("a ring needs each giver and taker within each other's radius", async () => {
  /** Cat gives to Ann over some fifty miles. Ann and Ben have no radius. */
  const givenFar = async (match_radius: 25 | 100) => {
    const members = await world.uniqueMembers('ann', 'ben', 'cat')
    const [ann, ben, cat] = members
    await ann.call(updateProfile, { body: { zip_code: '97214' } })
    for (const who of [ben, cat]) await who.call(updateProfile, { body: { zip_code: '97301' } })
    for (const who of [ann, ben]) await who.call(updatePreferences, { body: { match_radius: null } })
    await cat.call(updatePreferences, { body: { match_radius } })
    await circle(members)
    return (await ringsOf(ben)).length
  }
  expect(await givenFar(25)).toBe(0)
  expect(await givenFar(100)).toBe(1)
})
