import { afterAll, describe, expect, test } from 'vitest'
import { categories, types } from '#contract/constants.ts'
import { listListings } from '#contract/listing-queries.ts'
import { createListing, type Listing, listingMessages } from '#contract/listings.ts'
import { nextOf } from '#test/actor.ts'
import { newWorld } from '#test/world.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())
const [ann, bob] = await world.members('ann', 'bob')
await world.befriend(ann, bob)

const everyCategory = [categories.produce, categories.seeds, categories.plants, null]
for (let number = 0; number < 27; number += 1) {
  const body = {
    title: `Crop ${number}`,
    type_id: types.giveaway,
    category_id: everyCategory[number % 4] ?? null,
  }
  await ann.call(createListing, { body })
}

const newestFirst = (listings: Listing[]) => listings.map(({ id }) => id).sort((a, b) => b - a)

test.each(['', 'public=true', 'mine=true', `user_id=${ann.id}`])(
  'lists listings newest first in pages with links to the next page: "%s"',
  async (query) => {
    const all = await ann.pages<Listing>(`/api/listings?${query}&limit=10`)

    expect(all.map((page) => page.length)).toEqual([10, 10, 7])
    expect(all.flat().map(({ id }) => id)).toEqual(newestFirst(all.flat()))
    expect(new Set(all.flat().map(({ id }) => id)).size).toBe(27)
  },
)

test("lists friends' listings in pages", async () => {
  const all = await bob.pages<Listing>('/api/listings?friends=true&limit=10')

  expect(all.map((page) => page.length)).toEqual([10, 10, 7])
})

test('a full last page has no link', async () => {
  expect((await ann.pages<Listing>('/api/listings?limit=27')).map((page) => page.length)).toEqual([27])
  expect((await ann.pages<Listing>('/api/listings?limit=9')).map((page) => page.length)).toEqual([9, 9, 9])
})

test('a page has 24 listings by default', async () => {
  expect(await ann.call(listListings, { query: {} })).toHaveLength(24)
})

test('the links contain the category', async () => {
  const all = await ann.pages<Listing>(`/api/listings?public=true&category_id=${categories.seeds}&limit=3`)

  expect(all.map((page) => page.length)).toEqual([3, 3, 1])
  expect(all.flat().every(({ category_id }) => category_id === categories.seeds)).toBe(true)
})

test.each(['mine=true', 'friends=true', `user_id=${ann.id}`, ''])(
  'filters every list by category: "%s"',
  async (query) => {
    const member = query === 'friends=true' ? bob : ann
    const page = await member.send<Listing[]>(
      'GET',
      `/api/listings?${query}&category_id=${categories.produce}`,
    )

    expect(page.body.map(({ category_id }) => category_id)).toEqual(Array(7).fill(categories.produce))
  },
)

test('pages neither skip nor repeat listings while others post', async () => {
  const before = await ann.call(listListings, { query: { limit: 100 } })
  const posted: number[] = []
  const all = await bob.pages<Listing>('/api/listings?public=true&limit=5', async () => {
    const { id } = await bob.call(createListing, { body: { title: 'Just in', type_id: types.giveaway } })
    posted.push(id)
  })
  await world.db.deleteFrom('listings').where('id', 'in', posted).execute()

  expect(all.flat().map(({ id }) => id)).toEqual(before.map(({ id }) => id))
})

test('the next page continues after a deleted listing', async () => {
  const { id } = await bob.call(createListing, { body: { title: 'Short-lived', type_id: types.giveaway } })
  const first = await ann.send<Listing[]>('GET', '/api/listings?limit=1')
  expect(first.body[0]?.id).toBe(id)
  await world.db.deleteFrom('listings').where('id', '=', id).execute()

  const second = await ann.send<Listing[]>('GET', nextOf(first) ?? '')
  expect(second.body[0]?.title).toBe('Crop 26')
})

describe('refuses invalid query parameters', () => {
  test.each(['0', '101', '-1', '1.5', 'ten', '', '1e400', 'NaN', '1&limit=2'])('limit=%s', async (limit) => {
    const { status, body } = await ann.send('GET', `/api/listings?limit=${limit}`)

    expect(status).toBe(422)
    expect(body.errors).toEqual([{ field: 'limit', message: expect.any(String) }])
  })

  const cursor = (text: string) => Buffer.from(text).toString('base64url')
  test.each(['', 'x', '0', cursor('5'), cursor('{}'), cursor('{"v":1,"id":5}'), cursor('[1]'), '%00'])(
    'cursor=%s',
    async (text) => {
      expect(await ann.send('GET', `/api/listings?cursor=${text}`)).toMatchObject({
        status: 400,
        body: { detail: listingMessages.cursorUnknown },
      })
    },
  )

  test.each([
    'mine=perhaps',
    'public=2',
    'friends=[]',
    'user_id=0',
    'user_id=ann',
    'user_id=1.5',
    `user_id=${'9'.repeat(40)}`,
    'category_id=9',
    'category_id=produce',
  ])('%s', async (query) => {
    expect(await ann.send('GET', `/api/listings?${query}`)).toMatchObject({
      status: 422,
      body: { errors: [{ field: query.split('=')[0] }] },
    })
  })
})

test('accepts a page size of 100', async () => {
  expect(await ann.try(listListings, { query: { limit: 100 } })).toMatchObject({ status: 200 })
})

test('the list of an unknown member is empty', async () => {
  expect(await ann.call(listListings, { query: { user_id: 987_654_321 } })).toEqual([])
})

test('ignores unknown query parameters', async () => {
  expect(await ann.send('GET', '/api/listings?limit=3&owner_id=1&__proto__=x&sql=%27')).toMatchObject({
    status: 200,
    body: [{}, {}, {}],
  })
})
