import { afterAll, describe, expect, test } from 'vitest'
import { limits } from '#contract/constants.ts'
import { friendMessages, listFriendRequests, requestFriend } from '#contract/friends.ts'
import { createListing, getListing } from '#contract/listings.ts'
import { blockMember, getPublicMember, unblockMember } from '#contract/members.ts'
import { listNotifications } from '#contract/notifications.ts'
import { exportProfile } from '#contract/profile.ts'
import { createWant } from '#contract/wants.ts'
import type { Actor } from '#test/actor.ts'
import {
  friendNamesOf,
  newRequest,
  noFriendship,
  requesterNamesOf,
  respond,
  statusOf,
  tryRequest,
  unfriend,
} from '#test/friendships.ts'
import { connectSocket } from '#test/socket-client.ts'
import { newWorld } from '#test/world.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())

/** Registers three members that no other test uses. */
const newMembers = () => world.uniqueMembers('ann', 'bob', 'cat')

describe('a friend request', () => {
  test('is listed for its receiver only', async () => {
    const [ann, bob, cat] = await newMembers()
    const { status, body } = await tryRequest(ann, bob)
    expect([status, body]).toEqual([201, { status: 'pending', is_sender: true, request_id: body.request_id }])
    expect(await statusOf(ann, bob)).toEqual(body)
    expect(await statusOf(bob, ann)).toEqual({ ...body, is_sender: false })
    expect(await statusOf(cat, ann)).toEqual(noFriendship)
    expect(await bob.call(listFriendRequests, { query: {} })).toEqual([
      {
        id: body.request_id,
        user_id: ann.id,
        username: ann.username,
        profile_picture: null,
        created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      },
    ])
    expect([
      await requesterNamesOf(ann),
      await requesterNamesOf(cat),
      await friendNamesOf(ann),
      await friendNamesOf(bob),
    ]).toEqual([[], [], [], []])
  })

  test('sent twice stays one request', async () => {
    const [ann, bob] = await newMembers()
    const first = await tryRequest(ann, bob)
    const second = await tryRequest(ann, bob)
    expect([first.status, second.status, second.body]).toEqual([201, 200, first.body])
    expect(await requesterNamesOf(bob)).toHaveLength(1)
  })

  test('in the opposite direction makes both members friends', async () => {
    const [ann, bob] = await newMembers()
    await tryRequest(ann, bob)
    const { status, body } = await tryRequest(bob, ann)
    expect([status, body]).toEqual([200, { status: 'accepted', is_sender: false, request_id: null }])
    expect(await statusOf(ann, bob)).toEqual({ status: 'accepted', is_sender: true, request_id: null })
    expect([await friendNamesOf(ann), await friendNamesOf(bob), await requesterNamesOf(bob)]).toEqual([
      [bob.username],
      [ann.username],
      [],
    ])
  })

  test('to an invalid id is refused', async () => {
    const [ann] = await newMembers()
    for (const friend_id of ['bob', undefined, 0]) {
      const refused = await ann.try(requestFriend, { body: { friend_id } as never })
      expect([friend_id, refused.status, refused.body.detail]).toEqual([
        friend_id,
        422,
        'Please check "friend_id"',
      ])
    }
  })

  test('can be withdrawn by its sender only', async () => {
    const [ann, bob] = await newMembers()
    const request = await newRequest(ann, bob)
    expect((await unfriend(bob, ann)).status).toBe(404)
    expect((await unfriend(ann, bob)).status).toBe(204)
    const again = await unfriend(ann, bob)
    expect([again.status, again.body.detail]).toEqual([404, friendMessages.notFriends])
    const late = await respond(bob, request, true)
    expect([late.status, late.body.detail]).toEqual([404, friendMessages.requestNotFound])
    expect([await statusOf(ann, bob), await statusOf(bob, ann)]).toEqual([noFriendship, noFriendship])
    expect(await requesterNamesOf(bob)).toEqual([])
  })
})

describe('a response to a friend request', () => {
  test('is accepted from the receiver of the request only', async () => {
    const [ann, bob, cat] = await newMembers()
    const request = await newRequest(ann, bob)
    for (const accept of [true, false]) {
      const refused = await respond(ann, request, accept)
      expect([refused.status, refused.body.detail]).toEqual([404, friendMessages.requestNotFound])
    }
    expect(await statusOf(ann, bob)).toMatchObject({ status: 'pending' })
    expect((await respond(bob, request, true)).body).toEqual({
      status: 'accepted',
      is_sender: false,
      request_id: null,
    })
    expect((await respond(bob, request, true)).status).toBe(404)
    expect(await friendNamesOf(ann)).toEqual([bob.username])
    expect((await bob.call(getPublicMember, { params: { id: ann.id } })).friend_count).toBe(1)
    expect(await friendNamesOf(cat)).toEqual([])
  })

  test('shows friends-only listings until the friendship ends', async () => {
    const [ann, bob, cat] = await newMembers()
    const { id } = await bob.call(createListing, {
      body: { title: 'Old roses', price: 3, is_public: false },
    })
    const listingStatus = async (member: Actor) => (await member.try(getListing, { params: { id } })).status
    const request = await newRequest(ann, bob)
    expect(await listingStatus(ann)).toBe(404)
    await respond(bob, request, true)
    expect([await listingStatus(ann), await listingStatus(cat)]).toEqual([200, 404])
    expect((await unfriend(bob, ann)).status).toBe(204)
    expect([await listingStatus(ann), await statusOf(ann, bob), await statusOf(bob, ann)]).toEqual([
      404,
      noFriendship,
      noFriendship,
    ])
    expect((await unfriend(ann, bob)).status).toBe(404)
    expect((await tryRequest(ann, bob)).status).toBe(201)
  })

  test('that declines is hidden from the sender', async () => {
    const [ann, bob] = await newMembers()
    const request = await newRequest(ann, bob)
    expect((await respond(bob, request, false)).body).toEqual({
      status: 'rejected',
      is_sender: false,
      request_id: null,
    })
    expect(await statusOf(ann, bob)).toEqual(noFriendship)
    expect(await statusOf(bob, ann)).toEqual({ status: 'rejected', is_sender: false, request_id: null })
    expect([await requesterNamesOf(bob), await friendNamesOf(bob)]).toEqual([[], []])
    expect((await unfriend(ann, bob)).status).toBe(404)
    expect((await unfriend(bob, ann)).status).toBe(404)
    const exported = async (member: Actor) => (await member.call(exportProfile)).friendships
    expect(await exported(ann)).toEqual([])
    expect(await exported(bob)).toMatchObject([{ status: 'rejected', requester_id: ann.id }])
    expect(JSON.stringify(await exported(bob))).not.toMatch(/declines|answered_at/)
  })

  test('that declines allows a new request from either side', async () => {
    const [ann, bob] = await newMembers()
    const first = await newRequest(ann, bob)
    await respond(bob, first, false)
    const second = await tryRequest(ann, bob)
    expect(second.status).toBe(201)
    expect((await respond(bob, first, true)).status).toBe(404)
    await respond(bob, second.body.request_id, false)

    const reversed = await tryRequest(bob, ann)
    expect([reversed.status, await requesterNamesOf(ann), await requesterNamesOf(bob)]).toEqual([
      201,
      [bob.username],
      [],
    ])
    expect((await respond(ann, reversed.body.request_id, true)).status).toBe(200)
    expect(await statusOf(bob, ann)).toMatchObject({ status: 'accepted', is_sender: true })
  })

  test('that declines for the third time blocks requests for a month, despite withdrawals', async () => {
    const [ann, bob] = await newMembers()
    for (let time = 0; time < limits.friends.declines; time += 1) {
      await respond(bob, await newRequest(ann, bob), false)
      if (time < limits.friends.declines - 1) {
        await newRequest(ann, bob)
        expect((await unfriend(ann, bob)).status).toBe(204)
      }
    }
    const refused = await tryRequest(ann, bob)
    expect([refused.status, refused.body.detail]).toEqual([403, friendMessages.notPossible])
    expect(await statusOf(ann, bob)).toEqual(noFriendship)

    const past = new Date(Date.now() - (limits.friends.cooldownDays + 1) * 86_400_000).toISOString()
    await world.db
      .updateTable('friendships')
      .set({ answered_at: past })
      .where('requester_id', '=', ann.id)
      .execute()
    expect((await tryRequest(ann, bob)).status).toBe(201)
    await unfriend(ann, bob)
    expect((await tryRequest(bob, ann)).status).toBe(201)
  })
})

test('the end of a request or friendship keeps notifications of matches', async () => {
  const [ann, bob] = await newMembers()
  await bob.call(createWant, { body: { title: 'Quinces' } })
  await ann.call(createListing, { body: { title: 'Quinces', price: 1 } })
  await world.jobsDone()
  const kindsOf = async (member: Actor) =>
    (await member.call(listNotifications, { query: {} })).map(({ kind }) => kind)
  await newRequest(bob, ann)
  expect(await kindsOf(ann)).toEqual(['friend_request'])
  await unfriend(bob, ann)
  expect([await kindsOf(ann), await kindsOf(bob)]).toEqual([[], ['match']])
  await world.befriend(bob, ann)
  expect(await kindsOf(bob)).toEqual(['friend_accepted', 'match'])
  await unfriend(ann, bob)
  expect([await kindsOf(ann), await kindsOf(bob)]).toEqual([[], ['match']])
})

describe('a block', () => {
  test('does not reset the count of declined requests', async () => {
    const [ann, bob] = await newMembers()
    const block = async (one: Actor, other: Actor) => {
      await one.call(blockMember, { params: { id: other.id } })
      await one.call(unblockMember, { params: { id: other.id } })
    }
    for (let time = 0; time < limits.friends.declines; time += 1) {
      await respond(bob, await newRequest(ann, bob), false)
      await block(ann, bob)
      expect(await statusOf(bob, ann)).toEqual({ status: 'rejected', is_sender: false, request_id: null })
      expect(await statusOf(ann, bob)).toEqual(noFriendship)
      if (time === limits.friends.declines - 1) break
      // Blocking deletes the pending request.
      await newRequest(ann, bob)
      await block(time === 0 ? ann : bob, time === 0 ? bob : ann)
      expect([await statusOf(ann, bob), await requesterNamesOf(bob)]).toEqual([noFriendship, []])
    }
    const refused = await tryRequest(ann, bob)
    expect([refused.status, refused.body.detail]).toEqual([403, friendMessages.notPossible])
    expect((await tryRequest(bob, ann)).status).toBe(201)
  })

  test('of a member who was declined sends them no event', async () => {
    const [ann, bob] = await newMembers()
    await respond(bob, await newRequest(ann, bob), false)
    using anns = await connectSocket(ann)
    await bob.call(blockMember, { params: { id: ann.id } })
    world.publish([ann.id], 'friends_changed', { user_id: 1 })
    await expect.poll(() => anns.received('friends_changed')).toEqual([{ user_id: 1 }])
    expect(await statusOf(ann, bob)).toEqual(noFriendship)
  })

  test('ends friendships and requests and prevents new ones from either side', async () => {
    const [ann, bob, cat] = await newMembers()
    await world.befriend(ann, bob)
    const request = await newRequest(cat, bob)
    await bob.call(blockMember, { params: { id: ann.id } })
    await bob.call(blockMember, { params: { id: cat.id } })
    expect([await friendNamesOf(ann), await friendNamesOf(bob), await requesterNamesOf(bob)]).toEqual([
      [],
      [],
      [],
    ])
    expect((await respond(bob, request, true)).status).toBe(404)
    for (const [one, other] of [
      [ann, bob],
      [bob, ann],
    ] as const) {
      const refused = await tryRequest(one, other)
      expect([refused.status, refused.body.detail]).toEqual([403, friendMessages.notPossible])
      expect(await statusOf(one, other)).toEqual(noFriendship)
    }
    await bob.call(unblockMember, { params: { id: ann.id } })
    expect((await tryRequest(ann, bob)).status).toBe(201)
  })
})

describe('a suspended member', () => {
  test('is hidden from lists and requests until restored', async () => {
    const [ann, bob, cat] = await newMembers()
    await world.befriend(ann, bob)
    const request = await newRequest(bob, cat)
    const suspend = (suspended_at: string | null) =>
      world.db.updateTable('users').set({ suspended_at }).where('id', '=', bob.id).execute()
    const countOf = async () => (await cat.call(getPublicMember, { params: { id: ann.id } })).friend_count
    expect(await countOf()).toBe(1)
    await suspend(new Date().toISOString())
    expect([await friendNamesOf(ann), await requesterNamesOf(cat), await countOf()]).toEqual([[], [], 0])
    expect((await respond(cat, request, true)).status).toBe(404)

    await suspend(null)
    expect([await friendNamesOf(ann), await requesterNamesOf(cat)]).toEqual([[bob.username], [bob.username]])
  })
})
