import { afterAll, expect, test } from 'vitest'
import { limits } from '#contract/constants.ts'
import { listFriends } from '#contract/friends.ts'
import type { Actor } from '#test/actor.ts'
import { newWorld } from '#test/world.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())

/** Inserts members without a registration. */
async function insertMembers(prefix: string, count: number): Promise<number[]> {
  const rows = await world.db
    .insertInto('users')
    .values(
      Array.from({ length: count }, (_, n) => ({
        username: `${prefix}_${n}`,
        email: `${prefix}_${n}@example.com`,
        password_hash: 'x',
        first_name: 'Some',
        last_name: 'Body',
      })),
    )
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

async function befriendRows(actor: Actor, ids: readonly number[], status: 'accepted' | 'pending') {
  await world.db
    .insertInto('friendships')
    .values(
      ids.map((id) => ({
        low_id: Math.min(actor.id, id),
        high_id: Math.max(actor.id, id),
        requester_id: id,
        status,
      })),
    )
    .execute()
}

test('lists friends by username in any case, in pages, and filters by a part of it', async () => {
  const [ann] = await world.members('ann')
  await befriendRows(ann, await insertMembers('Plum', 3), 'accepted')
  await befriendRows(ann, await insertMembers('apple', 3), 'accepted')
  await befriendRows(ann, await insertMembers('pear', 2), 'accepted')
  await befriendRows(ann, await insertMembers('nobody', 2), 'pending')
  const names = ['apple_0', 'apple_1', 'apple_2', 'pear_0', 'pear_1', 'Plum_0', 'Plum_1', 'Plum_2']

  const pages = await ann.pages<{ username: string }>('/api/auth/friends?limit=3')
  expect(pages.map((page) => page.map(({ username }) => username))).toEqual([
    names.slice(0, 3),
    names.slice(3, 6),
    names.slice(6),
  ])
  const [first] = await ann.call(listFriends, { query: {} })
  expect(Object.keys(first ?? {}).sort()).toEqual(['city', 'id', 'profile_picture', 'state', 'username'])

  const search = async (q: string) =>
    (await ann.call(listFriends, { query: { q } })).map(({ username }) => username)
  expect(await search('p'.repeat(limits.query.max))).toEqual([])
  expect(await search('PL')).toEqual(['apple_0', 'apple_1', 'apple_2', 'Plum_0', 'Plum_1', 'Plum_2'])
  expect(await search('e_1')).toEqual(['apple_1'])
  expect(await search('%')).toEqual([])
  expect(await search(' plum ')).toEqual(['Plum_0', 'Plum_1', 'Plum_2'])
  expect(
    (await ann.pages<{ username: string }>('/api/auth/friends?q=pl&limit=4')).map((page) => page.length),
  ).toEqual([4, 2])
})

test('lists requests newest first, in pages', async () => {
  const [bob] = await world.members('bob')
  await befriendRows(bob, await insertMembers('asker', 5), 'pending')
  const pages = await bob.pages<{ username: string }>('/api/auth/friends/requests?limit=2')
  expect(pages.map((page) => page.map(({ username }) => username))).toEqual([
    ['asker_4', 'asker_3'],
    ['asker_2', 'asker_1'],
    ['asker_0'],
  ])
  expect(await bob.call(listFriends, { query: {} })).toEqual([])
})
