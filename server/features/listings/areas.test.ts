import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { categories, limits, types } from '#contract/constants.ts'
import type { CallInput } from '#contract/endpoint.ts'
import { listAreas, listListings } from '#contract/listing-queries.ts'
import { createListing, listingMessages } from '#contract/listings.ts'
import { blockMember } from '#contract/members.ts'
import { updateProfile } from '#contract/profile.ts'
import type { Actor } from '#test/actor.ts'
import { newWorld } from '#test/world.ts'

type Query = CallInput<typeof listAreas>['query']

const post = (owner: Actor, title: string, more: Partial<CallInput<typeof createListing>['body']> = {}) =>
  owner.call(createListing, { body: { title, type_id: types.giveaway, ...more } })

/** Returns the areas of a list as short texts: "3 in Multnomah County, 5". */
const areasOf = async (caller: Actor, query: Query = { public: 'true' }) =>
  (await caller.call(listAreas, { query })).map(
    ({ name, count, within_miles }) => `${count} in ${name}, ${within_miles}`,
  )

describe('in the United States', async () => {
  const world = await newWorld()
  afterAll(() => world[Symbol.asyncDispose]())
  const [ann, bob, cat, dan, eve, fay] = await world.members('ann', 'bob', 'cat', 'dan', 'eve', 'fay')
  // Portland twice, Oregon City, Salem, Seattle, and no place.
  for (const [member, zip_code] of [
    [ann, '97214'],
    [bob, '97215'],
    [cat, '97045'],
    [dan, '97301'],
    [eve, '98101'],
  ] as const)
    await member.call(updateProfile, { body: { zip_code } })
  await world.befriend(ann, bob)
  for (const crop of ['Beans', 'Peas', 'Kale'])
    await post(bob, crop, { category_id: crop === 'Kale' ? categories.plants : categories.produce })
  for (const crop of ['Beans', 'Plums', 'Figs', 'Leeks']) await post(cat, crop)
  await post(dan, 'Beans')
  for (const member of [eve, fay]) for (const crop of ['Beans', 'Figs', 'Kale']) await post(member, crop)
  await post(bob, 'Garlic', { is_public: false })
  await post(bob, 'Basil', { is_active: false })

  test('counts listings by county, nearest first, and joins counties with few', async () => {
    expect(await areasOf(ann)).toEqual([
      '3 in Multnomah County, 5',
      '4 in Clackamas County, 25',
      '1 in null, 50',
    ])
    expect(JSON.stringify(await ann.call(listAreas, { query: { public: 'true' } }))).not.toMatch(
      /97\d{3}|98101/,
    )
  })

  test('counts what the list with the same filters has', async () => {
    expect(await areasOf(ann, { public: 'true', near: 10 })).toEqual(['3 in Multnomah County, 5'])
    expect(await areasOf(ann, { public: 'true', q: 'beans' })).toEqual(['3 in null, 5'])
    expect(await areasOf(ann, { public: 'true', category_id: categories.plants })).toEqual(['1 in null, 5'])
    expect(await areasOf(ann, { public: 'true', type_id: types.sell })).toEqual([])
    expect(await areasOf(ann, { friends: 'true' })).toEqual(['4 in Multnomah County, 5'])
    expect(await areasOf(ann, {})).toEqual([
      '4 in Multnomah County, 5',
      '4 in Clackamas County, 25',
      '1 in null, 50',
    ])
    // The list has listings that lack a word if none has all, and so have the areas.
    expect(await areasOf(ann, { public: 'true', q: 'beans plums' })).toEqual(
      await areasOf(ann, { public: 'true', q: 'plums beans' }),
    )
  })

  test('a list can be limited to one area', async () => {
    const [multnomah, clackamas] = await ann.call(listAreas, { query: { public: 'true' } })
    const titles = async (query: CallInput<typeof listListings>['query']) =>
      (await ann.call(listListings, { query: { public: 'true', ...query } })).map(({ title }) => title)
    const area = multnomah?.area ?? 0
    expect(await titles({ area })).toEqual(['Kale', 'Peas', 'Beans'])
    expect(await titles({ area, sort: 'nearest', q: 'peas' })).toEqual(['Peas'])
    expect(await titles({ area: clackamas?.area ?? 0, near: 5 })).toEqual([])
    expect(await titles({ area: clackamas?.area ?? 0, near: 25 })).toHaveLength(4)
    expect(await titles({ area: 99_999 })).toEqual([])
    // The postal code of a member is no area.
    expect(await titles({ area: 97_215 })).toEqual([])
  })

  test('does not count listings of members with a block', async () => {
    const [gus] = await world.members('gus')
    await gus.call(updateProfile, { body: { zip_code: '97214' } })
    await bob.call(blockMember, { params: { id: gus.id } })
    expect((await areasOf(gus))[0]).toBe('4 in Clackamas County, 25')
  })

  test('counts at most so many listings of one postal code', async () => {
    const [hal, ida] = await world.members('hal', 'ida')
    await hal.call(updateProfile, { body: { zip_code: '59801' } })
    await ida.call(updateProfile, { body: { zip_code: '59802' } })
    const { id } = await post(hal, 'Huckleberries')
    await sql`
      insert into listings (owner_id, postal_code_id, title, description, price, is_active, is_public, type_id, state_id)
      select owner_id, postal_code_id, title, description, price, is_active, is_public, type_id, state_id
      from listings, generate_series(1, 120) where id = ${id}`.execute(world.db)
    expect(await areasOf(ida)).toEqual([`${limits.area.counted} in Missoula County, 5`])
  })

  test('needs the place of the caller, and one list', async () => {
    expect(await fay.send('GET', '/api/listings/areas')).toMatchObject({
      status: 422,
      body: { code: 'location_unknown', detail: listingMessages.locationUnknown },
    })
    expect(await ann.send('GET', '/api/listings/areas?public=true&friends=true')).toMatchObject({
      status: 422,
      body: { detail: 'Please ask for one of friends and public' },
    })
    expect(await ann.send('GET', '/api/listings/areas?near=0')).toMatchObject({ status: 422 })
    expect(await ann.send('GET', '/api/listings?area=x')).toMatchObject({ status: 422 })
  })
})

test('in other countries the areas are towns', async () => {
  const region = { country: 'DE', currency: 'EUR', distanceUnit: 'km', firstDay: 'monday' } as const
  await using world = await newWorld({ config: { region } })
  const [ann, bob] = await world.members('ann', 'bob')
  await ann.call(updateProfile, { body: { city: 'Köln' } })
  await bob.call(updateProfile, { body: { city: 'Bonn' } })
  for (const crop of ['Bohnen', 'Erbsen', 'Salat']) await post(bob, crop)

  const found = await ann.call(listAreas, { query: { public: 'true' } })
  expect(found).toMatchObject([{ name: 'Bonn', count: 3, within_km: 25 }])
  const area = found[0]?.area ?? 0
  expect(await ann.call(listListings, { query: { public: 'true', area } })).toHaveLength(3)
})
