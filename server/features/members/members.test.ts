import { expect, test } from 'vitest'
import { uploadProfileImage } from '#contract/auth.ts'
import { createListing, getListing } from '#contract/listings.ts'
import { blockMember, getPublicMember, listBlocks, searchMembers, unblockMember } from '#contract/members.ts'
import { getPreferences, updatePreferences } from '#contract/profile.ts'
import { newWorld } from '#test/world.ts'

const names = (members: readonly { username: string }[]) => members.map(({ username }) => username)

test('members are found by username: the same first, then those that start with it, then those that hold it', async () => {
  await using world = await newWorld()
  const [ann] = await world.members('ann', 'my_kale', 'Kale', 'kale_and_co', 'turnip')
  expect(names(await ann.call(searchMembers, { query: { q: 'KALE' } }))).toEqual([
    'Kale',
    'kale_and_co',
    'my_kale',
  ])
  expect(names(await ann.call(searchMembers, { query: { q: 'ann' } }))).toEqual([])
  expect(names(await ann.call(searchMembers, { query: { q: '__' } }))).toEqual([])
  expect(names(await ann.call(searchMembers, { query: { q: '%a' } }))).toEqual([])
  const short = await ann.try(searchMembers, { query: { q: 'k' } })
  expect([short.status, short.body.detail]).toEqual([422, 'Please type at least 2 characters'])
})

test('without words come those of the same postcode, then those of the same city, never more than 20', async () => {
  await using world = await newWorld()
  const [ann, bob, cat, dan] = await world.members('ann', 'bob', 'cat', 'dan')
  const live = { city: 'Portland', state: 'OR', postcode: '97214' }
  await ann.call(uploadProfileImage, { body: live })
  await bob.call(uploadProfileImage, { body: { ...live, city: 'portland', postcode: '97202' } })
  await cat.call(uploadProfileImage, { body: live })
  await dan.call(uploadProfileImage, { body: { city: 'Boston', state: 'MA', postcode: '02108' } })
  expect(names(await ann.call(searchMembers, { query: {} }))).toEqual(['cat', 'bob'])
})

test('what is found of a member is their public shape', async () => {
  await using world = await newWorld()
  const [ann] = await world.members('ann', 'bob')
  const [bob] = await ann.call(searchMembers, { query: { q: 'bob' } })
  expect(Object.keys(bob ?? {}).sort()).toEqual(
    ['city', 'friend_count', 'id', 'profile_picture', 'state', 'username', 'zip_code'].sort(),
  )
})

test('a block ends the friendship, hides what is for friends, and is told to nobody', async () => {
  await using world = await newWorld()
  const [ann, bob] = await world.members('ann', 'bob')
  await world.befriend(ann, bob)
  const kale = await ann.call(createListing, { body: { title: 'Kale', price: 2, is_public: false } })
  expect((await bob.try(getListing, { params: { id: kale.id } })).status).toBe(200)

  const jobs = await world.db.selectFrom('users').select('id').execute()
  expect((await ann.try(blockMember, { params: { id: bob.id } })).status).toBe(204)
  expect((await ann.try(blockMember, { params: { id: bob.id } })).status).toBe(204)
  expect(jobs).toHaveLength(2)
  expect((await bob.try(getListing, { params: { id: kale.id } })).status).toBe(404)
  expect(await ann.call(getPublicMember, { params: { id: bob.id } })).toMatchObject({ friend_count: 0 })
  expect(names(await ann.call(listBlocks))).toEqual(['bob'])
  expect(await bob.call(listBlocks)).toEqual([])

  expect((await ann.try(unblockMember, { params: { id: bob.id } })).status).toBe(204)
  expect((await ann.try(unblockMember, { params: { id: bob.id } })).status).toBe(404)
})

test('one can block neither oneself nor nobody', async () => {
  await using world = await newWorld()
  const [ann] = await world.members('ann')
  const self = await ann.try(blockMember, { params: { id: ann.id } })
  expect([self.status, self.body.detail]).toEqual([422, 'You can not block yourself'])
  const nobody = await ann.try(blockMember, { params: { id: 999_999 } })
  expect([nobody.status, nobody.body.detail]).toEqual([404, 'User not found'])
})

test('preferences change by what is sent', async () => {
  await using world = await newWorld()
  const [ann] = await world.members('ann')
  expect(await ann.call(getPreferences)).toEqual({
    mail_matches: 'at_once',
    mail_unread: true,
    match_radius: null,
  })
  await ann.call(updatePreferences, { body: { mail_matches: 'daily', match_radius: 25 } })
  expect(await ann.call(updatePreferences, { body: { mail_unread: false } })).toEqual({
    mail_matches: 'daily',
    mail_unread: false,
    match_radius: 25,
  })
  const wrong = await ann.try(updatePreferences, { body: { match_radius: 0 } })
  expect([wrong.status, wrong.body.detail]).toEqual([422, 'Please choose a radius from 1 to 500 miles'])
})

test('guests can neither search, block, nor see preferences', async () => {
  await using world = await newWorld()
  const [ann] = await world.members('ann')
  for (const [method, path] of [
    ['GET', '/api/auth/users?q=ann'],
    ['GET', '/api/auth/blocks'],
    ['POST', `/api/auth/blocks/${ann.id}`],
    ['DELETE', `/api/auth/blocks/${ann.id}`],
    ['GET', '/api/auth/preferences'],
    ['PUT', '/api/auth/preferences'],
  ] as const) {
    expect([path, (await world.guest().send(method, path)).status]).toEqual([path, 401])
  }
})
