import { mkdtempDisposable, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { getProfile, logIn } from '#contract/auth.ts'
import { limits, states } from '#contract/constants.ts'
import { listListings } from '#contract/listing-queries.ts'
import { countUnreadMessages, listMessages, listThreads } from '#contract/messages.ts'
import { listTrades, tradeKinds, tradeStates } from '#contract/trades.ts'
import { listCropSeasons, listWants } from '#contract/wants.ts'
import { countCropWeekJob } from '#server/features/nearby-wants/jobs.ts'
import { reindexWants } from '#server/features/wants/jobs.ts'
import { createDecoderPool } from '#server/platform/images/decoder-pool.ts'
import { createDiskStorage } from '#server/platform/images/disk-storage.ts'
import { createImages } from '#server/platform/images/images.ts'
import { plain } from '#test/image-fixture.ts'
import { newWorld, type World } from '#test/world.ts'
import { conversations } from './conversations.ts'
import { demoLogin, fillWithDemo } from './fill.ts'
import { listings } from './listings.ts'
import { members, visitor } from './members.ts'
import { listingPictures, messagePictures } from './rows.ts'

/** Six listings for tests that do not need the whole market, because storing photos is slow. */
const fewListings = [...listings.slice(0, 5), ...listings.filter(({ morePhotos }) => morePhotos).slice(0, 1)]
const decoders = createDecoderPool()
afterAll(() => decoders.stop())

const portraits = members.filter((member) => 'portrait' in member)
const pictureCount =
  fewListings.flatMap(listingPictures).length + messagePictures.flat().length + portraits.length
/** All listings, but only every twelfth with its photo. */
const allListings = listings.map(({ photo, ...listing }, index) =>
  photo && index % 12 === 0 ? { ...listing, photo } : listing,
)

const folder = await mkdtempDisposable(join(tmpdir(), 'rhubarb-demo-'))
afterAll(() => folder.remove())
const smallPicture = join(folder.path, 'small.webp')
await plain(60, 40).webp().toFile(smallPicture)

/** Returns the dependencies of the demo data. Photos go to the server's folder. `beforeLast` is awaited before the last photo. */
function fillable({ db, dataDir }: Pick<World, 'db' | 'dataDir'>, beforeLast?: () => Promise<void>) {
  const images = createImages({ storage: createDiskStorage(join(dataDir, 'images')), decoders })
  let toStore = pictureCount
  const store: typeof images.store = async (...picture) => {
    toStore -= 1
    if (toStore === 0) await beforeLast?.()
    return images.store(...picture)
  }
  return { db, images: { ...images, store } }
}

/** Returns the same, but stores a small picture instead of each photo. */
function quicklyFillable(...parameters: Parameters<typeof fillable>) {
  const { db, images } = fillable(...parameters)
  const store: typeof images.store = (_, ...more) => images.store(smallPicture, ...more)
  return { db, images: { ...images, store } }
}

/** Returns a barrier that resolves when it has been called `count` times. */
function barrier(count: number): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  let calls = 0
  return () => {
    calls += 1
    if (calls === count) resolve()
    return promise
  }
}

async function rowsOf({ db }: Pick<World, 'db'>) {
  const count = async (table: 'users' | 'listings' | 'images' | 'friendships') => {
    const { rows } = await db
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<number>().as('rows'))
      .executeTakeFirstOrThrow()
    return rows
  }
  return {
    users: await count('users'),
    listings: await count('listings'),
    images: await count('images'),
    friendships: await count('friendships'),
  }
}

const filesOf = async ({ dataDir }: Pick<World, 'dataDir'>) =>
  (await readdir(join(dataDir, 'images'), { recursive: true, withFileTypes: true }).catch(() => [])).filter(
    (entry) => entry.isFile(),
  )

test('concurrent fills store the demo data once, with its photos', async () => {
  await using world = await newWorld()

  const bothStored = barrier(2)
  const first = fillable(world, bothStored)
  const second = quicklyFillable(world, bothStored)
  const filled = await Promise.all([fillWithDemo(first, fewListings), fillWithDemo(second, fewListings)])

  expect(filled.toSorted()).toEqual([false, true])
  const rows = await rowsOf(world)
  expect(rows).toMatchObject({ users: members.length, listings: fewListings.length })
  const photosOf = await world.db
    .selectFrom('images')
    .innerJoin('listings', 'listings.id', 'images.listing_id')
    .select(['listings.title', ({ fn }) => fn.countAll<number>().as('photos')])
    .groupBy('listings.title')
    .execute()
  expect(new Map(photosOf.map(({ title, photos }) => [title, photos]))).toEqual(
    new Map(fewListings.flatMap((each) => (each.photo ? [[each.title, listingPictures(each).length]] : []))),
  )
  const { renditions } = await world.db
    .selectFrom('images')
    .select(sql<number>`sum(cardinality(widths))::int`.as('renditions'))
    .executeTakeFirstOrThrow()
  expect(await filesOf(world)).toHaveLength(renditions)
  expect(await fillWithDemo(fillable(world), fewListings)).toBe(false)
  expect(await rowsOf(world)).toEqual(rows)
})

describe('a database that is not filled', async () => {
  const world = await newWorld()
  afterAll(() => world[Symbol.asyncDispose]())

  test('stays empty if a photo can not be stored', async () => {
    const diskFull = async () => {
      throw new Error('The disk is full')
    }

    await expect(fillWithDemo(quicklyFillable(world, diskFull), fewListings)).rejects.toThrow(
      'The disk is full',
    )
    expect(await rowsOf(world)).toEqual({ users: 0, listings: 0, images: 0, friendships: 0 })
    expect(await filesOf(world)).toEqual([])
  })

  test('keeps a member who registers while the photos are stored', async () => {
    const joined = async () => void (await world.members('ann'))

    expect(await fillWithDemo(quicklyFillable(world, joined), fewListings)).toBe(false)
    expect(await rowsOf(world)).toEqual({ users: 1, listings: 0, images: 0, friendships: 0 })
    expect(await filesOf(world)).toEqual([])
  })

  test('has a member already', async () => {
    expect(await fillWithDemo(fillable(world))).toBe(false)
    expect(await rowsOf(world)).toEqual({ users: 1, listings: 0, images: 0, friendships: 0 })
    expect(await filesOf(world)).toEqual([])
    expect(await demoLogin(world)).toBeUndefined()
  })
})

describe('the visitor', async () => {
  const world = await newWorld()
  afterAll(() => world[Symbol.asyncDispose]())
  await fillWithDemo(quicklyFillable(world), allListings)
  const { email = '', password = '' } = (await demoLogin(world)) ?? {}
  const marta = world.guest()
  const { access_token } = await marta.call(logIn, { body: { username: email, password } })
  marta.token = access_token

  test('logs in with the printed password and sees the profile', async () => {
    expect(await marta.call(getProfile)).toMatchObject({
      username: visitor.username,
      city: 'Portland',
      friend_count: 10,
      profile_picture: expect.stringMatching(/^images\//),
    })
  })

  test('has listings of every kind, wants and trades', async () => {
    const mine = await marta.call(listListings, { query: { mine: 'true' } })
    expect(new Set(mine.map(({ type_id }) => type_id))).toEqual(new Set([1, 2, 3]))
    expect(new Set(mine.map(({ category_id }) => category_id))).toEqual(new Set([1, 2, 3, null]))
    expect(mine.some(({ is_public }) => !is_public)).toBe(true)
    expect(mine.some(({ is_active }) => !is_active)).toBe(true)

    expect(new Set(mine.map(({ state_id }) => state_id))).toEqual(new Set(Object.values(states)))
    const ended = mine.filter(({ is_expired }) => is_expired)
    expect(ended.map(({ title }) => title)).toEqual(['Chilies, three kinds'])
    const soon = Date.now() + 2 * 24 * 60 * 60 * 1000
    expect(
      mine.filter(({ expires_at, is_expired }) => !is_expired && Date.parse(expires_at) < soon),
    ).toMatchObject([{ title: 'Lacinato kale, by the bunch' }])
    const wants = await marta.call(listWants, { query: {} })
    expect(wants.map(({ title }) => title)).toContain('Meyer lemons')

    const traded = await marta.call(listTrades, { query: {} })
    expect(new Set(traded.map(({ state }) => state))).toEqual(new Set(tradeStates))
    expect(new Set(traded.map(({ kind }) => kind))).toEqual(new Set(tradeKinds))
    const requested = traded.filter(({ state }) => state === 'requested')
    const endedIds = new Set(ended.map(({ id }) => id))
    expect(requested.filter(({ legs }) => legs.some(({ listing }) => endedIds.has(listing.id)))).toEqual([])
  })

  test('sees a season of what is wanted, which ends with the wants of this week', async () => {
    const seasons = await marta.call(listCropSeasons, { query: {} })
    expect(seasons).toHaveLength(limits.cropSeason.crops)
    const unmet = seasons.flatMap(({ weeks }) => weeks.map(({ wanted, met }) => wanted - met))
    expect(unmet).toContain(0)
    await world.runJob(reindexWants)
    await world.runJob(countCropWeekJob)
    expect(await marta.call(listCropSeasons, { query: {} })).toEqual(seasons)
  })

  test('has read and unread messages', async () => {
    const threads = await marta.call(listThreads, { query: {} })
    expect(threads.map(({ user, unread_count }) => [user?.username, unread_count])).toEqual(
      conversations.map(({ partner, unread }) => [partner, unread]),
    )
    expect(await marta.call(countUnreadMessages)).toBe(4)
    const talk = await marta.call(listMessages, { params: { id: threads[0]?.user_id ?? 0 }, query: {} })
    expect(talk.map(({ content }) => content)).toEqual(
      conversations[0]?.messages.map(([, , content]) => content),
    )
    expect(talk.map(({ is_read }) => is_read)).toEqual([true, true, false, false])
    expect(talk.map(({ images }) => images.length)).toEqual([2, 0, 0, 0])
  })

  test('sees a market of neighbors, newest first', async () => {
    const market = await marta.call(listListings, { query: { public: 'true', limit: 100 } })
    expect(market).toHaveLength(100)
    const neighbor = await marta.call(listWants, { query: { user_id: market[0]?.owner_id ?? 0 } })
    expect(neighbor.length).toBeGreaterThan(0)
    expect(market[0]?.title).toBe(listings[0]?.title)
    const moments = market.map(({ created_at }) => created_at)
    expect(moments).toEqual(moments.toSorted().reverse())
    const nearby = await marta.call(listListings, { query: { public: 'true', near: '5', limit: 100 } })
    const ofOthers = nearby.filter(({ owner_username }) => owner_username !== 'marta_grows')
    expect(new Set(ofOthers.map(({ within_miles }) => within_miles))).toEqual(new Set([5]))
    expect(market.some(({ image }) => image === null)).toBe(true)
    const [photo] = market.flatMap(({ featured_image }) => featured_image ?? [])
    expect((await marta.send('GET', `/api/${photo}`)).headers.get('content-type')).toBe('image/webp')
  })
})
