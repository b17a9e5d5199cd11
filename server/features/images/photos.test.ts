import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { limits, types } from '#contract/constants.ts'
import { changeImage, imageMessages, type Photo, uploadImage } from '#contract/images.ts'
import { listListings } from '#contract/listing-queries.ts'
import {
  createListing,
  deleteListing,
  getListing,
  listingMessages,
  removeListingImage,
  setListingImage,
  updateListing,
} from '#contract/listings.ts'
import type { Actor } from '#test/actor.ts'
import { photo } from '#test/pictures.ts'
import { newWorld } from '#test/world.ts'
import { sweepImages, sweepUnusedImages } from './jobs.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())
const [ann, bob] = await world.members('ann', 'bob')
const file = await photo({ width: 300, height: 200 })
const giveaway = { title: 'Pumpkin', type_id: types.giveaway }

const upload = (member = ann) => member.call(uploadImage, { body: {}, file })
const uploads = (count: number, member = ann) =>
  Promise.all(Array.from({ length: count }, () => upload(member)))
const idsOf = (photos: readonly Photo[]) => photos.map(({ id }) => id)
const post = (image_ids: number[], member: Actor = ann) =>
  member.call(createListing, { body: { ...giveaway, image_ids } })
const read = (id: number) => ann.call(getListing, { params: { id } })
const statusOf = async ({ src }: Photo, member: Actor = ann) => (await member.send('GET', src)).status
const rowsOf = async (ids: readonly number[]) =>
  (await world.db.selectFrom('images').select('id').where('id', 'in', ids).execute()).length
const notUsable = {
  status: 422,
  body: { errors: [{ field: 'image_ids', message: imageMessages.notUsable }] },
}

describe('an uploaded photo', () => {
  test('is returned with the attributes of its element', async () => {
    const response = await ann.try(uploadImage, { body: {}, file })
    expect(response).toMatchObject({
      status: 201,
      body: { id: expect.any(Number), width: 300, height: 200, alt: null },
    })
    expect(response.body.src).toMatch(/^\/api\/images\/[\w-]{22}-300\.webp$/)
    expect(response.body.srcset).toMatch(/-160\.webp 160w, .*-300\.webp 300w$/)
    expect(response.body.placeholder).toMatch(/^data:image\/webp;base64,/)
  })

  test('is required', async () => {
    expect(await ann.try(uploadImage, { body: {} })).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'image', message: imageMessages.photoNeeded }] },
    })
  })

  test('is deleted a day later unless a listing has it', async () => {
    const [unused, used, fresh] = (await uploads(3)) as [Photo, Photo, Photo]
    await post([used.id])
    await world.db
      .updateTable('images')
      .set({ created_at: new Date(Date.now() - 25 * 60 * 60 * 1000).toISOString() })
      .where('id', 'in', idsOf([unused, used]))
      .execute()
    await world.runJob(sweepUnusedImages)
    await world.jobsDone()

    expect(await Promise.all([unused, used, fresh].map((each) => statusOf(each)))).toEqual([404, 200, 200])
    expect(await rowsOf(idsOf([unused, used, fresh]))).toBe(2)
    expect(await ann.try(createListing, { body: { ...giveaway, image_ids: [unused.id] } })).toMatchObject(
      notUsable,
    )
  })
})

describe('the photos of a listing', () => {
  test('keep their order, and the first is the featured image', async () => {
    const photos = await uploads(3)
    const { id } = await post(idsOf(photos.toReversed()))
    const listing = await read(id)
    const first = photos.at(-1) as Photo

    expect(listing.images).toEqual(photos.toReversed())
    expect(`/api/${listing.featured_image}`).toBe(first.src)
    expect(listing.image).toEqual({
      width: first.width,
      height: first.height,
      placeholder: first.placeholder,
      srcset: first.srcset,
    })
    const listed = await ann.call(listListings, { query: { mine: 'true', limit: 1 } })
    expect(listed).toMatchObject([{ id, images: listing.images, featured_image: listing.featured_image }])
  })

  test('begin with the file of the form, followed by those of its ids', async () => {
    const photos = await uploads(2)
    const { images } = await ann.call(createListing, {
      body: { ...giveaway, image_ids: idsOf(photos) },
      file,
    })
    expect(images.slice(1)).toEqual(photos)
    expect(images).toHaveLength(3)
  })

  test.each([
    ['a part each, like generated clients send them', (ids: number[]) => ids.map(String)],
    ['one part with commas', (ids: number[]) => [ids.join(',')]],
  ])('are attached by a form with %s', async (_, partsOf) => {
    const photos = await uploads(2)
    const form = new FormData()
    form.append('title', giveaway.title)
    form.append('type_id', String(giveaway.type_id))
    for (const part of partsOf(idsOf(photos))) form.append('image_ids', part)
    const { status, body } = await ann.send<{ images: Photo[] }>('POST', '/api/listings', { body: form })
    expect([status, idsOf(body.images)]).toEqual([201, idsOf(photos)])
    form.append('title', 'Marrow')
    expect(await ann.send('POST', '/api/listings', { body: form })).toMatchObject({
      status: 400,
      body: { detail: 'Please send "title" only once' },
    })
  })

  test('are reordered, added and removed by an edit', async () => {
    const [a, b, c] = idsOf(await uploads(3)) as [number, number, number]
    const { id } = await post([a, b])
    const set = async (image_ids: number[]) => {
      const changed = await ann.call(updateListing, { params: { id }, body: { image_ids } })
      return idsOf(changed.images)
    }
    expect(await set([b, a])).toEqual([b, a])
    expect(await set([c, b, a])).toEqual([c, b, a])
    const before = (await read(id)).images
    expect(await set([a])).toEqual([a])
    await world.jobsDone()
    expect(await Promise.all(before.map((each) => statusOf(each)))).toEqual([404, 404, 200])
    expect(await set([])).toEqual([])
    expect(await read(id)).toMatchObject({ featured_image: null, image: null, drawing: 'pumpkin' })
  })

  test('stay as they are when an edit does not name them', async () => {
    const photos = idsOf(await uploads(2))
    const { id } = await post(photos)
    await ann.call(updateListing, { params: { id }, body: { title: 'Squash' } })
    expect(idsOf((await read(id)).images)).toEqual(photos)
  })

  test('are at most six, by every endpoint', async () => {
    const seven = idsOf(await uploads(7))
    const tooMany = {
      status: 422,
      body: { errors: [{ field: 'image_ids', message: listingMessages.tooManyPhotos }] },
    }
    expect(await ann.try(createListing, { body: { ...giveaway, image_ids: seven } })).toMatchObject(tooMany)
    const six = seven.slice(1)
    expect(await ann.try(createListing, { body: { ...giveaway, image_ids: six }, file })).toMatchObject(
      tooMany,
    )
    const { id } = await post(six)
    expect(await ann.try(updateListing, { params: { id }, body: { image_ids: seven } })).toMatchObject(
      tooMany,
    )
    expect(await ann.try(setListingImage, { params: { id }, body: {}, file })).toMatchObject({ status: 200 })
  })

  test('can not be repeated, foreign, used, unknown or a profile photo', async () => {
    const [own, used] = idsOf(await uploads(2)) as [number, number]
    const [foreign] = idsOf(await uploads(1, bob)) as [number]
    await post([used])
    const { id } = await post([own])
    const refused = (image_ids: number[]) => ann.try(updateListing, { params: { id }, body: { image_ids } })
    expect(await refused([own, own])).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'image_ids', message: imageMessages.repeated }] },
    })
    for (const other of [foreign, used, 999_999_999])
      expect(await refused([own, other])).toMatchObject(notUsable)
    expect(idsOf((await read(id)).images)).toEqual([own])
    expect(await rowsOf([foreign, used])).toBe(2)
  })

  test('change at the first place by the calls of old clients', async () => {
    const [a, b] = idsOf(await uploads(2)) as [number, number]
    const { id } = await post([a, b])
    const replaced = await ann.call(setListingImage, { params: { id }, body: {}, file })
    expect(idsOf(replaced.images)).toEqual([expect.any(Number), b])
    expect(replaced.images[0]?.id).not.toBe(a)
    const removed = await ann.call(removeListingImage, { params: { id } })
    expect(idsOf(removed.images)).toEqual([b])
    expect(await ann.call(removeListingImage, { params: { id } })).toMatchObject({ images: [], image: null })
    expect((await ann.call(setListingImage, { params: { id }, body: {}, file })).images).toHaveLength(1)
  })

  test('are deleted with it', async () => {
    const photos = await uploads(3)
    const { id } = await post(idsOf(photos))
    await ann.call(deleteListing, { params: { id } })
    await world.jobsDone()
    expect(await Promise.all(photos.map((each) => statusOf(each)))).toEqual([404, 404, 404])
    expect(await rowsOf(idsOf(photos))).toBe(0)
  })
})

test('a photo that two listings add at the same time belongs to one of them', async () => {
  const { id } = await upload()
  const listings = await Promise.all([post([]), post([])])
  const responses = await Promise.all(
    listings.map((listing) =>
      ann.try(updateListing, { params: { id: listing.id }, body: { image_ids: [id] } }),
    ),
  )
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 422])
  const photos = await Promise.all(listings.map(async (listing) => (await read(listing.id)).images))
  expect(photos.flat().map((each) => each.id)).toEqual([id])
})

test('a photo that is swept while a listing adds it belongs to the listing or is refused', async () => {
  const photos = idsOf(await uploads(8))
  await world.db
    .updateTable('images')
    .set({ created_at: new Date(Date.now() - 25 * 60 * 60 * 1000).toISOString() })
    .where('id', 'in', photos)
    .execute()
  const responses = await Promise.all([
    ...photos.map((id) => ann.try(createListing, { body: { ...giveaway, image_ids: [id] } })),
    world.runJob(sweepUnusedImages),
  ])
  await world.jobsDone()
  for (const response of responses) {
    if (!response) continue
    if (response.status === 201) expect(await statusOf(response.body.images[0] as Photo)).toBe(200)
    else expect(response).toMatchObject(notUsable)
  }
})

describe('the description of a photo', () => {
  test('is set, trimmed, shown and removed by its owner', async () => {
    const { id } = await upload()
    const listing = await post([id])
    const set = (alt: string | null) => ann.call(changeImage, { params: { id }, body: { alt } })
    expect(await set('  An orange pumpkin ')).toMatchObject({ id, alt: 'An orange pumpkin' })
    expect((await read(listing.id)).images).toMatchObject([{ id, alt: 'An orange pumpkin' }])
    expect(await set('')).toMatchObject({ alt: null })
    expect(await set(null)).toMatchObject({ alt: null })
  })

  test('has at most 150 characters', async () => {
    const { id } = await upload()
    const set = (alt: string) => ann.try(changeImage, { params: { id }, body: { alt } })
    expect(await set('a'.repeat(limits.photos.alt))).toMatchObject({ status: 200 })
    expect(await set('a'.repeat(limits.photos.alt + 1))).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'alt', message: imageMessages.altTooLong }] },
    })
  })
})

test('refuses photos beyond 500 MB of a member', async () => {
  const cas = await world.member({ username: 'cas' })
  const { id } = await upload(cas)
  const { bytes } = await world.db
    .selectFrom('images')
    .select('bytes')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const full = limits.photos.maxMegabytes * 1024 * 1024
  await world.db.updateTable('images').set({ bytes: full }).where('id', '=', id).execute()
  const refusal = { status: 409, body: { detail: imageMessages.quotaExceeded } }
  expect(await cas.try(uploadImage, { body: {}, file })).toMatchObject(refusal)
  expect(await cas.try(createListing, { body: giveaway, file })).toMatchObject(refusal)

  const setUsed = (used: number) =>
    world.db.updateTable('images').set({ bytes: used }).where('id', '=', id).execute()
  await setUsed(full - bytes + 1)
  expect(await cas.try(uploadImage, { body: {}, file })).toMatchObject(refusal)
  await setUsed(full - bytes)
  expect(await cas.try(uploadImage, { body: {}, file })).toMatchObject({ status: 201 })
  expect(await cas.try(uploadImage, { body: {}, file })).toMatchObject(refusal)
  expect(await cas.try(createListing, { body: giveaway })).toMatchObject({ status: 201 })
})

test('stored images without a row are deleted after a day', async () => {
  await upload()
  const folder = join(world.dataDir, 'images')
  const currentFiles = async () => {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  }
  const withRows = await currentFiles()
  const createFile = async (part: string, name: string) => {
    await mkdir(join(folder, part), { recursive: true })
    await writeFile(join(folder, part, name), 'petals')
    return join(folder, part, name)
  }
  const orphans = [
    await createFile('-_', `-_${'A'.repeat(20)}-160.webp`),
    await createFile('zz', `zz${'9'.repeat(20)}-1200.webp`),
    await createFile('unfinished', '6a0e4c5e-0000-4000-8000-000000000000'),
  ]
  const others = await createFile('no', 'notes.txt')
  const old = new Date(Date.now() - 25 * 60 * 60 * 1000)
  for (const file of [...withRows, ...orphans, others]) await utimes(file, old, old)
  const fresh = await createFile('zz', `zz${'8'.repeat(20)}-1200.webp`)

  await world.runJob(sweepImages)

  expect((await currentFiles()).sort()).toEqual([...withRows, others, fresh].sort())
})
