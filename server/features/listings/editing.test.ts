import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { categories, states, types } from '#contract/constants.ts'
import { listListings } from '#contract/listing-queries.ts'
import {
  createListing,
  deleteListing,
  getListing,
  type Listing,
  removeListingImage,
  setListingImage,
} from '#contract/listings.ts'
import { type Actor, json } from '#test/actor.ts'
import { blob, photo } from '#test/pictures.ts'
import { newWorld } from '#test/world.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())
const [ann, friend, stranger] = await world.members('ann', 'friend', 'stranger')
const guest = world.guest()
await world.befriend(ann, friend)

const priceNeeded = 'Price must be greater than 0 for sell listings'
const post = (body: Partial<Listing> = {}, file?: Blob) =>
  ann.call(createListing, { body: { title: 'Beans', price: 2, ...body }, file })
const read = (id: number, who = ann) => who.call(getListing, { params: { id } })
const change = (id: number, body: unknown, who = ann) =>
  who.send<Listing & { detail: string; errors: unknown }>('PATCH', `/api/listings/${id}`, json(body))

const storedFiles = async () => {
  const entries = await readdir(join(world.dataDir, 'images'), { recursive: true }).catch(() => [])
  return entries.filter((entry) => entry.endsWith('.webp')).length
}
const imageRows = async () => (await world.db.selectFrom('images').select('name').execute()).length
const statusOf = async (file: string | null) => (await guest.send('GET', `/api/${file}`)).status

describe('an edit', () => {
  test('that changes no field causes no matching', async () => {
    const { id, updated_at } = await post({ title: 'Okra', is_public: true })
    const jobs = await world.jobsOf('match-listing')
    const { body } = await change(id, { title: 'Okra', price: 2, is_active: true, is_public: true })
    expect(body).toMatchObject({ id, updated_at })
    expect(await world.jobsOf('match-listing')).toHaveLength(jobs.length)
    await change(id, { is_active: false })
    expect(await world.jobsOf('match-listing')).toHaveLength(jobs.length + 1)
  })

  test('changes only the fields that are sent', async () => {
    const before = await post({ category_id: categories.seeds, description: 'Saved', is_public: false })
    const fields: Partial<Listing> = {
      title: 'Runner beans',
      description: 'Two lines\nof words',
      price: 3.5,
      is_active: false,
      is_public: true,
      state_id: states.reserved,
      category_id: categories.produce,
      type_id: types.giveaway,
    }
    let expected: Listing = before
    for (const [field, value] of Object.entries(fields)) {
      const { status, body } = await change(before.id, { [field]: value })
      const price = field === 'type_id' ? { price: 0 } : {}
      expected = { ...expected, [field]: value, ...price, updated_at: body.updated_at }
      expect({ status, body }).toEqual({ status: 200, body: expected })
    }
    expect(await read(before.id)).toEqual(expected)
  })

  test('changes updated_at and keeps created_at', async () => {
    const before = await post()
    const { body } = await change(before.id, { title: 'Leeks' })

    expect(body.updated_at >= before.updated_at).toBe(true)
    expect(body.created_at).toBe(before.created_at)
    const again = await change(before.id, { title: 'Chard' })
    expect(again.body.updated_at > before.updated_at).toBe(true)
  })

  test('without fields changes nothing', async () => {
    const before = await post({ category_id: categories.plants })

    expect(await change(before.id, {})).toMatchObject({ status: 200, body: before })
  })

  test('without a known category makes the listing uncategorized', async () => {
    for (const category_id of [null, 7, 'produce']) {
      const { id } = await post({ category_id: categories.plants })
      expect((await change(id, { category_id })).body.category_id).toBeNull()
    }
  })

  test('accepts ids as strings of digits', async () => {
    const { id } = await post()

    expect(await change(id, { type_id: '2', state_id: '3', category_id: '3' })).toMatchObject({
      status: 200,
      body: { type_id: types.exchange, state_id: states.gone, category_id: categories.plants, price: 0 },
    })
  })

  test('ignores fields that the client may not set', async () => {
    const before = await post()
    const { body } = await change(before.id, {
      id: 999_999,
      owner_id: stranger.id,
      created_at: '1999-01-01T00:00:00.000Z',
      updated_at: '1999-01-01T00:00:00.000Z',
      hidden_at: null,
      featured_image: 'images/someone-elses.webp',
    })

    expect(body).toEqual(before)
  })
})

describe('the price', () => {
  test('becomes 0 when the listing is not for sale', async () => {
    for (const type_id of [types.exchange, types.giveaway]) {
      const { id } = await post({ price: 8 })
      expect(await change(id, { type_id })).toMatchObject({ status: 200, body: { type_id, price: 0 } })
      expect(await change(id, { price: 5 })).toMatchObject({ status: 200, body: { type_id, price: 0 } })
    }
  })

  test('is required when the listing is for sale', async () => {
    const given = await post({ type_id: types.giveaway })
    const refused = {
      status: 422,
      body: { detail: priceNeeded, errors: [{ field: 'price', message: priceNeeded }] },
    }

    expect(await change(given.id, { type_id: types.sell, title: 'Not kept' })).toMatchObject(refused)
    expect(await read(given.id)).toEqual(given)
    expect(await change(given.id, { type_id: types.sell, price: 0.01 })).toMatchObject({
      status: 200,
      body: { type_id: types.sell, price: 0.01 },
    })
    expect(await change(given.id, { price: 0 })).toMatchObject(refused)
  })
})

describe('an invalid edit returns the message of the broken rule', async () => {
  const { id } = await post()
  const before = await read(id)
  test.each<[field: string, value: unknown, message: string]>([
    ['title', '', 'Title is required'],
    ['title', '   ', 'Title is required'],
    ['title', null, 'Title is required'],
    ['title', 'a'.repeat(121), 'Title must be at most 120 characters long'],
    ['title', 'Bean\u0000s', 'Please remove characters that can not be shown'],
    ['description', 'a'.repeat(1001), 'Description must be at most 1000 characters long'],
    ['price', -3, 'Price must be greater than 0 for sell listings'],
    ['price', 1.005, 'Price must be an amount with at most two decimals'],
    ['price', 100_000, 'Price must be at most 99999.99'],
    ['type_id', 4, 'Please choose sell, exchange or giveaway'],
    ['state_id', 0, 'Unknown state'],
    ['is_active', 'yes', 'Please say whether the listing is active'],
    ['is_public', null, 'Please say whether the listing is public'],
  ])('%s %j: %s', async (field, value, message) => {
    const { status, body } = await change(id, { [field]: value })

    expect({ status, detail: body.detail, errors: body.errors }).toEqual({
      status: 422,
      detail: message,
      errors: [{ field, message }],
    })
    expect(await read(id)).toEqual(before)
  })
})

test('an edited title may be shorter than three characters', async () => {
  const { id } = await post()
  expect(await change(id, { title: 'Fi' })).toMatchObject({ status: 200, body: { title: 'Fi' } })
})

test('an edit waits for a concurrent edit and applies to its result', async () => {
  const { id } = await post({ price: 4 })
  let edited: ReturnType<typeof change> | undefined
  await world.jobsDone()
  await world.db.transaction().execute(async (tx) => {
    await tx.updateTable('listings').set({ type_id: types.giveaway, price: 0 }).where('id', '=', id).execute()
    edited = change(id, { title: 'Kale' })
    await expect.poll(() => world.waitingForLocks()).toBe(1)
  })

  expect(await edited).toMatchObject({
    status: 200,
    body: { title: 'Kale', type_id: types.giveaway, price: 0 },
  })
})

describe('an inactive or hidden listing', () => {
  test('is visible to its owner only until it is active again', async () => {
    const { id } = await post()
    const statusFor = async (member: Actor) => (await member.try(getListing, { params: { id } })).status
    const listed = async () =>
      (await stranger.call(listListings, { query: { user_id: ann.id, limit: 100 } })).some(
        (one) => one.id === id,
      )

    await change(id, { is_active: false })
    expect([
      await statusFor(ann),
      await statusFor(friend),
      await statusFor(stranger),
      await listed(),
    ]).toEqual([200, 404, 404, false])
    await change(id, { is_active: true })
    expect([await statusFor(friend), await statusFor(stranger), await listed()]).toEqual([200, 200, true])
  })

  test('stays hidden by the operator after an edit', async () => {
    const { id } = await post()
    const hidden_at = new Date().toISOString()
    await world.db.updateTable('listings').set({ hidden_at }).where('id', '=', id).execute()

    expect((await change(id, { is_active: true, is_public: true, hidden_at: null })).status).toBe(200)
    expect((await stranger.try(getListing, { params: { id } })).status).toBe(404)
  })
})

test('a stranger sees that a listing is reserved or gone', async () => {
  const { id } = await post()
  for (const state_id of [states.reserved, states.gone, states.available]) {
    await change(id, { state_id })
    expect(await read(id, stranger)).toMatchObject({ state_id })
  }
})

describe('the photo of a listing', () => {
  test('can be set, replaced and removed, and the previous files are deleted', async () => {
    const [files, rows] = [await storedFiles(), await imageRows()]
    const { id } = await post()
    const first = await ann.call(setListingImage, { params: { id }, body: {}, file: await photo() })
    expect(first.image).toMatchObject({ width: 640, height: 480 })
    expect(first.updated_at > first.created_at).toBe(true)
    expect(await statusOf(first.featured_image)).toBe(200)

    const file = await photo({ width: 320, height: 320, color: 'olive' })
    const second = await ann.call(setListingImage, { params: { id }, body: {}, file })
    await world.jobsDone()
    expect(second.image).toMatchObject({ width: 320, height: 320 })
    expect(await Promise.all([statusOf(first.featured_image), statusOf(second.featured_image)])).toEqual([
      404, 200,
    ])

    const none = await ann.call(removeListingImage, { params: { id } })
    await world.jobsDone()
    expect(none).toMatchObject({ featured_image: null, image: null })
    expect(await statusOf(second.featured_image)).toBe(404)
    expect([await storedFiles(), await imageRows()]).toEqual([files, rows])
    expect((await ann.try(removeListingImage, { params: { id } })).status).toBe(200)
  })

  test('stays unchanged when an upload is refused', async () => {
    const before = await post({}, await photo())
    const [files, rows] = [await storedFiles(), await imageRows()]
    const params = { id: before.id }
    const none = await ann.try(setListingImage, { params, body: {} })
    const text = await ann.try(setListingImage, { params, body: {}, file: blob('beans', 'image/jpeg') })

    expect(none).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'image', message: 'Please choose a photo' }] },
    })
    expect(text).toMatchObject({ status: 415, body: { detail: expect.stringContaining('not an image') } })
    await world.jobsDone()
    expect(await read(before.id)).toEqual(before)
    expect([await storedFiles(), await imageRows()]).toEqual([files, rows])
  })

  test('stays one photo when several are uploaded concurrently', async () => {
    const { id } = await post()
    const [files, rows] = [await storedFiles(), await imageRows()]
    const file = await photo({ width: 160, height: 160 })
    const responses = await Promise.all(
      Array.from({ length: 4 }, () => ann.try(setListingImage, { params: { id }, body: {}, file })),
    )
    await world.jobsDone()

    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect([await storedFiles(), await imageRows()]).toEqual([files + 1, rows + 1])
    expect(await statusOf((await read(id)).featured_image)).toBe(200)
  })
})

describe('deleting a listing', () => {
  test('removes it and its photo for everyone', async () => {
    const [files, rows] = [await storedFiles(), await imageRows()]
    const { id, featured_image } = await post({}, await photo())
    expect(await ann.try(deleteListing, { params: { id } })).toMatchObject({ status: 204 })
    await world.jobsDone()

    expect(await statusOf(featured_image)).toBe(404)
    expect([await storedFiles(), await imageRows()]).toEqual([files, rows])
    for (const who of [ann, friend, stranger])
      expect((await who.try(getListing, { params: { id } })).status).toBe(404)
    const mine = await ann.call(listListings, { query: { mine: 'true', limit: 100 } })
    expect(mine.map((one) => one.id)).not.toContain(id)
    expect(await ann.try(deleteListing, { params: { id } })).toMatchObject({
      status: 404,
      body: { detail: 'Listing not found' },
    })
  })

  test('concurrently succeeds once', async () => {
    const { id } = await post({}, await photo({ width: 160, height: 160 }))
    const responses = await Promise.all(
      Array.from({ length: 6 }, () => ann.try(deleteListing, { params: { id } })),
    )

    expect(responses.map(({ status }) => status).sort()).toEqual([204, 404, 404, 404, 404, 404])
  })

  test('during edits succeeds, and no request fails with a server error', async () => {
    const { id } = await post()
    const responses = await Promise.all([
      change(id, { title: 'Kale' }),
      ann.try(deleteListing, { params: { id } }),
      change(id, { price: 3 }),
      ann.try(setListingImage, { params: { id }, body: {}, file: await photo({ width: 160, height: 160 }) }),
    ])
    await world.jobsDone()

    for (const { status } of responses) expect([200, 204, 404]).toContain(status)
    expect((await ann.try(getListing, { params: { id } })).status).toBe(404)
  })
})

test('a photo of a stranger is refused and not stored', async () => {
  const { id } = await post()
  const [files, rows] = [await storedFiles(), await imageRows()]
  const response = await stranger.try(setListingImage, { params: { id }, body: {}, file: await photo() })

  expect(response.status).toBe(403)
  await world.jobsDone()
  expect([await storedFiles(), await imageRows()]).toEqual([files, rows])
})
