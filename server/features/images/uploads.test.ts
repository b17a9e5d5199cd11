import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { uploadProfileImage } from '#contract/auth.ts'
import { types } from '#contract/constants.ts'
import { createListing } from '#contract/listings.ts'
import type { Actor } from '#test/actor.ts'
import { blob, bomb, bombPixels, photo } from '#test/pictures.ts'
import { sendRequest } from '#test/raw-http.ts'
import { newWorld } from '#test/world.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())
const [ann] = await world.members('ann')
const giveaway = { title: 'Pumpkin', type_id: types.giveaway }

const storedFiles = async () => {
  const entries = await readdir(join(world.dataDir, 'images'), { recursive: true }).catch(() => [])
  return entries
    .filter((entry) => entry.endsWith('.webp'))
    .map((entry) => entry.slice(entry.lastIndexOf('/') + 1))
}
const storedCounts = async () => ({
  images: (await world.db.selectFrom('images').select('name').execute()).length,
  listings: (await world.db.selectFrom('listings').select('id').execute()).length,
  files: (await storedFiles()).length,
})

describe('a refused upload stores nothing', async () => {
  const notAnImage =
    'This file is not an image we can read; please choose a JPEG, PNG, WebP, AVIF or HEIC photo'
  const tooLarge = 'The image is too large; please choose one below 10 MB and 40 megapixels'
  const jpeg = Buffer.from(await (await photo({ width: 900, height: 900 })).arrayBuffer())

  test.each<[string, Blob, number, string]>([
    ['text that claims to be a JPEG', blob('tomatoes', 'image/jpeg'), 415, notAnImage],
    ['256 megapixels in a few kilobytes', bomb(), 413, tooLarge],
    ['11 MB', blob(Buffer.concat([jpeg, Buffer.alloc(11 * 1024 * 1024)]), 'image/jpeg'), 413, tooLarge],
  ])('%s', async (_, file, status, detail) => {
    const before = await storedCounts()
    const listing = await ann.try(createListing, { body: giveaway, file })
    const profile = await ann.try(uploadProfileImage, { body: {}, file })

    for (const refused of [listing, profile]) {
      expect(refused.headers.get('content-type')).toContain('application/problem+json')
      expect(refused).toMatchObject({ status, body: { status, detail } })
    }
    expect(await storedCounts()).toEqual(before)
  })

  test('a decompression bomb does not fill the memory', async () => {
    const file = bomb()
    const before = process.memoryUsage().rss
    const refused = await Promise.all(
      Array.from({ length: 8 }, () => ann.try(createListing, { body: giveaway, file })),
    )

    expect(refused.map(({ status }) => status)).toEqual(Array(8).fill(413))
    // The server runs in this process. One decoded picture would take a byte for each pixel.
    expect(process.memoryUsage().rss - before).toBeLessThan(bombPixels)
  })

  test('the photo of a listing with a too short title', async () => {
    const before = await storedCounts()
    const file = await photo()
    expect(await ann.try(createListing, { body: { ...giveaway, title: 'no' }, file })).toMatchObject({
      status: 422,
    })

    expect(await storedCounts()).toEqual(before)
  })
})

test('a listing whose commit fails stores neither row nor file', async () => {
  const before = await storedCounts()
  await using _ = await world.failCommits('listings')
  const { status } = await ann.try(createListing, { body: giveaway, file: await photo() })

  expect(status).toBe(500)
  expect(await storedCounts()).toEqual(before)
})

test('detects the format from the bytes, not from the content type', async () => {
  const file = new Blob([await photo()], { type: 'text/html' })

  expect(await ann.try(createListing, { body: giveaway, file })).toMatchObject({
    status: 201,
    body: { image: { width: 640, height: 480 } },
  })
})

describe('GET /images/{name}', async () => {
  const listing = await ann.call(createListing, { body: giveaway, file: await photo() })
  const path = `/api/${listing.featured_image}`

  test('serves a photo to guests as an immutable image that is not sniffed', async () => {
    const { status, headers, body } = await world.guest().send<Blob>('GET', path)

    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('image/webp')
    expect(headers.get('cache-control')).toBe('private, max-age=31536000, immutable')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-length')).toBe(String(body.size))
    expect(Buffer.from(await body.arrayBuffer()).toString('latin1', 8, 12)).toBe('WEBP')
  })

  test('serves each of the three sizes of the listing', async () => {
    const sizes = (listing.image?.srcset ?? '').split(', ').map((size) => size.split(' ')[0] ?? '')
    const statuses = await Promise.all(
      sizes.map(async (size) => (await world.guest().send('GET', size)).status),
    )

    expect(statuses).toEqual([200, 200, 200])
  })

  test.each([
    'nothing.webp',
    `${'A'.repeat(22)}-640.webp`,
    '../../config.json',
    '..%2f..%2f..%2fetc%2fpasswd',
    '%2e%2e/%2e%2e/etc/passwd',
    '..',
    '.',
    '%2e%2e',
    '%00',
    `${'A'.repeat(22)}-640.webp%00.html`,
    `${'A'.repeat(22)}-640.webp%0a`,
    'unfinished',
    'a'.repeat(150),
    'a'.repeat(5000),
    '%2Fetc%2Fpasswd',
    '..\\..\\etc\\passwd',
    path.slice(path.lastIndexOf('/') + 1).replace('-640', '-641'),
    path.slice(path.lastIndexOf('/') + 1).toUpperCase(),
  ])('returns the same 404 for an unknown or invalid name: %s', async (name) => {
    const { status, headers, text } = await sendRequest(world.url, 'GET', `/api/images/${name}`)

    expect(status).toBe(404)
    expect(headers.get('content-type')).toContain('application/problem+json')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(JSON.parse(text)).toMatchObject({ status: 404, detail: 'Not found' })
  })
})

describe('the profile photo', async () => {
  const avatarSizes = 2
  /** Returns the part of the files' names that all widths share. */
  const baseNameOf = (name: string | null) => name?.slice('images/'.length).replace(/-\d+\.webp$/, '') ?? ''

  async function storedPhotos(member: Actor) {
    await world.jobsDone()
    const { picture_name } = await world.db
      .selectFrom('users')
      .select('picture_name')
      .where('id', '=', member.id)
      .executeTakeFirstOrThrow()
    return { picture_name, files: await storedFiles() }
  }

  test('is deleted with all its files when it is replaced', async () => {
    const [bea] = await world.members('bea')
    const first = await bea.call(uploadProfileImage, { body: {}, file: await photo({ color: 'red' }) })
    const second = await bea.call(uploadProfileImage, { body: {}, file: await photo({ color: 'blue' }) })
    const { files } = await storedPhotos(bea)

    expect(files.filter((file) => file.startsWith(baseNameOf(first.profile_picture)))).toEqual([])
    expect(files.filter((file) => file.startsWith(baseNameOf(second.profile_picture)))).toHaveLength(
      avatarSizes,
    )
    expect(await bea.send('GET', `/api/${first.profile_picture}`)).toMatchObject({ status: 404 })
  })

  test('stays one photo when several are uploaded concurrently', async () => {
    const [cas] = await world.members('cas')
    const before = (await storedFiles()).length
    const colors = ['red', 'green', 'blue', 'gold']
    await Promise.all(
      colors.map(async (color) => cas.call(uploadProfileImage, { body: {}, file: await photo({ color }) })),
    )
    const { picture_name, files } = await storedPhotos(cas)

    expect(files).toHaveLength(before + avatarSizes)
    expect(files.filter((file) => file.startsWith(String(picture_name)))).toHaveLength(avatarSizes)
  })
})
