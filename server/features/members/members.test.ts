import { afterAll, expect, test } from 'vitest'
import { getProfile, uploadProfileImage } from '#contract/auth.ts'
import { createListing, getListing } from '#contract/listings.ts'
import { blockMember, getPublicMember, listBlocks, searchMembers, unblockMember } from '#contract/members.ts'
import { listThreads, sendMessage } from '#contract/messages.ts'
import { getPreferences, updatePreferences, updateProfile } from '#contract/profile.ts'
import { json } from '#test/actor.ts'
import { newWorld } from '#test/world.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())

const names = (members: readonly { username: string }[]) => members.map(({ username }) => username)

test('searches by username: exact matches first, then prefixes, then other parts', async () => {
  const [ann] = await world.members('solitary', 'my_kale', 'Kale', 'kale_and_co', 'turnip')
  expect(names(await ann.call(searchMembers, { query: { q: 'KALE' } }))).toEqual([
    'Kale',
    'kale_and_co',
    'my_kale',
  ])
  expect(names(await ann.call(searchMembers, { query: { q: 'solitary' } }))).toEqual([])
  expect(names(await ann.call(searchMembers, { query: { q: '__' } }))).toEqual([])
  expect(names(await ann.call(searchMembers, { query: { q: '%a' } }))).toEqual([])
  for (const [q, message] of [
    ['k', 'Please type at least 2 characters'],
    ['k'.repeat(101), 'Please type at most 100 characters'],
  ] as const) {
    const refused = await ann.try(searchMembers, { query: { q } })
    expect([refused.status, refused.body.detail]).toEqual([422, message])
  }
  expect(names(await ann.call(searchMembers, { query: { q: 'k'.repeat(100) } }))).toEqual([])
})

test('without a query lists members of the same postal code, then of the same city', async () => {
  const [ann, bob, cat, dan, eve] = await world.uniqueMembers('ann', 'bob', 'cat', 'dan', 'eve')
  const portland = { city: 'Portland', state: 'OR', postcode: '97214' }
  await ann.call(uploadProfileImage, { body: portland })
  await bob.call(uploadProfileImage, { body: { ...portland, city: 'portland', postcode: '97202' } })
  await cat.call(uploadProfileImage, { body: portland })
  await dan.call(uploadProfileImage, { body: { city: 'Boston', state: 'MA', postcode: '02108' } })
  await eve.call(uploadProfileImage, { body: { city: 'Portland', state: 'ME', postcode: '04101' } })
  expect(names(await ann.call(searchMembers, { query: {} }))).toEqual([cat.username, bob.username])
})

test('finds at most 20 members and no suspended ones', async () => {
  await using world = await newWorld()
  const [ann] = await world.members('ann')
  await ann.call(uploadProfileImage, { body: { city: 'Portland', state: 'OR', postcode: '97214' } })
  const crowd = Array.from({ length: 60 }, (_, number) => ({
    username: `gardener_${number}`,
    first_name: 'Some',
    last_name: 'Gardener',
    email: `gardener_${number}@example.com`,
    password_hash: 'none',
    city: 'Portland',
    state: 'OR',
    // 15 have the same postal code, the others the same city.
    zip_code: number < 15 ? '97214' : '97202',
  }))
  await world.db.insertInto('users').values(crowd).execute()
  const byName = () => ann.call(searchMembers, { query: { q: 'gardener' } })
  const nearby = () => ann.call(searchMembers, { query: {} })
  expect([await byName(), await nearby()].map(({ length }) => length)).toEqual([20, 20])
  await world.db.updateTable('users').set({ zip_code: '97214' }).where('zip_code', '=', '97202').execute()
  expect(await nearby()).toHaveLength(20)

  await world.db
    .updateTable('users')
    .set({ suspended_at: new Date().toISOString() })
    .where('username', 'like', 'gardener%')
    .where('username', 'not in', ['gardener_14', 'gardener_59'])
    .execute()
  expect(names(await byName())).toEqual(['gardener_14', 'gardener_59'])
  expect(names(await nearby())).toEqual(['gardener_14', 'gardener_59'])
  await world.db.updateTable('users').set({ zip_code: '97202' }).where('username', '<>', 'ann').execute()
  expect(names(await nearby())).toEqual(['gardener_14', 'gardener_59'])
})

test('search results have the fields of the public profile', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  const [result] = await ann.call(searchMembers, { query: { q: bob.username } })
  const shape = [
    'city',
    'friend_count',
    'given_count',
    'id',
    'profile_picture',
    'received_count',
    'state',
    'username',
    'zip_code',
  ]
  expect(Object.keys(result ?? {}).sort()).toEqual(shape)
  const own = await ann.call(getPublicMember, { params: { id: bob.id } })
  expect(Object.keys(own).sort()).toEqual(shape)
})

test('a block ends the friendship, hides friends-only listings and sends no mail', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  await world.befriend(ann, bob)
  const kale = await ann.call(createListing, { body: { title: 'Kale', price: 2, is_public: false } })
  expect((await bob.try(getListing, { params: { id: kale.id } })).status).toBe(200)

  await world.jobsDone()
  const mails = world.mails.length
  expect((await ann.try(blockMember, { params: { id: bob.id } })).status).toBe(204)
  expect((await ann.try(blockMember, { params: { id: bob.id } })).status).toBe(204)
  await world.jobsDone()
  expect(world.mails).toHaveLength(mails)
  expect((await bob.try(getListing, { params: { id: kale.id } })).status).toBe(404)
  expect(await ann.call(getPublicMember, { params: { id: bob.id } })).toMatchObject({ friend_count: 0 })
  expect(names(await ann.call(listBlocks))).toEqual([bob.username])
  expect(await bob.call(listBlocks)).toEqual([])

  expect((await bob.try(unblockMember, { params: { id: ann.id } })).status).toBe(404)
  expect(names(await ann.call(listBlocks))).toEqual([bob.username])
  expect((await ann.try(unblockMember, { params: { id: bob.id } })).status).toBe(204)
  expect((await ann.try(unblockMember, { params: { id: bob.id } })).status).toBe(404)
})

test('shows others only five digits of a ZIP code, also in the order of neighbors', async () => {
  const [ann, bob, cas] = await world.uniqueMembers('ann', 'bob', 'cas')
  await ann.call(updateProfile, { body: { zip_code: '98101-1234' } })
  await bob.call(updateProfile, { body: { zip_code: '981015678' } })
  await cas.call(updateProfile, { body: { zip_code: '98101-5678' } })
  expect((await ann.call(getProfile)).zip_code).toBe('98101-1234')
  const id = { params: { id: ann.id } }
  expect((await cas.call(getPublicMember, id)).zip_code).toBe('98101')
  expect(await cas.call(searchMembers, { query: { q: ann.username } })).toMatchObject([{ zip_code: '98101' }])
  const near = await cas.call(searchMembers, { query: {} })
  expect(near.map((member) => [member.username, member.zip_code])).toEqual([
    [ann.username, '98101'],
    [bob.username, '98101'],
  ])
  await ann.call(sendMessage, { body: { receiver_id: cas.id, content: 'Hello' } })
  expect((await cas.call(listThreads, { query: {} }))[0]?.user?.zip_code).toBe('98101')
})

test('refuses names that imitate the operator, are invisible or change the text direction', async () => {
  const [ann] = await world.uniqueMembers('ann')
  const reserved = 'This username is reserved. Please choose another one'
  const bidirectional = 'Please remove characters that change the direction of text'
  const imitations = [
    'Rhubarb_Support',
    'rhubarb',
    '4dm1n',
    'Admin_2',
    'M0derator',
    'official_ann',
    'ROOT',
    'sys_tem',
  ]
  for (const [fields, message] of [
    ...imitations.map((username) => [{ username }, reserved] as const),
    [{ first_name: '\u200b\u2060\ufe0f' }, 'First name is required'],
    [{ last_name: '\u3164' }, 'Last name is required'],
    [{ city: 'Port\u202eland' }, bidirectional],
  ] as const) {
    const refused = await ann.send('PUT', '/api/auth/profile', json(fields))
    expect([fields, refused.status, refused.body.detail]).toEqual([fields, 422, message])
  }
  for (const username of ['root_vegetable', 'moderate_mo', 'supporter', 'teamwork'])
    expect(await ann.call(updateProfile, { body: { username } })).toMatchObject({ username })
  const listing = (body: object) => ann.send('POST', '/api/listings/', json({ price: 1, ...body }))
  for (const body of [
    { title: '\u200b\u200b\u200b' },
    { title: '\u2800\u2800\u2800' },
    { title: 'Figs\u2066!' },
    { title: 'Figs', description: 'Ripe\u202d' },
  ])
    expect([body, (await listing(body)).status]).toEqual([body, 422])
  expect((await listing({ title: 'Figs ❤️ תאנים' })).status).toBe(201)
})

test('changes only the preferences that are sent, for the caller only', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  const defaults = {
    mail_matches: 'at_once',
    mail_unread: true,
    mail_listings: true,
    mail_trades: true,
    match_radius: 25,
    time_zone: null,
  }
  expect(await ann.call(getPreferences)).toEqual(defaults)
  await ann.call(updatePreferences, { body: { mail_matches: 'daily', match_radius: 10 } })
  expect(await ann.call(updatePreferences, { body: { mail_unread: false } })).toEqual({
    mail_matches: 'daily',
    mail_unread: false,
    mail_listings: true,
    mail_trades: true,
    match_radius: 10,
    time_zone: null,
  })
  expect(await bob.call(getPreferences)).toEqual(defaults)

  const jobs = await world.jobsOf('match-member')
  await ann.call(updatePreferences, { body: { match_radius: 10 } })
  expect(await world.jobsOf('match-member')).toHaveLength(jobs.length)
})

test('refuses invalid preferences and ignores other fields', async () => {
  const [ann] = await world.uniqueMembers('ann')
  const row = () =>
    world.db.selectFrom('users').selectAll().where('id', '=', ann.id).executeTakeFirstOrThrow()
  const before = await row()
  const radius = 'Please choose a radius from 1 to 500'
  for (const [invalid, message] of [
    [{ match_radius: 0 }, radius],
    [{ match_radius: 501 }, radius],
    [{ match_radius: '25' }, radius],
    [{ mail_matches: 'weekly' }, 'Please choose at_once, daily or never'],
    [{ mail_unread: 'no' }, 'Please say whether unread messages are mailed'],
    [{ mail_listings: 1 }, 'Please say whether the end of listings is mailed'],
  ] as const) {
    const refused = await ann.send('PUT', '/api/auth/preferences', json(invalid))
    expect([refused.status, refused.body.detail]).toEqual([422, message])
  }
  const otherFields = { email_confirmed_at: '2026-01-01', username: 'root', password_hash: 'x', id: 9 }
  expect((await ann.send('PUT', '/api/auth/preferences', json(otherFields))).status).toBe(200)
  expect(await row()).toEqual(before)
  for (const time_zone of ['', 'Mars/Olympus', '../etc/passwd', 'x'.repeat(101), 7])
    expect((await ann.send('PUT', '/api/auth/preferences', json({ time_zone }))).status).toBe(422)
  for (const time_zone of ['America/Los_Angeles', 'UTC', null])
    expect(await ann.call(updatePreferences, { body: { time_zone } })).toMatchObject({ time_zone })
  // 25 kilometres are no whole number of miles.
  for (const match_radius of [1, 15.534, 500, null]) {
    expect(await ann.call(updatePreferences, { body: { match_radius } })).toMatchObject({ match_radius })
  }
})
