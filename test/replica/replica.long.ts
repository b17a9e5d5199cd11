import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { types } from '#contract/constants.ts'
import type { CallInput } from '#contract/endpoint.ts'
import { removeFriend } from '#contract/friends.ts'
import { listListings } from '#contract/listing-queries.ts'
import { createListing, deleteListing, setVisibility, updateListing } from '#contract/listings.ts'
import { blockMember, searchMembers, unblockMember } from '#contract/members.ts'
import type { Actor } from '#test/actor.ts'
import { type Random, randomFrom } from '#test/fault-injection/random.ts'
import type { World } from '#test/world.ts'
import { newReplicatedWorld, titlesFor } from './replica-world.ts'

/** Within the five seconds in which a replica is used. */
const delaySeconds = 3
const turns = 400
const seed = 24

test('lists, searches and friends are right at once on every node while the replica lags', async () => {
  await using replicated = await newReplicatedWorld()
  const { world, postgres, other } = replicated
  await using primaryOnly = await world.node({
    database: { ...world.config.database, readUrl: undefined },
  })
  const writers = await world.members('ann', 'bob', 'cat', 'dee')
  const readers = await world.members('eve', 'fay', 'gus', 'hal', 'ida', 'jan')
  const suspects = await world.members('kim', 'lea', 'moe')
  for (const member of suspects) for (let count = 0; count < 3; count += 1) await post(member, true)
  await postgres.delay(delaySeconds)

  const random = randomFrom(seed)
  const anyNode = (member: Actor) => random.oneOf([member, other.as(member)])
  /** Compares a list with that of a node without the replica. */
  async function compare(member: Actor, query: ListQuery, expected: 'equal' | 'no more') {
    const ids = await idsFor(anyNode(member), query)
    const right = new Set(await idsFor(primaryOnly.as(member), query))
    const wrong = ids.filter((id) => !right.has(id))
    expect(wrong, `${member.username} ${JSON.stringify(query)}`).toEqual([])
    if (expected === 'equal')
      expect(ids, `${member.username} ${JSON.stringify(query)}`).toHaveLength(right.size)
  }

  for (let turn = 0; turn < turns; turn += 1) {
    const writer = random.oneOf(writers)
    const partner = random.oneOf([...writers, ...readers].filter(({ id }) => id !== writer.id))
    await change(world, anyNode(writer), partner, random)
    await compare(writer, { user_id: writer.id }, 'equal')
    await compare(writer, { friends: 'true' }, 'equal')
    await compare(partner, { friends: 'true' }, 'no more')
    if (turn % 100 === 50) await world.suspend(suspects[turn === 50 ? 0 : turn === 150 ? 1 : 2])
    const owner = random.oneOf([...writers, ...suspects])
    for (const query of [{}, { public: 'true', q: 'plums' }, { user_id: owner.id }])
      await compare(random.oneOf(readers), query, 'no more')
    const found = await anyNode(random.oneOf(readers)).call(searchMembers, { query: { q: owner.username } })
    const suspended = await world.db
      .selectFrom('users')
      .select('id')
      .where('suspended_at', 'is not', null)
      .execute()
    expect(found.filter(({ id }) => suspended.some((member) => member.id === id))).toEqual([])
    await sleep(random.between(0, 400))
  }
  expect(await replicated.replicaReads()).toBeGreaterThan(turns / 10)

  await postgres.delay(0)
  await sleep((delaySeconds + 1) * 1000)
  for (const reader of readers) await compare(reader, {}, 'equal')
})

test('members get no error while the replica lags, dies, hangs and comes back', async () => {
  await using replicated = await newReplicatedWorld()
  const { world, postgres } = replicated
  const [ann, bob, ...readers] = await world.members('ann', 'bob', 'cat', 'dee', 'eve')
  await post(ann, true)
  await replicated.forgetWrites()
  await expect.poll(replicated.isInUse).toBe(true)

  const failed: unknown[] = []
  let isOver = false
  const reading = readers.map(async (reader) => {
    while (!isOver) {
      const reply = await reader.try(listListings, { query: { public: 'true' } })
      if (reply.status !== 200) failed.push(reply)
      await sleep(5)
    }
  })

  await postgres.delay(8)
  await expect.poll(replicated.isInUse).toBe(false)
  expect(await replicated.lagSeconds()).toBeGreaterThan(5)
  const title = await post(ann, true)
  expect(await titlesFor(bob, { public: 'true' })).toContain(title)
  await postgres.delay(0)
  await expect.poll(replicated.isInUse).toBe(true)

  const faults = [
    { begin: postgres.kill, end: postgres.restart },
    { begin: async () => postgres.link.stall(), end: async () => postgres.link.restore() },
    { begin: async () => postgres.link.cut(), end: async () => postgres.link.restore() },
  ]
  for (let round = 0; round < 5; round += 1)
    for (const { begin, end } of faults) {
      await begin()
      await expect.poll(replicated.isInUse).toBe(false)
      await sleep(500)
      await end()
      await expect.poll(replicated.isInUse).toBe(true)
      const before = await replicated.replicaReads()
      await expect.poll(replicated.replicaReads).toBeGreaterThan(before)
    }

  isOver = true
  await Promise.all(reading)
  expect(failed).toEqual([])
})

type ListQuery = CallInput<typeof listListings>['query']

let posted = 0

async function post(member: Actor, is_public: boolean): Promise<string> {
  posted += 1
  const title = `Plums ${posted}`
  await member.call(createListing, { body: { title, type_id: types.giveaway, is_public } })
  return title
}

async function idsFor(member: Actor, query: ListQuery): Promise<number[]> {
  return (await member.call(listListings, { query: { ...query, limit: 100 } })).map(({ id }) => id)
}

const maxListings = 6

/** Makes a random change of a writer's listings or of what stands between the writer and the partner. */
async function change(world: World, writer: Actor, partner: Actor, random: Random): Promise<void> {
  const own = await idsFor(writer, { mine: 'true' })
  const params = { id: random.oneOf(own) }
  const changes = [
    () => writer.try(setVisibility, { params, body: { is_public: random.between(0, 1) === 1 } }),
    () => writer.try(updateListing, { params, body: { is_active: random.between(0, 1) === 1 } }),
    () => writer.try(deleteListing, { params }),
    () => writer.try(removeFriend, { params: { id: partner.id } }),
    () => writer.try(blockMember, { params: { id: partner.id } }),
    () => writer.try(unblockMember, { params: { id: partner.id } }),
    () => world.befriend(writer, partner).catch(() => undefined),
  ]
  if (own.length === 0 || (own.length < maxListings && random.between(0, 2) === 0))
    await post(writer, random.between(0, 1) === 1)
  else await random.oneOf(changes)()
}
