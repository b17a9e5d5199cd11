import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { states, types } from '#contract/constants.ts'
import { createListing, updateListing } from '#contract/listings.ts'
import { blockMember } from '#contract/members.ts'
import { listNotifications } from '#contract/notifications.ts'
import { updatePreferences, updateProfile } from '#contract/profile.ts'
import { createTrade } from '#contract/trades.ts'
import { createWant } from '#contract/wants.ts'
import type { Actor } from '#test/actor.ts'
import { givers, newRingWorld } from '#test/ring-world.ts'
import { cleanUpRings } from './jobs.ts'

const { world, circle, searched, ringsOf } = await newRingWorld()
afterAll(() => world[Symbol.asyncDispose]())

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
  await searched()
  for (const who of [ann, ben, cat]) expect(givers(await ringsOf(who))).toHaveLength(1)
})

test('rings of the same members are suggested once for each listing that the member gets', async () => {
  const [ann, ben, cat] = await world.uniqueMembers('ann', 'ben', 'cat')
  const offer = (who: Actor, title: string) =>
    who.call(createListing, { body: { title, type_id: types.exchange } })
  const [tarragon] = [await offer(ann, 'tarragon'), await offer(ann, 'lovage'), await offer(ann, 'chervil')]
  for (const title of ['medlars', 'mulberries']) await offer(ben, title)
  await offer(cat, 'turnips')
  const wants = [
    [cat, ['tarragon', 'lovage', 'chervil']],
    [ann, ['medlars', 'mulberries']],
    [ben, ['turnips']],
  ] as const
  for (const [who, titles] of wants)
    for (const title of titles) await who.call(createWant, { body: { title } })
  await searched()
  const gotBy = async (who: Actor) =>
    (await ringsOf(who))
      .map(({ legs }) => legs.find(({ taker }) => taker.id === who.id)?.listing.title)
      .toSorted()
  const expectAll = async () => {
    expect(await gotBy(ann)).toEqual(['medlars', 'mulberries'])
    expect(await gotBy(ben)).toEqual(['turnips'])
  }
  await expectAll()
  expect(await gotBy(cat)).toEqual(['chervil', 'lovage', 'tarragon'])
  // Another listing of hers takes its place.
  await ann.call(updateListing, { params: { id: tarragon.id }, body: { state_id: states.gone } })
  await expectAll()
  expect(await gotBy(cat)).toEqual(['chervil', 'lovage'])
})

test('at most five rings are suggested, those of three before those of four', async () => {
  const [ann, ben, cat, dan] = await world.uniqueMembers('ann', 'ben', 'cat', 'dan')
  const nuts = ['walnuts', 'hazelnuts', 'chestnuts']
  const offer = (who: Actor, title: string) =>
    who.call(createListing, { body: { title, type_id: types.exchange } })
  await offer(ann, 'artichokes')
  for (const title of nuts) await offer(ben, title)
  await offer(cat, 'cardoons')
  await offer(dan, 'salsify')
  const wants = [
    [cat, ['artichokes']],
    [dan, ['artichokes', 'cardoons']],
    [ben, ['cardoons', 'salsify']],
    [ann, nuts],
  ] as const
  for (const [who, titles] of wants)
    for (const title of titles) await who.call(createWant, { body: { title } })
  await searched()
  expect(givers(await ringsOf(ann)).map(({ length }) => length)).toEqual([3, 3, 3, 3, 3])
  expect(givers(await ringsOf(dan)).map(({ length }) => length)).toEqual([3, 4])
})

test('a ring is found when its last listing is opened to rings', async () => {
  const members = await world.uniqueMembers('ann', 'ben', 'cat')
  const listings = await circle(members, { type_id: types.giveaway, open_to_rings: false })
  const opened: number[] = []
  for (const [place, { id }] of listings.entries()) {
    await members[place]?.call(updateListing, { params: { id }, body: { open_to_rings: true } })
    await searched()
    opened.push((await ringsOf(members[0])).length)
  }
  expect(opened).toEqual([0, 0, 1])
})

test('a ring of four is suggested', async () => {
  const members = await world.uniqueMembers('ann', 'ben', 'cat', 'dan')
  await circle(members)
  for (const who of members) expect(givers(await ringsOf(who))[0]).toHaveLength(4)

  // A hundred shorter rings, of which only one leg is left.
  await sql`
    with broken as (
      insert into rings (listing_ids, size, miles) select array[-n], 3, 0 from generate_series(1, 100) n returning id
    )
    insert into ring_legs (ring_id, place, want_id, listing_id, giver_id, taker_id)
    select broken.id, place, want_id, listing_id, giver_id, taker_id
    from broken cross join ring_legs where giver_id = ${members[0].id} and ring_id not in (select id from broken)`.execute(
    world.db,
  )
  expect(await ringsOf(members[0])).toEqual([])
  await world.runJob(cleanUpRings)
  expect(await ringsOf(members[0])).toHaveLength(1)
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
