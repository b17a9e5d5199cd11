import { afterAll, expect, inject, test } from 'vitest'
import { uploadProfileImage } from '#contract/auth.ts'
import { types } from '#contract/constants.ts'
import { removeFriend, requestFriend, respondToFriend } from '#contract/friends.ts'
import { listListings } from '#contract/listing-queries.ts'
import { createListing, deleteListing, setVisibility, updateListing } from '#contract/listings.ts'
import { blockMember, getPublicMember, searchMembers } from '#contract/members.ts'
import type { Actor } from '#test/actor.ts'
import { longTest } from '#test/long.ts'
import { recordStatements } from '#test/statements.ts'
import { newReplicatedWorld, titlesFor } from './replica-world.ts'

// The replica is held back as long as a test needs, so it must stay in use.
const replicated = await newReplicatedWorld({ maxReplicaLagMs: 600_000 })
afterAll(() => replicated[Symbol.asyncDispose]())
const { world, postgres, other } = replicated

const post = (member: Actor, title: string, is_public = true) =>
  member.call(createListing, { body: { title, type_id: types.giveaway, is_public } })

/** Waits until the replica has all writes, and lets all reads go there. Then holds the replica back. */
async function freezeReplica() {
  await postgres.catchUp()
  await replicated.forgetWrites()
  await expect.poll(replicated.isInUse).toBe(true)
  await postgres.pause()
}

/** Expects that this read came from the replica. */
async function fromReplica<Result>(read: () => Promise<Result>): Promise<Result> {
  await replicated.forgetWrites()
  const before = await replicated.replicaReads()
  const result = await read()
  expect(await replicated.replicaReads()).toBeGreaterThan(before)
  return result
}

test('reads lists, searches and profiles from the replica', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  await freezeReplica()
  await post(ann, 'Rhubarb crowns')

  expect(await fromReplica(() => titlesFor(bob, { public: 'true' }))).not.toContain('Rhubarb crowns')
  expect(await fromReplica(() => titlesFor(bob, { q: 'rhubarb' }))).not.toContain('Rhubarb crowns')
  await fromReplica(() => bob.call(getPublicMember, { params: { id: ann.id } }))
  await fromReplica(() => bob.call(searchMembers, { query: { q: ann.username } }))

  await postgres.catchUp()
  await expect.poll(() => fromReplica(() => titlesFor(bob, { q: 'rhubarb' }))).toContain('Rhubarb crowns')
})

test('asks the primary for the listings of a page by their ids only', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  await post(ann, 'Horseradish roots')
  await world.jobsDone()
  await freezeReplica()

  using recorded = recordStatements()
  for (const query of [{}, { public: 'true' }, { q: 'horseradish' }, { user_id: ann.id }] as const)
    expect(await fromReplica(() => titlesFor(bob, query))).toContain('Horseradish roots')
  const ofPrimary = recorded.sent().filter(({ port }) => port === Number(new URL(postgres.url).port))
  const ofListings = ofPrimary.filter(({ text }) => /^\s*select\b.* listings /s.test(text))
  expect(ofListings).toHaveLength(4)
  for (const { text } of ofListings) expect(text).toMatch(/from listings l where l\.id = any \(\$2/)
})

test('a member sees own writes at once on every node', async () => {
  const [ann] = await world.uniqueMembers('ann')
  await freezeReplica()
  const { id } = await post(ann, 'Bean poles')

  for (const client of [ann, other.as(ann)]) {
    expect(await titlesFor(client)).toContain('Bean poles')
    expect(await titlesFor(client, { q: 'bean poles' })).toContain('Bean poles')
  }
  await other.as(ann).call(updateListing, { params: { id }, body: { title: 'Hazel poles' } })
  expect(await titlesFor(ann)).toContain('Hazel poles')
})

test('a new member finds neighbors at once on another node', async () => {
  const [ann] = await world.uniqueMembers('ann')
  const body = { city: 'Portland', state: 'OR', postcode: '97202' }
  await ann.call(uploadProfileImage, { body })
  await freezeReplica()
  const [bob] = await world.uniqueMembers('bob')
  await bob.call(uploadProfileImage, { body })

  expect(await other.as(bob).call(searchMembers, { query: {} })).toMatchObject([{ id: ann.id }])
  expect(await fromReplica(() => ann.call(searchMembers, { query: {} }))).not.toMatchObject([{ id: bob.id }])
  // The replica does not have the member yet.
  expect(await ann.call(getPublicMember, { params: { id: bob.id } })).toMatchObject({ id: bob.id })
})

test("both friends see each other's listings at once", async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  await post(ann, 'For friends of ann', false)
  await post(bob, 'For friends of bob', false)
  const { request_id } = await ann.call(requestFriend, { body: { friend_id: bob.id } })
  await freezeReplica()
  if (request_id !== null) await bob.call(respondToFriend, { body: { request_id, accept: true } })

  expect(await titlesFor(other.as(ann), { friends: 'true' })).toEqual(['For friends of bob'])
  expect(await titlesFor(bob, { friends: 'true' })).toEqual(['For friends of ann'])
})

test('a former friend and a blocked member see nothing any more at once', async () => {
  const [ann, bob, cat] = await world.uniqueMembers('ann', 'bob', 'cat')
  await world.befriend(ann, bob)
  await world.befriend(ann, cat)
  await post(ann, 'Only for friends', false)
  await post(ann, 'For all')
  await post(cat, 'From cat')
  await freezeReplica()
  await ann.call(removeFriend, { params: { id: bob.id } })
  await ann.call(blockMember, { params: { id: cat.id } })

  expect(await titlesFor(bob, { friends: 'true' })).toEqual([])
  expect(await titlesFor(cat)).not.toContain('For all')
  expect(await fromReplica(() => titlesFor(bob, { user_id: ann.id }))).toEqual(['For all'])
  expect(await fromReplica(() => titlesFor(cat, { user_id: ann.id }))).toEqual([])
  expect(await fromReplica(() => titlesFor(cat, { friends: 'true' }))).toEqual([])
  expect(await fromReplica(() => titlesFor(ann, { user_id: cat.id }))).toEqual([])
})

test('does not show listings that have just been deleted, hidden, paused or made friends-only', async () => {
  const [ann, bob, cat] = await world.uniqueMembers('ann', 'bob', 'cat')
  const [deleted, hidden, paused, friendsOnly] = [
    await post(ann, 'Gooseberry one'),
    await post(ann, 'Gooseberry two'),
    await post(ann, 'Gooseberry three'),
    await post(ann, 'Gooseberry four'),
  ]
  await post(ann, 'Gooseberry five')
  await world.befriend(ann, cat)
  await freezeReplica()
  await ann.call(deleteListing, { params: { id: deleted.id } })
  await world.db
    .updateTable('listings')
    .set({ hidden_at: new Date().toISOString() })
    .where('id', '=', hidden.id)
    .execute()
  await ann.call(updateListing, { params: { id: paused.id }, body: { is_active: false } })
  await ann.call(setVisibility, { params: { id: friendsOnly.id }, body: { is_public: false } })

  for (const query of [{ q: 'gooseberry' }, { public: 'true', q: 'gooseberry' }, { user_id: ann.id }])
    expect(await fromReplica(() => titlesFor(bob, query))).toEqual(['Gooseberry five'])
  expect(await fromReplica(() => titlesFor(cat, { public: 'true', q: 'gooseberry' }))).toEqual([
    'Gooseberry five',
  ])
  expect(await fromReplica(() => titlesFor(cat, { q: 'gooseberry four' }))).toContain('Gooseberry four')
})

test('hides a member who has just been suspended or has left', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  await post(ann, 'Medlars')
  await freezeReplica()
  await world.suspend(ann)

  expect(await fromReplica(() => titlesFor(bob, { q: 'medlars' }))).toEqual([])
  expect(await fromReplica(() => bob.call(searchMembers, { query: { q: ann.username } }))).toEqual([])
  const { status } = await fromReplica(() => bob.try(getPublicMember, { params: { id: ann.id } }))
  expect(status).toBe(404)
})

longTest('leaves out a replica that lags', {}, async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  await using strict = await world.node({ database: { ...world.config.database, maxReplicaLagMs: 1000 } })
  await freezeReplica()
  await post(ann, 'Late leeks')
  await replicated.forgetWrites()

  await expect.poll(replicated.lagSeconds).toBeGreaterThan(2)
  // Each node measures the lag by itself.
  await expect.poll(() => titlesFor(strict.as(bob), { q: 'late leeks' })).toEqual(['Late leeks'])
  expect(await fromReplica(() => titlesFor(bob, { q: 'late leeks' }))).toEqual([])
})

longTest('repeats reads on the primary when the connection to the replica is lost', {}, async () => {
  const [ann] = await world.uniqueMembers('ann')
  await freezeReplica()
  using recorded = recordStatements()
  postgres.link.stall()
  const reads = Array.from({ length: 4 }, () => ann.try(listListings, { query: { public: 'true' } }))
  const { port } = new URL(postgres.replicaUrl)
  await expect.poll(() => recorded.sent().some((statement) => statement.port === Number(port))).toBe(true)
  postgres.link.cut()

  for (const { status } of await Promise.all(reads)) expect(status).toBe(200)
  await expect.poll(replicated.isInUse).toBe(false)
  expect((await ann.try(listListings, { query: { public: 'true' } })).status).toBe(200)
  postgres.link.restore()
  await expect.poll(replicated.isInUse).toBe(true)
})

longTest('uses a replica again after it was killed', {}, async () => {
  const [ann] = await world.uniqueMembers('ann')
  await freezeReplica()
  await postgres.kill()
  for (let read = 0; read < 20; read += 1)
    expect((await ann.try(listListings, { query: { q: 'gooseberry' } })).status).toBe(200)
  await postgres.restart()

  await expect.poll(replicated.isInUse).toBe(true)
  await fromReplica(() => titlesFor(ann))
})

longTest('does not read from a replica that has writes which a failover has lost', {}, async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  await replicated.forgetWrites()
  await postgres.catchUp()
  const url = await postgres.promoteCopy()
  await post(ann, 'Lost in the failover')
  await postgres.catchUp()
  await using node = await world.node({}, url)
  const { title } = await post(node.as(ann), 'Quinces')

  await expect.poll(() => world.logged.join('')).toContain('It is ahead of the primary')
  expect(await titlesFor(node.as(bob), { q: 'quinces' })).toEqual([title])
})

test('does not read from a primary or from another database', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  const primary = postgres.url.replace('127.0.0.1', 'localhost')
  await replicated.forgetWrites()
  for (const readUrl of [primary, inject('postgresUrl')]) {
    await using node = await world.node({ database: { ...world.config.database, readUrl } })
    const { title } = await post(ann, `Seeds ${readUrl.length}`)
    expect(await titlesFor(node.as(bob), { q: 'seeds' })).toContain(title)
  }
  await expect
    .poll(() => world.logged.join(''))
    .toMatch(/It is not in recovery[\s\S]*It is not a replica of the database of DATABASE_URL/)
})
