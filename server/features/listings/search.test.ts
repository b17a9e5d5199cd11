import { CompiledQuery, sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { types } from '#contract/constants.ts'
import { listListings } from '#contract/listing-queries.ts'
import { createListing, deleteListing, type Listing, updateListing } from '#contract/listings.ts'
import { blockMember } from '#contract/members.ts'
import type { Actor } from '#test/actor.ts'
import { shortOrLong } from '#test/long.ts'
import { recordStatements } from '#test/statements.ts'
import { newWorld } from '#test/world.ts'
import { reindexJob } from './jobs.ts'
import { refreshSearchTerms } from './search-queries.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())
const [ann, bob, stranger] = await world.members('ann', 'bob', 'stranger')
await world.befriend(ann, bob)

function post(owner: Actor, title: string, description = '', more: object = {}): Promise<Listing> {
  return owner.call(createListing, { body: { title, description, type_id: types.giveaway, ...more } })
}

type Query = Parameters<typeof ann.call<typeof listListings>>[1]['query']

async function find(member: Actor, q: string, more: Query = {}): Promise<string[]> {
  const listings = await member.call(listListings, {
    query: more.friends ? { q, ...more } : { q, public: 'true', ...more },
  })
  return listings.map(({ title }) => title)
}

// Oldest first.
await post(ann, 'Zucchini, more than enough')
await post(ann, 'Jalapeño peppers')
await post(ann, 'Raspberries by the pint')
await post(ann, 'Sweet corn', 'Goes well with zucchini and a tomato.')
await post(ann, 'Cherry tomatoes')
await post(ann, 'Tomato seeds, cherry and plum')
await post(ann, 'Grandma’s rhubarb crowns', 'Split in spring.')
await post(ann, 'Lettuce leaves')
await post(ann, 'A sack of potatoes')
await post(ann, '파 한 단')
await post(ann, '大根 for pickling')
await post(ann, 'Liberty apple scion on M26, 3ft')
await post(ann, 'Leeks for friends', '', { is_public: false })

describe('finds listings by', () => {
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
    ['根', ['大根 for pickling']],
    ['파', ['파 한 단']],
    ['m26', ['Liberty apple scion on M26, 3ft']],
    ['apple scion 3 ft', ['Liberty apple scion on M26, 3ft']],
    ['the zucchini', ['Zucchini, more than enough', 'Sweet corn']],
    // Synonyms: finds listings that offer the crop, not those that only mention it.
    ['courgettes', ['Zucchini, more than enough']],
    ['calabacín', ['Zucchini, more than enough']],
    // Typing errors.
    ['zuchini', ['Zucchini, more than enough']],
    ['zuccihni', ['Zucchini, more than enough']],
    ['rubarb', ['Grandma’s rhubarb crowns']],
    ['rasberies', ['Raspberries by the pint']],
    ['potatos', ['A sack of potatoes']],
    ['lettice', ['Lettuce leaves']],
    // Incomplete words.
    ['zucc', ['Zucchini, more than enough', 'Sweet corn']],
    ['cherry toma', ['Tomato seeds, cherry and plum', 'Cherry tomatoes']],
  ])('%s', async (q, titles) => {
    expect(await find(bob, q)).toEqual(titles)
  })

  test.each(['beef', 'the', '!!', '%%', 'lek', "'; drop ship", '\\\\', 'a b', 'm27'])(
    'finds nothing for %s',
    async (q) => {
      expect(await find(bob, q)).toEqual([])
    },
  )
})

test('ranks listings with all words in the title first, then newest first', async () => {
  expect(await find(bob, 'cherry tomato')).toEqual(['Cherry tomatoes'])
  expect(await find(bob, 'corn tomato')).toEqual(['Sweet corn'])
  expect(await find(bob, 'tomato', { sort: 'oldest' })).toEqual([
    'Sweet corn',
    'Cherry tomatoes',
    'Tomato seeds, cherry and plum',
  ])
})

test('finds listings that lack one word if none has all words', async () => {
  expect(await find(bob, 'heirloom zucchini')).toEqual(['Zucchini, more than enough', 'Sweet corn'])
  expect((await find(bob, 'rhubarb potato')).sort()).toEqual([
    'A sack of potatoes',
    'Grandma’s rhubarb crowns',
  ])
  expect(await find(bob, 'cherry tomato trellis')).toEqual(['Cherry tomatoes'])
  expect(await find(bob, 'spaceship trellis umbrella')).toEqual([])
})

test('lists each of these listings once across pages', async () => {
  const titles = async (query: string) => {
    const pages = await bob.pages<Listing>(`/api/listings?q=${query}&limit=1`)
    return pages.flat().map(({ title }) => title)
  }
  expect(await titles('rhubarb+potato+heirloom')).toEqual([])
  expect((await titles('rhubarb+potato')).sort()).toEqual(['A sack of potatoes', 'Grandma’s rhubarb crowns'])
})

test('only friends find friends-only listings', async () => {
  expect(await find(bob, 'leeks', { friends: 'true' })).toEqual(['Leeks for friends'])
  const everything = { query: { q: 'leeks' } }
  expect(await bob.call(listListings, everything)).toHaveLength(1)
  expect(await ann.call(listListings, everything)).toHaveLength(1)
  expect(await stranger.call(listListings, everything)).toEqual([])
  expect(await find(bob, 'leeks')).toEqual([])
})

test('finds a listing by its current text only, until it is deleted', async () => {
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
})

test('the reindex job indexes listings with an old index version and then lets the terms be counted', async () => {
  await sql`
    insert into listings (owner_id, title, description, price, is_active, is_public, type_id, state_id)
    select ${ann.id}, 'Old persimmon', 'From before', 0, true, true, 3, 1 from generate_series(1, 400)`.execute(
    world.db,
  )
  expect(await find(bob, 'persimmon')).toEqual([])
  await world.runJob(reindexJob)
  expect(await world.jobsOf('refresh-search-terms')).toContainEqual({ state: 'completed', retry_count: 0 })
  expect((await bob.pages<Listing>('/api/listings?q=persimmon&limit=100')).flat()).toHaveLength(400)
  await sql`delete from listings where title = 'Old persimmon'`.execute(world.db)
})

test('does not correct a search to words of deleted listings', async () => {
  const { id } = await post(ann, 'Unforgettable salsify')
  expect(await find(bob, 'salsfy')).toEqual(['Unforgettable salsify'])
  await ann.call(deleteListing, { params: { id } })
  await post(ann, 'Salsaly seeds')
  expect(await find(bob, 'salsify')).toEqual(['Salsaly seeds'])
  await refreshSearchTerms(world.db)
  expect(await find(bob, 'salsify')).toEqual(['Salsaly seeds'])
})

test('corrects to the most common of equally similar words', async () => {
  for (const title of ['Trolleb', 'Trolley', 'Trolley again']) await post(ann, title)
  await refreshSearchTerms(world.db)
  expect(await find(bob, 'trollez')).toEqual(['Trolley again', 'Trolley'])
})

interface Plan {
  readonly 'Relation Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly Plan[]
}

/** Returns how many rows of listings and search terms each statement reads for a search by bob without results. */
async function rowsReadFor(q: string): Promise<number[]> {
  using statements = recordStatements()
  expect(await find(bob, q)).toEqual([])
  const sent = statements.sent().filter(({ text }) => text.includes('from listings l'))
  const counts: number[] = []
  for (const { text, values } of sent) {
    const query = `explain (analyze, timing off, format json) ${text}`
    const { rows } = await world.db.executeQuery<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      CompiledQuery.raw(query, [...values]),
    )
    const plan = rows[0]?.['QUERY PLAN'][0].Plan
    if (plan) counts.push(rowsRead(plan))
  }
  return counts
}

async function rowsReadForEach(words: readonly string[]): Promise<number[][]> {
  const counts: number[][] = []
  for (const word of words) counts.push(await rowsReadFor(word))
  return counts
}

function rowsRead(plan: Plan): number {
  const rows = plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)
  const children = (plan.Plans ?? []).reduce((sum, child) => sum + rowsRead(child), 0)
  const isCounted = ['listings', 'search_terms'].includes(plan['Relation Name'] ?? '')
  return children + (isCounted ? rows * plan['Actual Loops'] : 0)
}

/** Posts listings with 64 words of the same start. */
async function postWords(owner: Actor, start: string, more: object = {}) {
  const letters = [...'abcdefgh']
  const words = letters.flatMap((one) => letters.map((other) => `${start}${one}${other}`))
  for (const part of [words.slice(0, 32), words.slice(32)]) await post(owner, 'Keys', part.join(' '), more)
}

describe('an invisible listing', () => {
  test('does not affect completion and correction for others', async () => {
    await post(ann, 'Quillwort in a pot')
    const before = await find(bob, 'quill')
    await postWords(stranger, 'quill', { is_public: false })
    expect(before).toEqual(['Quillwort in a pot'])
    expect(await find(bob, 'quill')).toEqual(before)
    expect(await find(bob, 'quillwurt')).toEqual(before)
  })

  test('of a member who blocks the searcher does not affect completion and correction', async () => {
    const [blocker] = await world.members('blocker')
    await blocker.call(blockMember, { params: { id: bob.id } })
    await post(ann, 'Sneezeweed in a pot')
    for (const start of ['sneeze', 'sneezewei']) await postWords(blocker, start)
    for (const q of ['sneeze', 'sneezeweid']) expect(await find(bob, q)).toEqual(['Sneezeweed in a pot'])
  })

  test('does not change the number of rows that a search reads', async () => {
    // Enough rows that no good plan reads them all.
    const gravel = await post(ann, 'Gravel')
    await sql`
      insert into listings (owner_id, title, description, price, is_active, is_public, type_id, state_id, search, index_version)
      select owner_id, title, description, price, is_active, is_public, type_id, state_id, search, index_version
      from listings, generate_series(1, ${shortOrLong(2000, 5000)}::int) where id = ${gravel.id}`.execute(
      world.db,
    )
    await world.jobsDone()
    await refreshSearchTerms(world.db)
    await sql`analyze listings, search_terms`.execute(world.db)
    const words = ['hornbeam', 'pergola', 'balustrade', 'hornbaem', 'perg']
    const before = await rowsReadForEach(words)
    const { id } = await post(stranger, 'Wisteria and hornbeam', '', { is_public: false })
    await stranger.call(updateListing, { params: { id }, body: { description: 'Beside the pergola.' } })
    await post(stranger, 'Lobelia', 'On the balustrade.', { is_active: false })
    await world.jobsDone()
    expect(await rowsReadForEach(words)).toEqual(before)
    // The job that counts terms must not count them either.
    await refreshSearchTerms(world.db)
    expect(await rowsReadForEach(words)).toEqual(before)
  })

  test('is found by friends by its exact words before correction', async () => {
    await post(ann, 'Belvedere')
    await post(ann, 'Belvederre', '', { is_public: false })
    expect(await bob.call(listListings, { query: { q: 'belvederre' } })).toMatchObject([
      { title: 'Belvederre' },
    ])
    expect(await stranger.call(listListings, { query: { q: 'belvederre' } })).toMatchObject([
      { title: 'Belvedere' },
    ])
  })
})
