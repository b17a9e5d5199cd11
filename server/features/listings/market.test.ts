import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { uploadProfileImage } from '#contract/auth.ts'
import { categories, distanceBands, states, types } from '#contract/constants.ts'
import { listListings, type Sort } from '#contract/listing-queries.ts'
import {
  createListing,
  deleteListing,
  getListing,
  type Listing,
  listingMessages,
  updateListing,
} from '#contract/listings.ts'
import { updateProfile } from '#contract/profile.ts'
import {
  bandsBetween,
  milesBetween,
  postalCodeId,
  unknownLocation,
} from '#server/features/locations/postal-codes.ts'
import { type Actor, nextOf } from '#test/actor.ts'
import { shortOrLong } from '#test/long.ts'
import { newWorld } from '#test/world.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())

const names = ['ann', 'bob', 'cat', 'dan', 'eve', 'fay', 'gus', 'hal'] as const
const members = await world.members(...names)
const [ann, bob, cat, , eve, fay, gus, hal] = members
// Portland; East Portland; Oregon City; Salem; Seattle; an unknown postal code; none; western Alaska.
const postcodes = ['97214', '97215', '97045', '97301-1234', '98101', '00000', '', '99546']
for (const [index, member] of members.entries())
  await member.call(updateProfile, { body: { zip_code: postcodes[index] ?? '' } })
for (const friend of [bob, eve, fay]) await world.befriend(ann, friend)

/** The fields of a listing that decide which lists it is in. */
interface ListingModel {
  readonly id: number
  readonly owner_id: number
  readonly postalCode: number
  readonly title: string
  readonly description: string
  readonly price: number
  readonly type_id: 1 | 2 | 3
  readonly category_id: 1 | 2 | 3 | null
  readonly is_public: boolean
  readonly is_active: boolean
  readonly isHidden: boolean
}

const crops = ['Zucchini', 'Tomato', 'Kale', 'Fig']
const kinds = ['green', 'striped', 'dwarf']
const market: ListingModel[] = []
for (let number = 0; number < 96; number += 1) {
  const owner = members[(number * 5) % members.length] ?? ann
  const type_id =
    ([types.sell, types.sell, types.exchange, types.giveaway] as const)[number % 4] ?? types.sell
  const body = {
    // Equal listings of one owner would be folded.
    title: `${kinds[number % 3]} ${crops[number % 4]} ${number}`,
    description: number % 5 === 0 ? `goes well with ${crops[(number + 1) % 4]}` : '',
    type_id,
    price: type_id === types.sell ? ([2, 5, 5, 40, 120][number % 5] ?? 1) : 0,
    category_id:
      ([categories.produce, categories.seeds, categories.plants, null] as const)[(number * 3) % 4] ?? null,
    is_public: number % 6 !== 0,
    is_active: number % 11 !== 0,
  }
  const { id } = await owner.call(createListing, { body })
  const postalCode = postalCodeId(postcodes[members.indexOf(owner)])
  market.push({ ...body, id, owner_id: owner.id, postalCode, isHidden: false })
}
// The operator suspended a member and hid a listing of each other member.
await world.db
  .updateTable('users')
  .set({ suspended_at: new Date().toISOString() })
  .where('id', '=', hal.id)
  .execute()
const hidden = members.flatMap(({ id }) => market.find(({ owner_id }) => owner_id === id)?.id ?? [])
await world.db
  .updateTable('listings')
  .set({ hidden_at: new Date().toISOString() })
  .where('id', 'in', hidden)
  .execute()
const listings = market.map((listing) => ({
  ...listing,
  isHidden: hidden.includes(listing.id) || listing.owner_id === hal.id,
}))

type Scope = 'mine' | 'friends' | 'public' | 'member' | 'all'
interface ListQuery {
  readonly scope: Scope
  readonly of: Actor
  readonly category_id?: 1 | 2 | 3 | undefined
  readonly type_id?: (1 | 2 | 3)[] | undefined
  readonly min_price?: number | undefined
  readonly max_price?: number | undefined
  readonly near?: number | undefined
  readonly q?: string | undefined
  readonly sort?: Sort | undefined
}

const friendIds = [bob, eve, fay].map(({ id }) => id)
const postalCodeOf = (caller: Actor) =>
  postalCodeId(postcodes[members.indexOf(caller as (typeof members)[number])])

/** Computes the expected list from the rules, without the database. */
function expected(caller: Actor, { scope, of, ...query }: ListQuery): ListingModel[] {
  const isFriend = ({ owner_id }: ListingModel) =>
    caller === ann ? friendIds.includes(owner_id) : friendIds.includes(caller.id) && owner_id === ann.id
  const visible = (listing: ListingModel) =>
    listing.owner_id === caller.id ||
    (listing.is_active && !listing.isHidden && (listing.is_public || isFriend(listing)))
  const scoped = {
    mine: (listing: ListingModel) => listing.owner_id === caller.id,
    friends: (listing: ListingModel) => isFriend(listing) && visible(listing),
    public: (listing: ListingModel) => listing.is_public && listing.is_active && !listing.isHidden,
    member: (listing: ListingModel) => listing.owner_id === of.id && visible(listing),
    all: visible,
  }[scope]
  const home = postalCodeOf(caller)
  const miles = ({ postalCode }: ListingModel) => milesBetween(home, postalCode)
  const words = query.q?.toLowerCase().split(' ') ?? []
  const has = (text: string) => (word: string) => text.toLowerCase().split(' ').includes(word)
  const { min_price = 0, max_price = Infinity, near } = query
  const result = listings.filter(
    (listing) =>
      scoped(listing) &&
      (query.category_id === undefined || listing.category_id === query.category_id) &&
      (query.type_id?.includes(listing.type_id) ?? true) &&
      (listing.type_id !== types.sell || (listing.price >= min_price && listing.price <= max_price)) &&
      (near === undefined || miles(listing) <= near) &&
      (query.sort !== 'nearest' || miles(listing) < Infinity) &&
      words.every(has(`${listing.title} ${listing.description}`)),
  )
  const newest = (a: ListingModel, b: ListingModel) => b.id - a.id
  const others = (a: ListingModel, b: ListingModel) => Number(a.price === 0) - Number(b.price === 0)
  const titled = (listing: ListingModel) => Number(words.every(has(listing.title)))
  const order: Record<Sort, (a: ListingModel, b: ListingModel) => number> = {
    newest,
    oldest: (a, b) => a.id - b.id,
    highest: (a, b) => others(a, b) || b.price - a.price || newest(a, b),
    lowest: (a, b) => others(a, b) || a.price - b.price || newest(a, b),
    best: (a, b) => titled(b) - titled(a) || newest(a, b),
    nearest: (a, b) => miles(a) - miles(b) || newest(a, b),
  }
  return result.sort(order[query.sort ?? 'best'])
}

function pathOf({ scope, of, ...query }: ListQuery, limit: number): string {
  const search = new URLSearchParams({ limit: String(limit) })
  if (scope === 'member') search.set('user_id', String(of.id))
  else if (scope !== 'all') search.set(scope, 'true')
  for (const [name, value] of Object.entries(query))
    for (const each of [value].flat()) if (each !== undefined) search.append(name, String(each))
  return `/api/listings?${search}`
}

function asksForDistance({ near, sort }: ListQuery): boolean {
  return near !== undefined || sort === 'nearest'
}

const sorts = ['newest', 'oldest', 'highest', 'lowest', 'nearest', 'best'] as const
const optional = <Value>(value: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value })
const queries: fc.Arbitrary<ListQuery> = fc.record({
  scope: fc.constantFrom('mine', 'friends', 'public', 'member', 'all'),
  of: fc.constantFrom(...members),
  category_id: optional(fc.constantFrom(...Object.values(categories))),
  type_id: optional(fc.subarray(Object.values(types), { minLength: 1 })),
  min_price: optional(fc.constantFrom(0, 2, 5, 5.01, 100)),
  max_price: optional(fc.constantFrom(1, 5, 40, 119.99, 120)),
  near: optional(fc.constantFrom(1, 5, 13, 50, 150, 500)),
  q: optional(fc.constantFrom('zucchini', 'fig kale', 'green zucchini', 'tomato', 'dwarf kale')),
  sort: fc.constantFrom(undefined, ...sorts),
})

test('every list contains the listings of the model in its order, in pages', async () => {
  const checked = new Set<Sort | undefined>()
  let listed = 0
  await fc.assert(
    fc.asyncProperty(
      queries,
      fc.constantFrom(ann, bob, cat, gus),
      fc.constantFrom(1, 2, 7, 24, 100),
      async (listQuery, caller, limit) => {
        if (asksForDistance(listQuery) && postalCodeOf(caller) === unknownLocation) return
        const model = expected(caller, listQuery)
        // If no listing has all words, the list has those with some of them. Another test covers this.
        if (model.length === 0 && listQuery.q?.includes(' ')) return
        const pages = await caller.pages<Listing>(pathOf(listQuery, limit))
        expect(pages.flat().map(({ id }) => id)).toEqual(model.map(({ id }) => id))
        if (pages.length > 1) checked.add(listQuery.sort)
        listed += model.length
      },
    ),
    { numRuns: shortOrLong(60, 120), seed: 4 },
  )
  expect(checked).toEqual(new Set([...sorts, undefined]))
  expect(listed).toBeGreaterThan(300)
}, 120_000)

test('a gone listing is listed for its owner and on the page of its owner only', async () => {
  const body = { title: 'Gooseberries', type_id: types.giveaway, is_public: true }
  const { id } = await ann.call(createListing, { body })
  const q = 'gooseberries'
  const queries = [
    { public: 'true' },
    { friends: 'true' },
    { q },
    { public: 'true', q },
    { friends: 'true', q },
  ] as const
  const isListed = async (
    caller: Actor,
    query: Parameters<typeof caller.call<typeof listListings>>[1]['query'],
  ) =>
    (await caller.call(listListings, { query: { limit: 100, ...query } })).some(
      (listing) => listing.id === id,
    )
  for (const query of queries) expect([query, await isListed(bob, query)]).toEqual([query, true])

  await ann.call(updateListing, { params: { id }, body: { state_id: states.gone } })
  for (const query of queries) expect([query, await isListed(bob, query)]).toEqual([query, false])
  expect(await isListed(bob, { user_id: ann.id })).toBe(true)
  expect(await isListed(ann, { mine: 'true' })).toBe(true)
  await ann.call(deleteListing, { params: { id } })
})

test('a list by distance shows only distance bands and leaves out unknown locations', async () => {
  const listed = (await ann.pages<Listing>('/api/listings?public=true&sort=nearest')).flat()
  const band = new Map(listings.map(({ id, postalCode }) => [id, milesBetween(97214, postalCode)]))
  for (const { id, within_miles } of listed.filter(({ owner_id }) => owner_id !== ann.id)) {
    const miles = band.get(id) ?? Infinity
    expect(within_miles).toBe(distanceBands.find((band) => miles <= band) ?? null)
  }
  expect(new Set(listed.map(({ within_miles }) => within_miles))).toEqual(new Set([5, 25, 50, null]))
  expect(listed.map(({ id }) => band.get(id) ?? Infinity)).not.toContain(Infinity)
  expect(JSON.stringify(listed)).not.toMatch(/postal|zip|latitude|9721/)
})

test('shows the distance band of a single listing and in every list, but not of own listings', async () => {
  const ofCat = listings.find(
    (listing) => listing.owner_id === cat.id && listing.is_public && listing.is_active && !listing.isHidden,
  )
  const params = { id: ofCat?.id ?? 0 }
  expect(await ann.call(getListing, { params })).toMatchObject({ within_miles: 25 })
  expect(await gus.call(getListing, { params })).toMatchObject({ within_miles: null })
  const bandOf = new Map(
    listings.map(({ id, owner_id, postalCode }) => [
      id,
      owner_id === ann.id ? null : bandsBetween(97214, postalCode).within_miles,
    ]),
  )
  const q = ofCat?.title ?? ''
  for (const query of [{ public: 'true' }, { friends: 'true' }, { user_id: cat.id }, { q }, {}] as const) {
    const listed = await ann.call(listListings, { query: { limit: 100, ...query } })
    expect(listed.length).toBeGreaterThan(0)
    for (const { id, within_miles } of listed) expect([query, within_miles]).toEqual([query, bandOf.get(id)])
  }
  const mine = await ann.call(listListings, { query: { mine: 'true', limit: 100 } })
  expect(new Set(mine.map(({ within_miles }) => within_miles))).toEqual(new Set([null]))
  const ofGus = await gus.call(listListings, { query: { public: 'true', limit: 100 } })
  expect(new Set(ofGus.map(({ within_miles }) => within_miles))).toEqual(new Set([null]))
})

test('members of one postal code have the same distance from any location', async () => {
  const [spy, ina, joe] = await world.members('spy', 'ina', 'joe')
  const theirs: number[] = []
  for (const [seller, postcode, address] of [
    [ina, '97045-0001', '1 Bluff Street'],
    [joe, '970459999', '999 Molalla Avenue'],
  ] as const) {
    await seller.call(uploadProfileImage, { body: { city: 'Oregon City', state: 'OR', postcode, address } })
    const body = { title: 'Spyglass lettuce', type_id: types.giveaway }
    theirs.push((await seller.call(createListing, { body })).id)
  }
  const ask = (query: string) => spy.send<Listing[]>('GET', `/api/listings?q=spyglass&${query}`)
  const newestFirst = theirs.toReversed()
  for (const zip_code of ['97045', '97215-4321']) {
    await spy.call(updateProfile, { body: { zip_code } })
    const miles = milesBetween(postalCodeId(zip_code), 97045)
    const radii = [1, 5, 10, 12.5, 500, miles - 0.001, miles, miles + 0.001].filter((near) => near >= 1)
    for (const near of radii) {
      const { body } = await ask(`near=${near}`)
      expect(body.map(({ id }) => id)).toEqual(miles <= near ? newestFirst : [])
    }
    const { body: nearest } = await ask('sort=nearest')
    expect(nearest.map(({ id }) => id)).toEqual(newestFirst)
    expect(new Set(nearest.map(({ within_miles }) => within_miles)).size).toBe(1)
    expect(JSON.stringify(nearest)).not.toMatch(/Bluff|Molalla|9704|Oregon/)
  }
  await world.db.deleteFrom('listings').where('id', 'in', theirs).execute()
})

test('listings move with the postal code of their owner', async () => {
  const mover = await world.member({ username: 'mover' })
  const { id } = await mover.call(createListing, { body: { title: 'Wandering Jew', price: 3 } })
  const band = async () => (await ann.call(getListing, { params: { id } })).within_miles
  expect(await band()).toBeNull()
  await mover.call(updateProfile, { body: { zip_code: '97215-0001' } })
  expect(await band()).toBe(5)
  await mover.call(updateProfile, { body: { city: 'Elsewhere' } })
  expect(await band()).toBe(5)
  await mover.call(updateProfile, { body: { zip_code: '97301' } })
  expect(await band()).toBe(50)
  await mover.call(updateProfile, { body: { zip_code: '' } })
  expect(await band()).toBeNull()
  await world.db.deleteFrom('listings').where('id', '=', id).execute()
})

describe('a cursor is valid only for the query it came from', async () => {
  const cursorOf = async (query: string) => {
    const link = nextOf(await ann.send('GET', `/api/listings?${query}&limit=1`)) ?? ''
    return new URL(link, 'http://localhost').searchParams.get('cursor') ?? ''
  }
  const refused = { status: 400, body: { detail: listingMessages.cursorUnknown } }
  const cursors = new Map<string, string>()
  for (const query of [
    '',
    'q=kale',
    'q=kale&sort=lowest',
    'public=true&near=50',
    'friends=true&category_id=1',
  ])
    cursors.set(query, await cursorOf(query))

  test.each([
    ...sorts.map((sort) => `q=kale&sort=${sort}`),
    'public=true',
    'friends=true',
    'category_id=1',
    'q=fig',
    'near=50',
  ])('%s accepts only its own cursor, with any page size', async (query) => {
    const ask = (cursor: string) => ann.send('GET', `/api/listings?${query}&limit=7&cursor=${cursor}`)
    expect(await ask(await cursorOf(query))).toMatchObject({ status: 200 })
    for (const [other, cursor] of cursors)
      if (other !== query) expect(await ask(cursor), other).toMatchObject(refused)
  })

  test('is JSON in base64url; a malformed cursor or one of another version is refused', async () => {
    const cursor = await cursorOf('sort=lowest')
    const fields = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    expect(fields).toMatchObject({ v: 1, id: expect.any(Number), key: expect.any(Number) })
    const ask = (changes: object) => {
      const text = Buffer.from(JSON.stringify({ ...fields, ...changes })).toString('base64url')
      return ann.send('GET', `/api/listings?sort=lowest&cursor=${text}`)
    }
    expect(await ask({})).toMatchObject({ status: 200 })
    for (const changes of [
      { v: 0 },
      { id: 0 },
      { id: '1' },
      { key: -1 },
      { key: null },
      { part: -1 },
      { more: 1 },
    ])
      expect(await ask(changes), JSON.stringify(changes)).toMatchObject(refused)
    expect(await ann.send('GET', `/api/listings?sort=lowest&cursor=${cursor.slice(1)}`)).toMatchObject(
      refused,
    )
    expect(await ask({ part: 2 })).toMatchObject({ status: 200, body: [] })
  })

  test('a forged cursor returns 400 or a page of visible listings', async () => {
    let listed = 0
    await fc.assert(
      fc.asyncProperty(
        queries,
        fc.record({
          part: fc.integer({ min: 0, max: 2 }),
          id: fc.integer({ min: 1, max: 2 ** 48 - 1 }),
          key: fc.constantFrom(0, 1, 5, 97214, 99999, 99999.99, 0.01, 1e300),
          relaxed: fc.boolean(),
        }),
        async (listQuery, position) => {
          const path = pathOf(listQuery, 24)
          const link = nextOf(await cat.send('GET', pathOf(listQuery, 1)))
          if (!link) return
          const { cursor } = Object.fromEntries(new URL(link, 'http://localhost').searchParams)
          const fields = JSON.parse(Buffer.from(cursor ?? '', 'base64url').toString())
          const forged = Buffer.from(JSON.stringify({ ...fields, ...position })).toString('base64url')
          const reply = await cat.send<Listing[]>('GET', `${path}&cursor=${forged}`)
          expect([200, 400]).toContain(reply.status)
          if (reply.status !== 200) return
          const visible = new Set(
            listings.filter((each) => each.is_public || each.owner_id === cat.id).map(({ id }) => id),
          )
          for (const { id } of reply.body) expect(visible.has(id)).toBe(true)
          listed += reply.body.length
        },
      ),
      { numRuns: shortOrLong(40, 80), seed: 4 },
    )
    expect(listed).toBeGreaterThan(50)
  }, 60_000)
})

test('an empty price range leaves only listings that are not for sale', async () => {
  const kinds = async (range: string) =>
    new Set(
      (await ann.pages<Listing>(`/api/listings?public=true&${range}`)).flat().map(({ type_id }) => type_id),
    )
  expect(await kinds('min_price=50&max_price=10')).toEqual(new Set([types.exchange, types.giveaway]))
  expect(await kinds('max_price=0')).toEqual(new Set([types.exchange, types.giveaway]))
  expect(await kinds('min_price=100')).toEqual(new Set([types.sell, types.exchange, types.giveaway]))
})

test('the link to the next page has all filters', async () => {
  const first = await ann.send(
    'GET',
    '/api/listings?public=true&type_id=1&type_id=3&near=50&min_price=2&sort=lowest&limit=2',
  )
  const link = new URL(nextOf(first) ?? '', 'http://localhost')
  expect(link.searchParams.getAll('type_id')).toEqual(['1', '3'])
  expect(Object.fromEntries(link.searchParams)).toMatchObject({
    public: 'true',
    near: '50',
    min_price: '2',
    sort: 'lowest',
    limit: '2',
  })
})
