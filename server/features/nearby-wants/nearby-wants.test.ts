import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { categories, limits, states } from '#contract/constants.ts'
import { listingMessages, setVisibility, updateListing } from '#contract/listings.ts'
import { blockMember } from '#contract/members.ts'
import { updatePreferences, updateProfile } from '#contract/profile.ts'
import { deleteWant, listNearbyWants, renameWant } from '#contract/wants.ts'
import { wantTermsVersion } from '#server/features/wants/indexing.ts'
import type { Actor } from '#test/actor.ts'
import { newMatchingWorld } from '#test/matching-world.ts'

const { world, newMembers, list, addWant } = await newMatchingWorld()
afterAll(() => world[Symbol.asyncDispose]())

/** Postal codes of far-apart places, each with one that is about three and one that is about fifty miles away. */
const places = [
  { here: '97214', near: '97215', far: '97301' },
  { here: '60614', near: '60657', far: '53202' },
  { here: '80205', near: '80211', far: '80903' },
  { here: '30307', near: '30317', far: '30605' },
  { here: '73102', near: '73103', far: '74074' },
  { here: '55404', near: '55407', far: '55901' },
  { here: '84102', near: '84105', far: '84601' },
  { here: '64110', near: '64113', far: '66044' },
  { here: '59801', near: '59802', far: '59901' },
]

const move = (member: Actor, zip_code: string) => member.call(updateProfile, { body: { zip_code } })

/** Registers four members at a place where nobody else lives. */
async function newNeighbors() {
  const place = places.pop() ?? never()
  const members = await newMembers(4)
  for (const member of members) await move(member, place.here)
  return { place, members }
}

function never(): never {
  throw new RangeError('All places are taken')
}

/** Returns what is wanted near a member as short texts. */
async function wantedNear(member: Actor, query: { category_id?: 1 | 2 | 3 } = {}) {
  const wants = await member.call(listNearbyWants, { query })
  return wants.map(
    ({ name, category_id, wanted, offered }) => `${name} ${category_id}: ${wanted}, ${offered}`,
  )
}

test('groups the wants of others by crop, whatever name or cultivar they use', async () => {
  const {
    members: [ann, bob, cat, dan],
  } = await newNeighbors()
  await addWant(ann, 'zucchini', categories.produce)
  await addWant(bob, 'courgettes', categories.produce)
  await addWant(cat, 'calabacín', categories.produce)
  await addWant(cat, 'Zucchini, please', categories.produce)
  await addWant(dan, 'Black Beauty zucchini', categories.produce)
  await addWant(dan, 'zucchini', categories.seeds)

  expect(await wantedNear(ann)).toEqual(['zucchini 1: 3, 0', 'zucchini 2: 1, 0'])
  expect(await wantedNear(ann, { category_id: categories.seeds })).toEqual(['zucchini 2: 1, 0'])
})

test('counts the members who offer a crop or a kind of it in a compatible category', async () => {
  const {
    place,
    members: [ann, bob, cat, dan],
  } = await newNeighbors()
  for (const member of [bob, cat]) await addWant(member, 'tomatoes', categories.produce)
  await addWant(dan, 'garlic', categories.produce)
  await list(bob, 'Sungold tomatoes', { category_id: categories.produce })
  await list(bob, 'Tomatoes, a crate', { category_id: categories.produce })
  await list(cat, 'Tomato', { category_id: null })
  await list(dan, 'Tomato seeds', { category_id: categories.seeds })
  await list(dan, 'Tomato cages', { category_id: categories.produce })
  expect(await wantedNear(ann)).toEqual(['garlic 1: 1, 0', 'tomato 1: 2, 2'])

  await move(cat, place.far)
  expect(await wantedNear(ann)).toEqual(['garlic 1: 1, 0', 'tomato 1: 1, 1'])
})

test('lists the most unmet crops first', async () => {
  const {
    members: [ann, bob, cat, dan],
  } = await newNeighbors()
  for (const member of [bob, cat, dan]) await addWant(member, 'figs')
  for (const member of [bob, cat]) await addWant(member, 'leeks')
  await addWant(bob, 'plums')
  for (const member of [bob, cat]) await list(member, 'Figs')

  expect(await wantedNear(ann)).toEqual(['leek null: 2, 0', 'fig null: 3, 2', 'plum null: 1, 0'])
})

test('counts no wants and listings of members in a block, suspended or out of reach', async () => {
  const {
    place,
    members: [ann, bob, cat, dan],
  } = await newNeighbors()
  for (const member of [bob, cat, dan]) {
    await addWant(member, 'quinces')
    await list(member, 'Quinces')
  }
  expect(await wantedNear(ann)).toEqual(['quince null: 3, 3'])
  await ann.call(blockMember, { params: { id: bob.id } })
  expect(await wantedNear(ann)).toEqual(['quince null: 2, 2'])
  expect(await wantedNear(bob)).toEqual(['quince null: 2, 3'])
  await world.suspend(cat)
  expect(await wantedNear(ann)).toEqual(['quince null: 1, 1'])
  await move(dan, place.near)
  expect(await wantedNear(ann)).toEqual(['quince null: 1, 1'])
  await move(dan, place.far)
  expect(await wantedNear(ann)).toEqual([])
  await ann.call(updatePreferences, { body: { match_radius: limits.nearbyWants.maxMiles } })
  expect(await wantedNear(ann)).toEqual(['quince null: 1, 1'])
  await ann.call(updatePreferences, { body: { match_radius: 1 } })
  expect(await wantedNear(ann)).toEqual([])
})

test('counts listings that the caller may see', async () => {
  const {
    members: [ann, bob, cat, dan],
  } = await newNeighbors()
  await addWant(dan, 'medlars')
  const { id } = await list(bob, 'Medlars')
  const offered = async (member: Actor) => (await member.call(listNearbyWants, { query: {} }))[0]?.offered
  expect([await offered(ann), await offered(cat)]).toEqual([1, 1])
  await world.befriend(ann, bob)
  await bob.call(setVisibility, { params: { id }, body: { is_public: false } })
  expect([await offered(ann), await offered(bob), await offered(cat)]).toEqual([1, 1, 0])
  await bob.call(updateListing, { params: { id }, body: { state_id: states.reserved } })
  expect(await offered(ann)).toBe(1)
  await bob.call(updateListing, { params: { id }, body: { state_id: states.gone } })
  expect(await offered(ann)).toBe(0)
})

test('shows the words of a want only if two members share them', async () => {
  const {
    members: [ann, bob, cat, dan],
  } = await newNeighbors()
  const { id } = await addWant(bob, 'Wobbly sextants')
  await addWant(bob, 'wobbly sextant')
  expect(await wantedNear(ann)).toEqual([])
  await addWant(cat, 'a wobbly sextant')
  await addWant(cat, 'brass sextants')
  expect(await wantedNear(ann)).toEqual(['wobbly sextant null: 2, 0'])

  await list(dan, 'Brass sextant')
  expect(await wantedNear(ann)).toEqual(['wobbly sextant null: 2, 0'])
  await list(dan, 'A wobbly sextant')
  expect(await wantedNear(ann)).toEqual(['wobbly sextant null: 2, 1'])
  await bob.call(renameWant, { params: { id }, body: { title: 'kale' } })
  expect(await wantedNear(ann)).toEqual(['wobbly sextant null: 2, 1', 'kale null: 1, 0'])
  await bob.call(deleteWant, { params: { id } })
  expect(await wantedNear(ann)).toEqual(['wobbly sextant null: 2, 1'])
})

/** Gives a member so many wants of leeks. */
async function addManyWants({ id }: Actor, count: number) {
  const values = sql`select id, 'leeks', ${categories.produce}::smallint, ${wantTermsVersion}, '{leek}', postal_code_id
    from users, generate_series(1, ${count}) where id = ${id}`
  await sql`insert into wants (user_id, title, category_id, terms_version, crops, postal_code_id) ${values}`.execute(
    world.db,
  )
}

test('counts many wants at most once a minute, but what the caller changes at once', async () => {
  const {
    place,
    members: [ann, bob, cat, dan],
  } = await newNeighbors()
  const [eve] = await newMembers(1)
  await move(eve, place.here)
  for (const member of [bob, cat, dan]) await addWant(member, 'figs', categories.produce)
  for (const member of [bob, cat]) await addWant(member, 'wobbly sextants')
  await list(bob, 'Figs', { category_id: categories.produce })
  await list(dan, 'Fig jam and figs', { is_public: false })
  await world.befriend(dan, eve)
  const seen = async (member: Actor) => (await wantedNear(member)).toSorted()
  const few = ['fig 1: 3, 2', 'leek 1: 1, 0', 'wobbly sextant null: 2, 0']
  await addManyWants(cat, 9000)
  expect(await seen(eve)).toEqual(few)
  await addManyWants(cat, 1000)
  expect(await seen(eve)).toEqual(few)
  expect(await seen(bob)).toEqual(['fig 1: 2, 1', 'leek 1: 1, 0'])
  expect(await wantedNear(eve, { category_id: categories.produce })).toEqual(['fig 1: 3, 2', 'leek 1: 1, 0'])

  await addWant(dan, 'plums', categories.produce)
  expect(await seen(eve)).toEqual(few)
  await eve.call(blockMember, { params: { id: bob.id } })
  expect(await seen(eve)).toEqual(['fig 1: 2, 1', 'leek 1: 1, 0'])
  await addWant(ann, 'leeks', categories.produce)
  await list(ann, 'Figs and leeks', { category_id: categories.produce })
  expect(await wantedNear(ann)).toEqual([
    'wobbly sextant null: 2, 0',
    'fig 1: 3, 2',
    'plum 1: 1, 0',
    'leek 1: 1, 1',
  ])
})

test('names crops in the language of the caller', async () => {
  const {
    members: [ann, bob],
  } = await newNeighbors()
  await addWant(bob, 'garlic')
  const name = async (language: 'de' | 'es' | 'ar') => {
    await world.db.updateTable('users').set({ language }).where('id', '=', ann.id).execute()
    return (await wantedNear(ann))[0]
  }
  expect([await name('de'), await name('es'), await name('ar')]).toEqual([
    'Knoblauch null: 1, 0',
    'ajo null: 1, 0',
    'garlic null: 1, 0',
  ])
})

test('refuses a caller without a known place', async () => {
  const [ann] = await newMembers(1)
  const refusal = async () => (await ann.try(listNearbyWants, { query: {} })).body
  expect(await refusal()).toMatchObject({ code: 'location_unknown', detail: listingMessages.locationUnknown })
  await move(ann, '00000')
  expect(await refusal()).toMatchObject({ code: 'location_unknown', detail: listingMessages.placeUnknown })
})
