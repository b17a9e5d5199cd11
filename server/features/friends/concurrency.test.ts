import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { limits } from '#contract/constants.ts'
import { friendMessages } from '#contract/friends.ts'
import { blockMember, getPublicMember, unblockMember } from '#contract/members.ts'
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
import { shortOrLong } from '#test/long.ts'
import { newWorld } from '#test/world.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())

/** Registers three members that no other test uses. */
const newMembers = () => world.uniqueMembers('ann', 'bob', 'cat')

describe('concurrent calls', () => {
  /** Runs a race several times with the same two members, without a friendship or a request between them at first. */
  async function repeatRace(race: (ann: Actor, bob: Actor) => Promise<void>, times = shortOrLong(6, 25)) {
    const [ann, bob] = await newMembers()
    for (let time = 0; time < times; time += 1) {
      await race(ann, bob)
      await world.db.deleteFrom('friendships').where('requester_id', 'in', [ann.id, bob.id]).execute()
    }
  }

  test('make friends of two members who request each other', () =>
    repeatRace(async (ann, bob) => {
      const both = await Promise.all([tryRequest(ann, bob), tryRequest(bob, ann)])
      expect(both.map(({ status }) => status).sort()).toEqual([200, 201])
      expect([await friendNamesOf(ann), await friendNamesOf(bob)]).toEqual([[bob.username], [ann.username]])
    }))

  test('make one friendship of several mutual requests', () =>
    repeatRace(
      async (ann, bob) => {
        const all = await Promise.all(
          [ann, ann, ann, bob, bob, bob].map((one) => tryRequest(one, one === ann ? bob : ann)),
        )
        const statuses = all.map(({ status }) => status)
        expect(statuses.filter((status) => status === 201)).toHaveLength(1)
        expect(statuses.every((status) => [200, 201, 409].includes(status))).toBe(true)
        expect(await statusOf(ann, bob)).toMatchObject({ status: 'accepted' })
      },
      shortOrLong(2, 5),
    ))

  test('accept or decline a request, but not both', () =>
    repeatRace(async (ann, bob) => {
      const request = await newRequest(ann, bob)
      const [yes, no] = await Promise.all([respond(bob, request, true), respond(bob, request, false)])
      expect([yes.status, no.status].sort()).toEqual([200, 404])
      expect((await statusOf(bob, ann)).status).toBe(yes.status === 200 ? 'accepted' : 'rejected')
    }))

  test('leave no friendship after accepting and withdrawing', () =>
    repeatRace(async (ann, bob) => {
      const request = await newRequest(ann, bob)
      const [yes, gone] = await Promise.all([respond(bob, request, true), unfriend(ann, bob)])
      expect(gone.status).toBe(204)
      expect([200, 404]).toContain(yes.status)
      expect([await statusOf(ann, bob), await statusOf(bob, ann)]).toEqual([noFriendship, noFriendship])
    }))

  test('decline or withdraw a request, but not both', () =>
    repeatRace(async (ann, bob) => {
      const request = await newRequest(ann, bob)
      const [no, gone] = await Promise.all([respond(bob, request, false), unfriend(ann, bob)])
      expect([no.status, gone.status].sort()).toEqual(no.status === 200 ? [200, 404] : [204, 404])
      expect((await statusOf(bob, ann)).status).toBe(no.status === 200 ? 'rejected' : 'none')
    }))

  test('leave no request after blocking and requesting', () =>
    repeatRace(async (ann, bob) => {
      const [blocked, request] = await Promise.all([
        bob.try(blockMember, { params: { id: ann.id } }),
        tryRequest(ann, bob),
      ])
      expect(blocked.status).toBe(204)
      expect([201, 403]).toContain(request.status)
      expect([await requesterNamesOf(bob), await statusOf(ann, bob), await statusOf(bob, ann)]).toEqual([
        [],
        noFriendship,
        noFriendship,
      ])
      await bob.call(unblockMember, { params: { id: ann.id } })
    }))

  test('keep a decline that succeeds during a block', () =>
    repeatRace(async (ann, bob) => {
      const request = await newRequest(ann, bob)
      const [no] = await Promise.all([
        respond(bob, request, false),
        ann.try(blockMember, { params: { id: bob.id } }),
      ])
      await ann.call(unblockMember, { params: { id: bob.id } })
      expect([200, 404]).toContain(no.status)
      expect((await statusOf(bob, ann)).status).toBe(no.status === 200 ? 'rejected' : 'none')
    }))

  test('request, accept, withdraw and block without an error and leave no friendship', () =>
    repeatRace(async (ann, bob) => {
      const request = await newRequest(ann, bob)
      const all = await Promise.all([
        respond(bob, request, true),
        tryRequest(bob, ann),
        unfriend(ann, bob),
        tryRequest(ann, bob),
        bob.try(blockMember, { params: { id: ann.id } }),
        tryRequest(ann, bob),
      ])
      expect(all.map(({ status }) => status).filter((status) => status >= 500)).toEqual([])
      const { rows } =
        await sql`select from friendships where requester_id in (${ann.id}, ${bob.id})`.execute(world.db)
      expect(rows).toEqual([])
      await bob.call(unblockMember, { params: { id: ann.id } })
    }))
})

describe('the limit of five thousand friends', () => {
  /** Inserts friendships directly, because thousands of requests would take too long. */
  async function fillUp(actor: Actor, count: number): Promise<void> {
    await sql`
      with strangers as (
        insert into users (username, email, password_hash, first_name, last_name)
        select 'f' || ${actor.id}::text || '_' || n, 'f' || ${actor.id}::text || '_' || n || '@example.com', 'x', 'F', 'F'
        from generate_series(1, ${count}::int) n returning id
      )
      insert into friendships (low_id, high_id, requester_id, status)
      select ${actor.id}, id, id, 'accepted' from strangers`.execute(world.db)
  }

  test('applies to both members when requesting and accepting', async () => {
    const [ann, bob, cat] = await newMembers()
    const early = await newRequest(cat, ann)
    await fillUp(ann, limits.friends.max - 1)
    const late = await newRequest(bob, ann)
    expect((await respond(ann, early, true)).status).toBe(200)

    const refused = await respond(ann, late, true)
    expect([refused.status, refused.body.detail]).toEqual([429, friendMessages.tooManyFriends])
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
    await unfriend(bob, ann)
    const toFull = await tryRequest(bob, ann)
    expect([toFull.status, toFull.body.detail]).toEqual([429, friendMessages.theyHaveTooMany])
    const byFull = await tryRequest(ann, bob)
    expect([byFull.status, byFull.body.detail]).toEqual([429, friendMessages.tooManyFriends])
    expect(await statusOf(ann, bob)).toEqual(noFriendship)

    await unfriend(ann, cat)
    expect((await tryRequest(bob, ann)).status).toBe(201)
  })

  test('holds when two requests are accepted concurrently', async () => {
    const [ann, bob, cat] = await newMembers()
    const requests = [await newRequest(bob, ann), await newRequest(cat, ann)]
    await fillUp(ann, limits.friends.max - 1)
    const both = await Promise.all(requests.map((request) => respond(ann, request, true)))
    expect(both.map(({ status }) => status).sort()).toEqual([200, 429])
    const { friend_count } = await bob.call(getPublicMember, { params: { id: ann.id } })
    expect(friend_count).toBe(limits.friends.max)
  })
})
