import { afterAll, expect, test } from 'vitest'
import { logIn, logOut } from '#contract/auth.ts'
import { types } from '#contract/constants.ts'
import { removeFriend } from '#contract/friends.ts'
import { createListing, type Listing, setVisibility } from '#contract/listings.ts'
import { blockMember } from '#contract/members.ts'
import type { Actor } from '#test/actor.ts'
import { photo } from '#test/pictures.ts'
import { newWorld } from '#test/world.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())
const [ann, friend, former, stranger, blocked] = await world.members(
  'ann',
  'friend',
  'former',
  'stranger',
  'blocked',
)
await world.befriend(ann, friend)
await world.befriend(ann, former)
await former.call(removeFriend, { params: { id: ann.id } })
await ann.call(blockMember, { params: { id: blocked.id } })
const guest = world.guest()
const file = await photo({ width: 300, height: 200 })

const post = (changes: Partial<Listing> = {}) =>
  ann.call(createListing, { body: { title: 'Pumpkin', type_id: types.giveaway, ...changes }, file })
const srcOf = ({ images: [first] }: Listing) => first?.src ?? ''

/** Returns the statuses of a photo for each member. The access table has those of guests. */
async function statusesOf(src: string) {
  const callers: [string, Actor][] = Object.entries({ stranger, former, blocked, friend, ann })
  const statuses = await Promise.all(
    callers.map(async ([name, caller]) => [name, (await caller.send('GET', src)).status] as const),
  )
  return Object.fromEntries(statuses)
}
const everybody = { stranger: 200, former: 200, blocked: 200, friend: 200, ann: 200 }
const onlyAnn = { stranger: 404, former: 404, blocked: 404, friend: 404, ann: 200 }

test('serves a photo to friends only while its listing is friends-only', async () => {
  const listing = await post()
  const [src, { id }] = [srcOf(listing), listing]
  await ann.call(setVisibility, { params: { id }, body: { is_public: false } })
  expect(await statusesOf(src)).toEqual({ ...onlyAnn, friend: 200 })
  await ann.call(setVisibility, { params: { id }, body: { is_public: true } })
  expect(await statusesOf(src)).toEqual(everybody)
})

test('serves a photo to its owner only once the operator hides its listing', async () => {
  const listing = await post()
  await world.hide(listing.id)
  expect(await statusesOf(srcOf(listing))).toEqual(onlyAnn)
})

test('serves no photo of a suspended member', async () => {
  const [eve] = await world.members('eve')
  const listing = await eve.call(createListing, { body: { title: 'Pumpkin', type_id: types.giveaway }, file })
  await world.suspend(eve)
  expect(await statusesOf(srcOf(listing))).toEqual({ ...onlyAnn, ann: 404 })
})

test('serves every size and form of a photo by the same rule', async () => {
  const { image } = await post({ is_public: false })
  const sizes = (image?.srcset ?? '').split(', ').map((size) => size.split(' ')[0] ?? '')
  for (const size of [...sizes, ...sizes.map((name) => name.replace('.webp', '.jpg'))]) {
    expect([size, await statusesOf(size)]).toEqual([size, { ...onlyAnn, friend: 200 }])
  }
})

test('accepts the cookie of pages for photos, but no ended session', async () => {
  const src = srcOf(await post({ is_public: false }))
  const body = { username: friend.email, password: friend.password }
  const { access_token } = await friend.call(logIn, { body })
  const withCookie = async (token = '') => {
    const cookie = `login=${token}; __Host-login=${token}`
    return (await guest.send('GET', src, { headers: { cookie } })).status
  }
  expect(await withCookie(access_token)).toBe(200)
  expect(await withCookie(stranger.token)).toBe(404)
  expect(await withCookie('A'.repeat(43))).toBe(401)

  const leaving = world.guest()
  leaving.token = access_token
  await leaving.call(logOut)
  expect(await withCookie(access_token)).toBe(401)
})

test('lets browsers keep a public photo and makes them revalidate others', async () => {
  const read = (src: string, headers = {}) => friend.send('GET', src, { headers })
  const shown = await read(srcOf(await post()))
  expect(shown.headers.get('cache-control')).toBe('private, max-age=31536000, immutable')
  const src = srcOf(await post({ is_public: false }))
  const first = await read(src)
  expect(first.headers.get('cache-control')).toBe('private, no-cache')
  const etag = first.headers.get('etag') ?? ''
  const again = await read(src, { 'if-none-match': etag })
  expect([again.status, again.headers.get('cache-control')]).toEqual([304, 'private, no-cache'])
  expect((await guest.send('GET', src, { headers: { 'if-none-match': etag } })).status).toBe(401)
})
