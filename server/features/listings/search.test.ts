import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { types } from '#contract/constants.ts'
import {
  createListing,
  deleteListing,
  type Listing,
  listListings,
  updateListing,
} from '#contract/listings.ts'
import { updateProfile } from '#contract/profile.ts'
import type { Actor } from '#test/actor.ts'
import { newWorld } from '#test/world.ts'
import { fileWhatIsNot, forgetWords, placeMembers } from './search.ts'
import { bitsOf, forgiven, isWord, slipsBetween, termsOf, termsOfQuery, termsVersion } from './terms.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())
const [ann, bob, stranger] = await world.members('ann', 'bob', 'stranger')
await world.befriend(ann, bob)

function post(who: Actor, title: string, description = '', more: object = {}): Promise<Listing> {
  return who.call(createListing, { body: { title, description, type_id: types.giveaway, ...more } })
}

type Query = Parameters<typeof ann.call<typeof listListings>>[1]['query']

async function find(who: Actor, q: string, more: Query = {}): Promise<string[]> {
  const found = await who.call(listListings, {
    query: more.friends ? { q, ...more } : { q, public: 'true', ...more },
  })
  return found.map(({ title }) => title)
}

// The oldest first.
await post(ann, 'Zucchini, more than enough')
await post(ann, 'Jalapeño peppers')
await post(ann, 'Raspberries by the pint')
await post(ann, 'Sweet corn', 'Goes well with zucchini and a tomato.')
await post(ann, 'Cherry tomatoes')
await post(ann, 'Tomato seeds, cherry and plum')
await post(ann, 'Grandma’s rhubarb crowns', 'Split in spring.')
await post(ann, 'Lettuce leaves')
await post(ann, 'A sack of potatoes')
await post(ann, '大根 for pickling')
await post(ann, 'Liberty apple scion on M26, 3ft')
await post(ann, 'Leeks for friends', '', { is_public: false })

describe('a word is found', () => {
  test.each([
    ['zucchini', ['Zucchini, more than enough', 'Sweet corn']],
    ['ZUCCHINI', ['Zucchini, more than enough', 'Sweet corn']],
    ['jalapeno', ['Jalapeño peppers']],
    ['jalapeños', ['Jalapeño peppers']],
    ['pepper', ['Jalapeño peppers']],
    ['raspberry', ['Raspberries by the pint']],
    ['tomatoes', ['Tomato seeds, cherry and plum', 'Cherry tomatoes', 'Sweet corn']],
    ['potato', ['A sack of potatoes']],
    ['leaf', ['Lettuce leaves']],
    ["grandma's", ['Grandma’s rhubarb crowns']],
    ['大根', ['大根 for pickling']],
    ['m26', ['Liberty apple scion on M26, 3ft']],
    ['apple scion 3 ft', ['Liberty apple scion on M26, 3ft']],
    ['the zucchini', ['Zucchini, more than enough', 'Sweet corn']],
    // By another name: what is offered, not what is only mentioned.
    ['courgettes', ['Zucchini, more than enough']],
    ['calabacín', ['Zucchini, more than enough']],
    // A slip or two.
    ['zuchini', ['Zucchini, more than enough']],
    ['zuccihni', ['Zucchini, more than enough']],
    ['rubarb', ['Grandma’s rhubarb crowns']],
    ['rasberies', ['Raspberries by the pint']],
    ['potatos', ['A sack of potatoes']],
    ['lettice', ['Lettuce leaves']],
    // Somebody is still typing.
    ['zucc', ['Zucchini, more than enough', 'Sweet corn']],
    ['cherry toma', ['Tomato seeds, cherry and plum', 'Cherry tomatoes']],
  ])('%s', async (q, titles) => {
    expect(await find(bob, q)).toEqual(titles)
  })

  test.each(['beef', 'the', '!!', '%%', 'lek', "'; drop ship", '\\\\', 'a b', 'm27'])(
    'and nothing by %s',
    async (q) => {
      expect(await find(bob, q)).toEqual([])
    },
  )
})

test('titles with all the words come first, then what has some of them in its text, each the newest first', async () => {
  expect(await find(bob, 'cherry tomato')).toEqual(['Cherry tomatoes'])
  expect(await find(bob, 'corn tomato')).toEqual(['Sweet corn'])
  expect(await find(bob, 'tomato', { sort: 'oldest' })).toEqual([
    'Sweet corn',
    'Cherry tomatoes',
    'Tomato seeds, cherry and plum',
  ])
})

test('where nothing has all the words, what lacks one of them comes', async () => {
  expect(await find(bob, 'heirloom zucchini')).toEqual(['Zucchini, more than enough', 'Sweet corn'])
  expect((await find(bob, 'rhubarb potato')).sort()).toEqual([
    'A sack of potatoes',
    'Grandma’s rhubarb crowns',
  ])
  expect(await find(bob, 'cherry tomato trellis')).toEqual(['Cherry tomatoes'])
  expect(await find(bob, 'spaceship trellis umbrella')).toEqual([])
})

test('those pages link on as well, and bring everything once', async () => {
  const titles = async (query: string) => {
    const pages = await bob.pages<Listing>(`/api/listings?q=${query}&limit=1`)
    return pages.flat().map(({ title }) => title)
  }
  expect(await titles('rhubarb+potato+heirloom')).toEqual([])
  expect((await titles('rhubarb+potato')).sort()).toEqual(['A sack of potatoes', 'Grandma’s rhubarb crowns'])
})

test('only friends find what is for friends', async () => {
  expect(await find(bob, 'leeks', { friends: 'true' })).toEqual(['Leeks for friends'])
  const everything = { query: { q: 'leeks' } }
  expect(await bob.call(listListings, everything)).toHaveLength(1)
  expect(await ann.call(listListings, everything)).toHaveLength(1)
  expect(await stranger.call(listListings, everything)).toEqual([])
  expect(await find(bob, 'leeks')).toEqual([])
})

test('a listing is found by what it says now, and not at all when it is gone', async () => {
  const { id } = await post(ann, 'Quinces', 'Hard and yellow')
  expect(await find(bob, 'quince')).toEqual(['Quinces'])
  await ann.call(updateListing, { params: { id }, body: { title: 'Medlars' } })
  expect(await find(bob, 'quince')).toEqual([])
  expect(await find(bob, 'yellow medlar')).toEqual(['Medlars'])
  await ann.call(updateListing, { params: { id }, body: { description: 'Soft and brown' } })
  expect(await find(bob, 'medlar brown')).toEqual(['Medlars'])
  await ann.call(updateListing, { params: { id }, body: { is_public: false } })
  expect(await find(stranger, 'medlar')).toEqual([])
  await ann.call(deleteListing, { params: { id } })
  expect(await find(bob, 'medlar')).toEqual([])
  const { rows } = await sql<{
    left: number
  }>`select count(*) as left from listing_terms where listing_id = ${id}`.execute(world.db)
  expect(rows[0]?.left).toBe(0)
})

test('what no door has filed is filed by a job, in batches, as is all when the rules have changed', async () => {
  await sql`
    insert into listings (owner_id, title, description, price, is_active, is_public, type_id, state_id)
    select ${ann.id}, 'Old persimmon', 'From before', 0, true, true, 3, 1 from generate_series(1, 450)`.execute(
    world.db,
  )
  expect(await find(bob, 'persimmon')).toEqual([])
  await fileWhatIsNot(world.db)
  expect(await find(bob, 'persimmon', { limit: 100 })).toHaveLength(100)
  await sql`update listings set title = 'Old pawpaw' where title = 'Old persimmon'`.execute(world.db)
  await fileWhatIsNot(world.db)
  expect(await find(bob, 'persimmon')).toEqual([])
  expect(await find(bob, 'pawpaw', { limit: 100 })).toHaveLength(100)
  const { rows } = await sql<{
    left: number
  }>`select count(*) as left from listings where terms_version <> ${termsVersion}`.execute(world.db)
  expect(rows[0]?.left).toBe(0)
  await sql`delete from listings where title = 'Old pawpaw'`.execute(world.db)
})

test('the bits of a listing are those of its terms and hardly of any other, and let all pass while the words are new', async () => {
  const { id } = await post(ann, 'Unsigned salsify', 'Beside the shed.')
  await ann.call(updateListing, { params: { id }, body: { title: 'Signed salsify' } })
  const { rows: terms } = await sql<{ term: string }>`select distinct term from listing_terms`.execute(
    world.db,
  )
  const [names, bits] = [terms.map(({ term }) => term), terms.map(({ term }) => bitsOf([term]))]
  const passed = async () => {
    const { rows } = await sql<{ known: boolean; is_true: boolean; many: number }>`
      select t.term is not null as is_true, l.word_bits & s.bits::bit(384) = s.bits::bit(384) as known, count(*)::int as many
      from listings l cross join unnest(${names}::text[], ${bits}::text[]) s (term, bits)
      left join listing_terms t on t.term = s.term and t.listing_id = l.id
      group by 1, 2`.execute(world.db)
    return (is_true: boolean, known: boolean) =>
      rows.find((row) => row.is_true === is_true && row.known === known)?.many ?? 0
  }
  const before = await passed()
  expect(before(true, true)).toBeGreaterThan(100)
  expect(before(true, false)).toBe(0)
  expect(before(false, true)).toBeLessThan(before(false, false) / 20)

  await sql`update listings set title = title || '!'`.execute(world.db)
  expect((await passed())(false, false)).toBe(0)
  expect(await find(bob, 'signed salsify')).toEqual(['Signed salsify!'])
  await fileWhatIsNot(world.db)
  expect((await passed())(true, false)).toBe(0)
  expect((await passed())(false, false)).toBeGreaterThan(0)
  await sql`update listings set title = left(title, -1)`.execute(world.db)
  await fileWhatIsNot(world.db)
  await ann.call(deleteListing, { params: { id } })
})

test('the words of what is gone are forgotten', async () => {
  const { id } = await post(ann, 'Unforgettable salsify')
  const holds = async (term: string) =>
    (await sql`select from vocabulary where term = ${term}`.execute(world.db)).rows.length === 1
  await forgetWords(world.db)
  expect(await holds('salsify')).toBe(true)
  await ann.call(deleteListing, { params: { id } })
  await forgetWords(world.db)
  expect(await holds('salsify')).toBe(false)
  expect(await holds('rhubarb')).toBe(true)
})

test('members from before places were kept are placed, with what they have listed', async () => {
  await stranger.call(updateProfile, { body: { zip_code: '97214' } })
  await bob.call(updateProfile, { body: { zip_code: '97215' } })
  const { id } = await post(bob, 'Placed later', '', { price: 3, type_id: types.sell })
  await sql`update users set place = null where id = ${bob.id}`.execute(world.db)
  const band = async () =>
    (await stranger.call(listListings, { query: { q: 'placed', sort: 'nearest' } }))[0]?.within_miles
  expect(await band()).toBeNull()
  await placeMembers(world.db)
  expect(await band()).toBe(5)
  await bob.call(deleteListing, { params: { id } })
})

test.each([
  ['Berries, cookies and pies', ['berry', 'cooky', 'pie']],
  ['Boxes of radishes, peaches & grasses', ['box', 'radish', 'peach', 'grass']],
  ['Asparagus, citrus, cress, iris', ['asparagus', 'citrus', 'cress', 'iris']],
  ['Garden shoes and hoes', ['garden', 'shoe', 'hoe']],
  ['Crème, Straße, Smørrebrød', ['creme', 'strasse', 'smorrebrod']],
  ['tomatoes TOMATO Tomatos', ['tomato']],
])('the terms of %s', (title, terms) => {
  const words = (found: readonly string[]) => found.filter(isWord)
  expect(words(termsOf({ title, description: '' }).map(({ term }) => term))).toEqual(terms)
  expect(words(termsOfQuery(title).flat())).toEqual(terms)
})

test('slips are letters too many, too few, others, or swapped, and short words have none', () => {
  expect(slipsBetween('kale', 'kale')).toBe(0)
  expect(['kal', 'kalee', 'kape', 'klae'].map((word) => slipsBetween(word, 'kale'))).toEqual([1, 1, 1, 1])
  expect(slipsBetween('zuchinni', 'zucchini')).toBe(2)
  expect([forgiven('pea'), forgiven('2026'), forgiven('kale'), forgiven('zucchini')]).toEqual([0, 0, 1, 2])
})
