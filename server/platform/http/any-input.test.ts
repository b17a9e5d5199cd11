import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { register } from '#contract/auth.ts'
import { types } from '#contract/constants.ts'
import { createListing, type Listing, newListing } from '#contract/listings.ts'
import { problem } from '#contract/problem.ts'
import { json } from '#test/actor.ts'
import { shortOrLong } from '#test/long.ts'
import { seed } from '#test/seed.ts'
import { newWorld } from '#test/world.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())
const [ann] = await world.members('ann')

/** Text with lone surrogates, control characters and combining marks. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 130 }),
  fc.string({ unit: 'grapheme-composite', maxLength: 40 }),
  fc.string({
    unit: fc.constantFrom('a', '\u0301', '\u00a0', '\ud83c', '\udf45', '\u0000', '\r', '\n', '\u0958'),
    maxLength: 9,
  }),
)
const numRuns = shortOrLong(40, 100)

test('any text of a listing is refused or returned trimmed and in NFC', async () => {
  await fc.assert(
    fc.asyncProperty(anyText, anyText, async (title, description) => {
      const fields = { title, description, type_id: types.giveaway }
      const { status, body } = await ann.send<Listing>('POST', '/api/listings', json(fields))
      if (status === 422) return
      expect(status).toBe(201)
      expect(body.title).toBe(title.normalize('NFC').trim())
      expect(body.description).toBe(description.replaceAll('\r\n', '\n').normalize('NFC').trim())
    }),
    { numRuns, seed },
  )
})

test('any price is refused or stored exactly', async () => {
  const anyPrice = fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.double({ min: -1, max: 100_001, noNaN: true }),
    fc.integer({ min: 0, max: 10_000_001 }).map((cents) => cents / 100),
  )
  await fc.assert(
    fc.asyncProperty(anyPrice, async (price) => {
      const { status, body } = await ann.send<Listing>(
        'POST',
        '/api/listings',
        json({ title: 'Beans', price }),
      )
      const inCents = price > 0 && price <= 99_999.99 && Number(price.toFixed(2)) === price
      expect(status).toBe(inCents ? 201 : 422)
      if (inCents) expect(body.price).toBe(price)
    }),
    { numRuns, seed },
  )
})

test('the server accepts exactly the JSON that the contract accepts', async () => {
  const anyField = fc.oneof(fc.jsonValue(), anyText, fc.constantFrom(1, 2, 3, true, 'Beans'))
  const anyListing = fc.oneof(
    fc.jsonValue(),
    fc.record(
      {
        title: anyField,
        price: anyField,
        type_id: anyField,
        category_id: anyField,
        is_public: anyField,
        state_id: anyField,
      },
      { requiredKeys: [] },
    ),
  )
  await fc.assert(
    fc.asyncProperty(anyListing, async (value) => {
      const { status, headers, body } = await ann.send('POST', '/api/listings', json(value))
      const { success } = newListing.safeParse(JSON.parse(JSON.stringify(value)))
      if (status === 400) expect(JSON.stringify(value)).toMatch(/__proto__|constructor/)
      else expect(status).toBe(success ? 201 : 422)
      if (status >= 400) {
        expect(headers.get('content-type')).toContain('application/problem+json')
        expect(problem.parse(body).detail).not.toBe('')
      }
    }),
    { numRuns, seed },
  )
})

test('any names of a registration are refused or stored trimmed and in NFC', async () => {
  let count = 0
  const guest = world.guest()
  await fc.assert(
    fc.asyncProperty(anyText, anyText, anyText, async (first_name, last_name, password) => {
      count += 1
      const username = `someone_${count}`
      const email = `${username}@example.com`
      const { status, body } = await guest.try(register, {
        body: { first_name, last_name, username, email, password },
      })
      if (status === 422) return
      expect(status).toBe(201)
      expect(body).toMatchObject({
        first_name: first_name.normalize('NFC').trim(),
        last_name: last_name.normalize('NFC').trim(),
      })
    }),
    { numRuns, seed },
  )
})

test('any query of a list returns 200, 400 or 422', async () => {
  const anyQuery = fc.dictionary(
    fc.constantFrom('mine', 'public', 'friends', 'user_id', 'category_id', 'limit', 'cursor', 'q'),
    fc.oneof(anyText, fc.constantFrom('true', '1', '2', '24', 'MQ')),
  )
  await fc.assert(
    fc.asyncProperty(anyQuery, async (query) => {
      const search = Object.entries(query).map(
        ([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`,
      )
      const { status } = await ann.send('GET', `/api/listings?${search.join('&')}`)
      expect('cursor' in query ? [200, 400, 422] : [200, 422]).toContain(status)
    }),
    { numRuns, seed },
  )
})

test.each(['constructor', 'toString', '__proto__', 'hasOwnProperty', 'then', 'valueOf', 'null', 'undefined'])(
  'handles %s like any other word in listings, wants and searches',
  async (word) => {
    const { body } = await ann.send<Listing>('POST', '/api/listings', json({ title: word, price: 1 }))
    expect(body.title).toBe(word)
    expect((await ann.send('POST', '/api/listings/want-listings', json({ title: word }))).status).not.toBe(
      500,
    )
    for (const path of ['listings', 'listings/want-listings/search', 'auth/users', 'messages/threads'])
      expect((await ann.send('GET', `/api/${path}?q=${word}`)).status, path).toBe(200)
  },
)

test('refused listings are not stored', async () => {
  const titles = (await world.db.selectFrom('listings').select('title').execute()).map(({ title }) => title)
  expect(titles.filter((title) => title.trim().length < 3)).toEqual([])
  expect(await ann.try(createListing, { body: { title: 'Beans', price: 1 } })).toMatchObject({ status: 201 })
})
