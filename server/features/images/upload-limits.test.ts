import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import pg from 'pg'
import { afterAll, expect, test, vi } from 'vitest'
import { apiBase, image, limits, types } from '#contract/constants.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { errorMessages } from '#contract/error-messages.ts'
import { imageMessages, uploadImage } from '#contract/images.ts'
import { listListings } from '#contract/listing-queries.ts'
import { createListing } from '#contract/listings.ts'
import { getSiteSettings, saveSiteLogo } from '#contract/site-settings.ts'
import type { Actor } from '#test/actor.ts'
import { admin } from '#test/admin.ts'
import { allEndpoints } from '#test/endpoints.ts'
import { blob, photo } from '#test/pictures.ts'
import { newWorld } from '#test/world.ts'

const temporary = await mkdtemp(join(tmpdir(), 'rhubarb-uploads-'))
vi.stubEnv('TMPDIR', temporary)
const world = await newWorld({ rateLimits: true })
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  vi.unstubAllEnvs()
  await rm(temporary, { recursive: true, force: true })
})

const uploadEndpoints = (await allEndpoints()).filter(({ encoding }) => encoding?.startsWith('multipart'))
const file = await photo()

/** Uploads a photo to an endpoint, to a listing of the member if it needs one. */
async function uploadTo(endpoint: Endpoint, member: Actor) {
  const listing = { title: 'Kale', type_id: types.giveaway }
  const params = endpoint.params && { id: (await member.call(createListing, { body: listing })).id }
  const body = endpoint === createListing ? listing : await versionFor(endpoint, member)
  return member.try(endpoint, { params, body, file } as never)
}

/** Returns the version that a save of the logo names. */
async function versionFor(endpoint: Endpoint, member: Actor) {
  return endpoint === saveSiteLogo ? { version: (await member.call(getSiteSettings)).version } : {}
}

/** Returns the points that are counted under a limit. Each test has new members, and asks for the last one. */
const counted = (limit: string) =>
  world.db.selectFrom('rate_limits').select('points').where('key', 'like', `${limit}:%`).execute()

const setCounts = (limit: string, points: number) =>
  world.db.updateTable('rate_limits').set({ points }).where('key', 'like', `${limit}:%`).execute()

const budgets: [name: string, limit: string, points: number, sentence: string][] = [
  ['files', 'photos', limits.photos.uploadsPerDay, imageMessages.tooManyPerDay],
  [
    'bytes',
    'photo kilobytes',
    limits.photos.uploadedMegabytesPerDay * 1024,
    imageMessages.tooManyMegabytesPerDay,
  ],
  [
    'decoding time',
    'photo decoding',
    limits.photos.decodingSecondsPerDay * 1000 + 1,
    imageMessages.tooMuchDecodingPerDay,
  ],
]

test('every endpoint with a file is an upload of a member, one of them an operator', async () => {
  const withFile = (await allEndpoints()).filter((endpoint) => endpoint.file !== undefined)
  expect(withFile).toEqual(uploadEndpoints)
  expect(uploadEndpoints.map(({ auth }) => auth)).toEqual(
    uploadEndpoints.map((endpoint) => (endpoint === saveSiteLogo ? 'operator' : 'member')),
  )
  expect(uploadEndpoints.length).toBeGreaterThan(3)
})

test('a photo that comes as text is refused, and nothing is stored', async () => {
  const [ann] = await world.uniqueMembers('ann')
  const form = new FormData()
  for (const [name, value] of Object.entries({ title: 'Kale', type_id: '3', image: 'a photo' }))
    form.set(name, value)
  const json = JSON.stringify({ title: 'Kale', type_id: types.giveaway, image: 'a photo' })
  for (const [body, headers] of [
    [form, {}],
    [json, { 'content-type': 'application/json' }],
  ] as const)
    expect(await ann.send('POST', '/api/listings', { body, headers })).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'image', message: errorMessages.photoAsText }] },
    })
  expect(await ann.call(listListings, { query: { mine: true } })).toEqual([])
})

test.each(
  uploadEndpoints.flatMap((endpoint) =>
    budgets.map(([name, limit, points, sentence]) => ({
      name: `${endpoint.method} ${endpoint.path}`,
      budget: name,
      endpoint,
      limit,
      points,
      sentence,
    })),
  ),
)(
  '$name answers 429 when the limit of $budget a day is reached',
  async ({ endpoint, limit, points, sentence }) => {
    const [ann] = await world.uniqueMembers('ann')
    if (endpoint === saveSiteLogo) await admin(world, 'grant', ann.username, 'operator')
    expect([200, 201]).toContain((await uploadTo(endpoint, ann)).status)
    await expect.poll(async () => (await counted(limit)).length).toBeGreaterThan(0)
    await world.db.deleteFrom('rate_limits').where('key', 'not like', `${limit}:%`).execute()
    await setCounts(limit, points)

    const refused = await uploadTo(endpoint, ann)

    expect(refused.status).toBe(429)
    expect(refused.body).toMatchObject({ detail: `${sentence}. Please try again in 24 hours.` })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(80_000)
  },
)

test('counts the bytes of a body and the decoding time, also of a refused photo', async () => {
  const [bob] = await world.uniqueMembers('bob')
  await world.db.deleteFrom('rate_limits').execute()
  const broken = blob(Buffer.concat([Buffer.from('ffd8ff', 'hex'), Buffer.alloc(300 * 1024, 'beans')]))

  expect((await bob.try(uploadImage, { body: {}, file: broken })).status).toBe(415)

  const [kilobytes] = await counted('photo kilobytes')
  expect(kilobytes?.points).toBeGreaterThanOrEqual(300)
  expect(kilobytes?.points).toBeLessThan(320)
  await expect.poll(async () => (await counted('photo decoding'))[0]?.points).toBeGreaterThan(0)
})

test('counts a body without a length as the largest', async () => {
  const [cas] = await world.uniqueMembers('cas')
  await world.db.deleteFrom('rate_limits').execute()
  const form = await new Response(new FormData()).blob()

  const { status } = await fetch(`${world.url}${apiBase}${uploadImage.path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${cas.token}`, 'content-type': form.type },
    body: form.stream(),
    duplex: 'half',
  } as RequestInit)

  expect(status).toBe(422)
  expect(await counted('photo kilobytes')).toEqual([{ points: (4 * image.accepted.maxBytes) / 1024 }])
})

const uploadedFiles = async () =>
  (await readdir(temporary)).filter((name) => name.startsWith('rhubarb-upload-'))

/** Starts to upload a photo. Its last bytes are sent by `finish`, which returns the status. */
async function startUpload(member: Actor) {
  const { hostname, port } = new URL(world.url)
  const body = Buffer.concat([
    Buffer.from('--fence\r\nContent-Disposition: form-data; name="image"; filename="a.jpg"\r\n\r\n'),
    Buffer.from(await file.arrayBuffer()),
    Buffer.from('\r\n--fence--\r\n'),
  ])
  const socket = connect({ host: hostname, port: Number(port) })
  socket.write(
    `POST ${apiBase}${uploadImage.path} HTTP/1.1\r\nHost: ${hostname}\r\nConnection: close\r\nContent-Length: ${body.length}\r\n` +
      `Authorization: Bearer ${member.token}\r\nContent-Type: multipart/form-data; boundary=fence\r\n\r\n`,
  )
  socket.write(body.subarray(0, -20))
  return {
    leave: () => socket.destroy(),
    async finish() {
      socket.write(body.subarray(-20))
      const response = await text(socket).catch(() => '')
      return Number(response.split(' ')[1])
    },
  }
}

test('refuses uploads before it reads them while 10 of the member or 100 of all are under way', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  const others = await world.uniqueMembers(...Array.from({ length: 9 }, (_, index) => `member${index}`))
  const upload = (member: Actor = bob) => member.try(uploadImage, { body: {}, file })
  const startTen = (member: Actor) =>
    Promise.all(Array.from({ length: limits.photos.uploadsAtATime }, () => startUpload(member)))
  const started = await startTen(ann)
  await expect.poll(uploadedFiles).toHaveLength(10)

  const refused = await upload(ann)
  expect(refused).toMatchObject({ status: 429, body: { detail: imageMessages.tooManyAtATime } })
  expect(refused.headers.get('retry-after')).toBe('1')
  expect((await upload()).status).toBe(201)

  started.push(...(await Promise.all(others.map(startTen))).flat())
  await expect.poll(uploadedFiles).toHaveLength(100)
  const full = await upload()
  expect([full.status, full.headers.get('retry-after')]).toEqual([503, '10'])

  expect(await started[0]?.finish()).toBe(201)
  for (const { leave } of started) leave()
  await expect.poll(uploadedFiles).toEqual([])
  expect([(await upload(ann)).status, (await upload()).status]).toEqual([201, 201])
})

test('deletes the files of clients that have left at once and decodes none of them', async () => {
  const [dee] = await world.uniqueMembers('dee')
  const operator = new pg.Client(world.databaseUrl)
  await operator.connect()
  // Four uploads wait for the table, the others for their turn.
  await operator.query('begin; lock table images in access exclusive mode')
  await world.db.deleteFrom('rate_limits').execute()
  const uploads = await Promise.all(Array.from({ length: 10 }, () => startUpload(dee)))
  const answered = Promise.all(uploads.map(({ finish }) => finish()))
  await expect.poll(() => world.waitingForLocks()).toBe(4)
  await expect.poll(uploadedFiles).toHaveLength(10)

  for (const { leave } of uploads) leave()
  await answered
  await expect.poll(uploadedFiles).toHaveLength(4)
  await operator.end()
  await expect.poll(uploadedFiles).toEqual([])

  expect(await world.db.selectFrom('images').select('id').where('owner_id', '=', dee.id).execute()).toEqual(
    [],
  )
  expect(await counted('photo decoding')).toEqual([{ points: 0 }])
})
