import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { categories, states, types } from '#contract/constants.ts'
import { uploadImage } from '#contract/images.ts'
import { createListing, getListing } from '#contract/listings.ts'
import { listNotifications } from '#contract/notifications.ts'
import { createWant } from '#contract/wants.ts'
import { json } from '#test/actor.ts'
import { photo } from '#test/pictures.ts'
import { newWorld } from '#test/world.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())
const [ann, bob] = await world.members('ann', 'bob')

const post = (body: unknown) => ann.send<Record<string, unknown>>('POST', '/api/listings/', json(body))
const countListings = async () => (await world.db.selectFrom('listings').select('id').execute()).length

test('posting a listing as JSON returns the complete listing', async () => {
  const { status, body } = await ann.try(createListing, {
    body: {
      title: 'Rhubarb crowns',
      description: 'Two years old.\nBring a bag.',
      price: 4.5,
      type_id: types.sell,
      state_id: states.reserved,
      category_id: categories.plants,
      is_active: true,
      is_public: false,
    },
  })

  expect(status).toBe(201)
  expect(body).toEqual({
    id: expect.any(Number),
    title: 'Rhubarb crowns',
    description: 'Two years old.\nBring a bag.',
    price: 4.5,
    is_active: true,
    is_public: false,
    type_id: 1,
    state_id: 2,
    category_id: 3,
    featured_image: null,
    folded_count: 0,
    image: null,
    images: [],
    drawing: 'rhubarb',
    owner_id: ann.id,
    owner_username: 'ann',
    owner_profile_picture: null,
    within_miles: null,
    within_km: null,
    open_to_rings: false,
    quantity: null,
    quantity_left: null,
    unit: null,
    ready_from: null,
    request_count: 0,
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    updated_at: body.created_at,
    expires_at: expect.stringMatching(/Z$/),
    is_expired: false,
    is_held: false,
    is_hidden: false,
  })
  expect(await ann.call(getListing, { params: { id: body.id } })).toEqual(body)
})

test('a listing is by default for sale, available, active, public and uncategorized', async () => {
  const body = await ann.call(createListing, { body: { title: 'Beans', price: 1 } })

  expect(body).toMatchObject({
    description: '',
    type_id: types.sell,
    state_id: states.available,
    category_id: null,
    is_active: true,
    is_public: true,
  })
})

test('posting a listing as a form with a photo returns the same fields as JSON', async () => {
  const form = {
    title: 'Tomatoes',
    description: 'Warm from the sun',
    price: 3.25,
    type_id: types.sell,
    state_id: states.available,
    category_id: categories.produce,
    is_active: true,
    is_public: false,
  }
  const { status, body } = await ann.try(createListing, { body: form, file: await photo() })

  expect(status).toBe(201)
  expect(body).toMatchObject({ ...form, drawing: null })
  expect(body.featured_image).toMatch(/^images\/[\w-]{22}-640\.webp$/)
  expect(body.image).toMatchObject({
    width: 640,
    height: 480,
    placeholder: expect.stringMatching(/^data:image\/webp;base64,/),
    srcset: expect.stringMatching(
      /^\/api\/images\/\S+ 160w, \/api\/images\/\S+ 320w, \/api\/images\/\S+ 640w$/,
    ),
  })
})

test('posting a form without a photo creates a listing without an image', async () => {
  const form = new FormData()
  form.append('title', 'Leeks')
  form.append('price', '2')
  form.append('image', new Blob([]), '')

  expect(await ann.send('POST', '/api/listings/', { body: form })).toMatchObject({
    status: 201,
    body: { title: 'Leeks', price: 2, image: null },
  })
})

describe('a price', () => {
  test.each([types.exchange, types.giveaway])(
    'is always 0 if the listing is not for sale (type %i)',
    async (type_id) => {
      expect(await ann.call(createListing, { body: { title: 'Mint', price: 12, type_id } })).toMatchObject({
        price: 0,
      })
    },
  )

  test.each([0.01, 0.07, 1.1, 19.99, 99_999.99])('of %d is stored exactly', async (price) => {
    const { id } = await ann.call(createListing, { body: { title: 'Plums', price } })

    expect(await ann.call(getListing, { params: { id } })).toMatchObject({ price })
  })
})

describe('a category', () => {
  test.each([0, 4, -1, 1.5, '9', 'produce', true, {}, [], null])(
    'of %j is uncategorized',
    async (category_id) => {
      expect(await post({ title: 'Kale', price: 1, category_id })).toMatchObject({
        status: 201,
        body: { category_id: null },
      })
    },
  )

  test('may be a string of digits, as forms send it', async () => {
    expect(await post({ title: 'Kale', price: 1, category_id: '2', type_id: '1' })).toMatchObject({
      status: 201,
      body: { category_id: categories.seeds, type_id: types.sell },
    })
  })
})

describe('an invalid listing returns the message of the broken rule and is not posted', () => {
  const tooShort = 'Title must be at least 3 characters long'
  const tooLong = 'Title must be at most 120 characters long'
  const noPrice = 'Price must be greater than 0 for sell listings'
  const badPrice = 'Price must be an amount with at most two decimals'
  const odd = 'Please remove characters that can not be shown'

  test.each<[field: string, value: unknown, message: string]>([
    ['title', undefined, tooShort],
    ['title', '', tooShort],
    ['title', 'ab', tooShort],
    ['title', '  ab  ', tooShort],
    ['title', 'e\u0301e\u0301', tooShort],
    ['title', 'a'.repeat(121), tooLong],
    ['title', 'Bean\u0000s', odd],
    ['title', 'Beans\nand more', odd],
    ['title', 'Beans \u2028 more', odd],
    ['title', 'Beans \u0085', odd],
    ['title', 'Beans \ud83c', odd],
    ['title', 12_345, tooShort],
    ['description', 'a'.repeat(1001), 'Description must be at most 1000 characters long'],
    ['description', 'tasty\u0000', odd],
    ['description', 'ring\u0007', odd],
    ['description', '\udf45 tasty', odd],
    ['description', 7, 'Please check "description"'],
    ['price', 0, noPrice],
    ['price', undefined, noPrice],
    ['price', -1, noPrice],
    ['price', 1.005, badPrice],
    ['price', 0.000_000_001, badPrice],
    ['price', 5.000_000_000_1, badPrice],
    ['price', '3', badPrice],
    ['price', null, badPrice],
    ['price', 100_000, 'Price must be at most 99999.99'],
    ['type_id', 0, 'Please choose sell, exchange or giveaway'],
    ['type_id', 4, 'Please choose sell, exchange or giveaway'],
    ['type_id', 'sell', 'Please choose sell, exchange or giveaway'],
    ['type_id', null, 'Please choose sell, exchange or giveaway'],
    ['state_id', 9, 'Unknown state'],
    ['is_active', 'yes', 'Please say whether the listing is active'],
    ['is_public', 1, 'Please say whether the listing is public'],
    ...[2, 366, 0, -14, 3.5, '14', 'two weeks', true, null].map((days): [string, unknown, string] => [
      'days',
      days,
      'Please choose 3 to 365 days',
    ]),
  ])('%s %j: %s', async (field, value, message) => {
    const before = await countListings()
    const { status, body } = await post({ title: 'Beans', price: 1, [field]: value })

    expect({ status, detail: body.detail, errors: body.errors }).toEqual({
      status: 422,
      detail: message,
      errors: [{ field, message }],
    })
    expect(await countListings()).toBe(before)
  })

  test('a form with several invalid fields', async () => {
    const { status, body } = await ann.try(createListing, {
      body: { title: 'ab', price: 0, description: 'a'.repeat(1001) },
      file: await photo(),
    })

    expect(status).toBe(422)
    expect(body.detail).toBe(`${tooShort}\nDescription must be at most 1000 characters long\n${noPrice}`)
    expect(await world.db.selectFrom('images').select('name').execute()).toHaveLength(1)
  })
})

describe('a repeated client_id', () => {
  const listing = { title: 'Medlars', price: 2, days: 9 }
  const titled = async (title: string) =>
    (await world.db.selectFrom('listings').select('id').where('title', '=', title).execute()).length
  const upload = async () => (await ann.call(uploadImage, { body: {}, file: await photo() })).id

  test('returns the stored listing with its photos and notifies nobody again', async () => {
    const { produce: category_id } = categories
    await bob.call(createWant, { body: { title: 'courgettes', category_id } })
    const image_ids = [await upload(), await upload()]
    const body = { ...listing, title: 'Zucchini', category_id, client_id: randomUUID(), image_ids }
    const first = await ann.try(createListing, { body })
    await world.jobsDone()
    const before = await bob.call(listNotifications, { query: {} })
    expect(before).toHaveLength(1)
    const again = await ann.try(createListing, { body: { ...body, client_id: body.client_id.toUpperCase() } })
    await world.jobsDone()

    expect(first.status).toBe(201)
    expect(again).toMatchObject({ status: 201, body: first.body })
    expect(await titled('Zucchini')).toBe(1)
    expect(await bob.call(listNotifications, { query: {} })).toEqual(before)
  })

  test('returns one listing to two calls at the same moment, also with a file', async () => {
    const body = { ...listing, title: 'Two medlars', client_id: randomUUID() }
    const file = await photo()
    const replies = await Promise.all([1, 2].map(() => ann.try(createListing, { body, file })))

    expect(replies.map(({ status }) => status)).toEqual([201, 201])
    expect(replies[0]?.body).toEqual(replies[1]?.body)
    expect(await titled('Two medlars')).toBe(1)
  })

  test('returns 409 with other values or photos', async () => {
    const body = { ...listing, title: 'Ripe medlars', client_id: randomUUID() }
    await ann.call(createListing, { body })

    for (const other of [{ title: 'Soft medlars' }, { days: 10 }, { image_ids: [await upload()] }])
      expect(await ann.try(createListing, { body: { ...body, ...other } })).toMatchObject({
        status: 409,
        body: { code: 'client_id_reused' },
      })
  })

  test('posts a listing of another member', async () => {
    const body = { ...listing, title: 'Shared medlars', client_id: randomUUID() }
    const first = await ann.call(createListing, { body })

    expect(await bob.try(createListing, { body })).toMatchObject({ status: 201, body: { owner_id: bob.id } })
    expect(await ann.call(createListing, { body })).toEqual(first)
  })

  test('returns 503 with Retry-After if the stored listing was deleted meanwhile', async () => {
    const body = { ...listing, title: 'Gone medlars', client_id: randomUUID() }
    await sql`create function skip() returns trigger language plpgsql as 'begin return null; end'`.execute(
      world.db,
    )
    await sql`create trigger skip before insert on listings
      for each row when (new.title = 'Gone medlars') execute function skip()`.execute(world.db)
    const { status, headers } = await ann.try(createListing, { body })

    expect([status, Number(headers.get('retry-after'))]).toEqual([503, 5])
  })

  test('must be a UUID', async () => {
    expect(await post({ ...listing, client_id: 'one' })).toMatchObject({
      status: 422,
      body: { detail: 'client_id must be a UUID' },
    })
  })
})

test('accepts a title of 3 or 120 characters and a description of 1000', async () => {
  for (const title of ['Fig', 'f'.repeat(120)]) {
    expect(await post({ title, price: 1, description: 'd'.repeat(1000) })).toMatchObject({ status: 201 })
  }
})

test('trims text, normalizes it to NFC and converts line breaks to \\n', async () => {
  expect(
    await post({ title: ' \tCre\u0300me \u{1f345} ', price: 1, description: '\n a\r\nb\tc \n' }),
  ).toMatchObject({
    status: 201,
    body: { title: 'Cr\u00e8me \u{1f345}', description: 'a\nb\tc' },
  })
})

test('ignores fields that the client may not set', async () => {
  const { body } = await post({
    title: 'Onions',
    price: 1,
    id: 999_999,
    owner_id: bob.id,
    owner_username: 'bob',
    created_at: '1999-01-01T00:00:00.000Z',
    updated_at: '1999-01-01T00:00:00.000Z',
    featured_image: 'images/someone-elses.webp',
    nonsense: true,
  })

  expect(body).toMatchObject({ owner_id: ann.id, owner_username: 'ann', featured_image: null, image: null })
  expect(body.id).not.toBe(999_999)
  expect(String(body.created_at) > '2000').toBe(true)
  expect(body).not.toHaveProperty('nonsense')
})
