import { afterAll, expect, test } from 'vitest'
import { removeFriend, requestFriend, respondToFriend } from '#contract/friends.ts'
import { blockMember } from '#contract/members.ts'
import {
  countUnreadNotifications,
  listNotifications,
  type Notification,
  readNotifications,
} from '#contract/notifications.ts'
import { type Actor, nextOf } from '#test/actor.ts'
import { newRequest } from '#test/friendships.ts'
import { connectSocket } from '#test/socket-client.ts'
import { newWorld } from '#test/world.ts'
import { deleteOldNotifications } from './queries.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())

const notificationsOf = async (actor: Actor) =>
  (await actor.call(listNotifications, { query: {} })).map(({ kind, user }) => `${kind} ${user.username}`)
const unread = (actor: Actor) => actor.call(countUnreadNotifications)

test('stores, counts and publishes notifications of a friend request and its acceptance', async () => {
  const [ann, bob, cat] = await world.members('ann', 'bob', 'cat')
  using anns = await connectSocket(ann)
  using bobs = await connectSocket(bob)
  using cats = await connectSocket(cat)

  const request_id = await newRequest(ann, bob)
  await expect.poll(() => bobs.received('notification')).toHaveLength(1)
  const [stored] = await bob.call(listNotifications, { query: {} })
  expect(stored).toEqual({
    id: expect.any(Number),
    kind: 'friend_request',
    created_at: expect.stringMatching(/Z$/),
    read_at: null,
    user: { id: ann.id, username: 'ann', profile_picture: null },
    match: null,
    listing: null,
    price_drop: null,
    trade: null,
    notice: null,
  } satisfies Record<keyof Notification, unknown>)
  expect(bobs.received('notification')).toEqual([stored])
  expect(bobs.received('friends_changed')).toEqual([{ user_id: ann.id }])
  expect(anns.received('friends_changed')).toEqual([{ user_id: bob.id }])
  expect([await unread(bob), await unread(ann), await notificationsOf(ann)]).toEqual([1, 0, []])

  await bob.call(respondToFriend, { body: { request_id, accept: true } })
  await expect
    .poll(() => anns.received('notification'))
    .toMatchObject([{ kind: 'friend_accepted', user: { id: bob.id } }])
  // An answered request counts as read.
  expect([await notificationsOf(ann), await unread(ann), await unread(bob)]).toEqual([
    ['friend_accepted bob'],
    1,
    0,
  ])
  expect([
    cats.received('notification'),
    cats.received('friends_changed'),
    await notificationsOf(cat),
  ]).toEqual([[], [], []])
})

test('neither stores nor publishes a notification when the commit of a friend request fails', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  using bobs = await connectSocket(bob)
  await using _ = await world.failCommits('notifications')
  expect((await ann.try(requestFriend, { body: { friend_id: bob.id } })).status).toBe(500)

  expect(await notificationsOf(bob)).toEqual([])
  // The next event proves that an earlier one would have arrived.
  world.publish([bob.id], 'friends_changed', { user_id: 987 })
  await expect.poll(() => bobs.received('friends_changed')).toEqual([{ user_id: 987 }])
  expect(bobs.received('notification')).toEqual([])
})

test('deletes notifications of withdrawn and declined requests and ended friendships', async () => {
  const [ann, bob] = await world.members('ann_2', 'bob_2')
  await newRequest(ann, bob)
  await ann.call(removeFriend, { params: { id: bob.id } })
  expect([await notificationsOf(bob), await unread(bob)]).toEqual([[], 0])

  await bob.call(respondToFriend, { body: { request_id: await newRequest(ann, bob), accept: false } })
  expect([await notificationsOf(ann), await notificationsOf(bob), await unread(bob)]).toEqual([[], [], 0])

  await bob.call(respondToFriend, { body: { request_id: await newRequest(ann, bob), accept: true } })
  expect([await notificationsOf(ann), await notificationsOf(bob)]).toEqual([
    ['friend_accepted bob_2'],
    ['friend_request ann_2'],
  ])
  await ann.call(removeFriend, { params: { id: bob.id } })
  expect([await notificationsOf(ann), await notificationsOf(bob)]).toEqual([[], []])
})

test('a block deletes notifications and publishes an event only if it ends something', async () => {
  const [ann, bob, cat] = await world.members('ann_3', 'bob_3', 'cat_3')
  await newRequest(ann, bob)
  using anns = await connectSocket(ann)
  using bobs = await connectSocket(bob)
  using cats = await connectSocket(cat)
  await bob.call(blockMember, { params: { id: ann.id } })
  await bob.call(blockMember, { params: { id: cat.id } })
  expect([await notificationsOf(bob), await unread(bob)]).toEqual([[], 0])
  await expect
    .poll(() => bobs.received('friends_changed'))
    .toEqual([{ user_id: ann.id }, { user_id: cat.id }])
  await expect.poll(() => anns.received('friends_changed')).toEqual([{ user_id: bob.id }])
  expect(cats.received('friends_changed')).toEqual([])
})

test('marks notifications read up to an id and by kind', async () => {
  const [ann, bob, cat, dan] = await world.members('ann_4', 'bob_4', 'cat_4', 'dan_4')
  await newRequest(ann, dan)
  await newRequest(bob, dan)
  const [latest] = await dan.call(listNotifications, { query: {} })
  await newRequest(cat, dan)
  expect(await dan.call(readNotifications, { body: { kinds: ['friend_accepted'] } })).toEqual({ updated: 0 })
  expect(await dan.call(readNotifications, { body: { up_to: latest?.id } })).toEqual({ updated: 2 })
  expect(await unread(dan)).toBe(1)
  expect(await dan.call(readNotifications, { body: {} })).toEqual({ updated: 1 })
  expect((await dan.send('POST', '/api/notifications/read')).body).toEqual({ updated: 0 })
  expect((await dan.call(listNotifications, { query: {} })).map(({ read_at }) => typeof read_at)).toEqual([
    'string',
    'string',
    'string',
  ])
  expect([await unread(ann), await notificationsOf(ann)]).toEqual([0, []])
})

test('lists notifications newest first in pages, without those of suspended members', async () => {
  const [eve, ...askers] = await world.members('eve_5', 'one_5', 'two_5', 'three_5')
  for (const asker of askers) await newRequest(asker, eve)
  const first = await eve.try(listNotifications, { query: { limit: 2 } })
  expect(first.body.map(({ user }: Notification) => user.username)).toEqual(['three_5', 'two_5'])
  const next = nextOf(first) ?? ''
  const second = await eve.send<Notification[]>('GET', next)
  expect(second.body.map(({ user }) => user.username)).toEqual(['one_5'])
  expect(nextOf(second)).toBeUndefined()

  await world.suspend(askers[1])
  expect([await notificationsOf(eve), await unread(eve)]).toEqual([
    ['friend_request three_5', 'friend_request one_5'],
    2,
  ])
})

test('deletes notifications after ninety days', async () => {
  const [ann, bob] = await world.members('ann_7', 'bob_7')
  await newRequest(ann, bob)
  const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
  await deleteOldNotifications(world.db, ago(90))
  expect(await notificationsOf(bob)).toHaveLength(1)
  await world.db
    .updateTable('notifications')
    .set({ created_at: ago(91) })
    .where('user_id', '=', bob.id)
    .execute()
  await deleteOldNotifications(world.db, ago(90))
  expect(await notificationsOf(bob)).toEqual([])
})
