import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { limits } from '#contract/constants.ts'
import {
  friendMessages,
  getFriendStatus,
  listFriendRequests,
  listFriends,
  removeFriend,
  requestFriend,
  respondToFriend,
} from '#contract/friends.ts'
import { createListing, getListing } from '#contract/listings.ts'
import { blockMember, getPublicMember, memberMessages, unblockMember } from '#contract/members.ts'
import { exportProfile } from '#contract/profile.ts'
import type { Actor } from '#test/actor.ts'
import { connectSocket } from '#test/socket-client.ts'
import { newWorld } from '#test/world.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())

let groups = 0
/** Ann, Bob and Cat, whom no other test knows. */
async function people(): Promise<[ann: Actor, bob: Actor, cat: Actor]> {
  groups += 1
  const members = await world.members(`ann_${groups}`, `bob_${groups}`, `cat_${groups}`)
  return [members[0], members[1], members[2]] as [Actor, Actor, Actor]
}

const ask = (one: Actor, other: Actor) => one.try(requestFriend, { body: { friend_id: other.id } })
const answer = (one: Actor, request_id: number | null, accept: boolean) =>
  one.try(respondToFriend, { body: { request_id: request_id ?? 0, accept } })
const end = (one: Actor, other: Actor) => one.try(removeFriend, { params: { id: other.id } })
const standing = (one: Actor, other: Actor) => one.call(getFriendStatus, { params: { id: other.id } })
const names = async (one: Actor) =>
  (await one.call(listFriends, { query: {} })).map(({ username }) => username)
const waiting = async (one: Actor) =>
  (await one.call(listFriendRequests, { query: {} })).map(({ username }) => username)
const nothing = { status: 'none', is_sender: false, request_id: null }

/** Asks, and returns the number of the request. */
async function asked(one: Actor, other: Actor): Promise<number> {
  const { request_id } = await one.call(requestFriend, { body: { friend_id: other.id } })
  return request_id ?? 0
}

describe('a request', () => {
  test('waits for the one who was asked, and only for them', async () => {
    const [ann, bob, cat] = await people()
    const { status, body } = await ask(ann, bob)
    expect([status, body]).toEqual([201, { status: 'pending', is_sender: true, request_id: body.request_id }])
    expect(await standing(ann, bob)).toEqual(body)
    expect(await standing(bob, ann)).toEqual({ ...body, is_sender: false })
    expect(await standing(cat, ann)).toEqual(nothing)
    expect(await bob.call(listFriendRequests, { query: {} })).toEqual([
      {
        id: body.request_id,
        user_id: ann.id,
        username: ann.username,
        profile_picture: null,
        created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      },
    ])
    expect([await waiting(ann), await waiting(cat), await names(ann), await names(bob)]).toEqual([
      [],
      [],
      [],
      [],
    ])
  })

  test('again is nothing new', async () => {
    const [ann, bob] = await people()
    const first = await ask(ann, bob)
    const second = await ask(ann, bob)
    expect([first.status, second.status, second.body]).toEqual([201, 200, first.body])
    expect(await waiting(bob)).toHaveLength(1)
  })

  test('of someone who has asked already makes both friends', async () => {
    const [ann, bob] = await people()
    await ask(ann, bob)
    const { status, body } = await ask(bob, ann)
    expect([status, body]).toEqual([200, { status: 'accepted', is_sender: false, request_id: null }])
    expect(await standing(ann, bob)).toEqual({ status: 'accepted', is_sender: true, request_id: null })
    expect([await names(ann), await names(bob), await waiting(bob)]).toEqual([
      [bob.username],
      [ann.username],
      [],
    ])
  })

  test('to oneself, to nobody, to a friend, or without an id is refused in a sentence', async () => {
    const [ann, bob] = await people()
    await world.befriend(ann, bob)
    const tries: [unknown, number, string][] = [
      [ann.id, 422, friendMessages.self],
      [String(ann.id), 422, friendMessages.self],
      [987_654_321, 404, memberMessages.notFound],
      [bob.id, 409, friendMessages.friendsAlready],
      ['bob', 422, 'Please check "friend_id"'],
      [undefined, 422, 'Please check "friend_id"'],
      [0, 422, 'Please check "friend_id"'],
    ]
    for (const [friend_id, status, detail] of tries) {
      const refused = await ann.try(requestFriend, { body: { friend_id } as never })
      expect([friend_id, refused.status, refused.body.detail]).toEqual([friend_id, status, detail])
    }
  })

  test('may be withdrawn by the one who asked, and is gone', async () => {
    const [ann, bob, cat] = await people()
    const request = await asked(ann, bob)
    expect((await end(bob, ann)).status).toBe(404)
    expect((await end(cat, ann)).status).toBe(404)
    expect((await end(ann, bob)).status).toBe(204)
    const again = await end(ann, bob)
    expect([again.status, again.body.detail]).toEqual([404, friendMessages.notFriends])
    const late = await answer(bob, request, true)
    expect([late.status, late.body.detail]).toEqual([404, friendMessages.requestNotFound])
    expect([await standing(ann, bob), await standing(bob, ann)]).toEqual([nothing, nothing])
    expect(await waiting(bob)).toEqual([])
  })
})

describe('an answer', () => {
  test('may be given by the one who was asked only', async () => {
    const [ann, bob, cat] = await people()
    const request = await asked(ann, bob)
    for (const who of [ann, cat]) {
      for (const accept of [true, false]) {
        const refused = await answer(who, request, accept)
        expect([refused.status, refused.body.detail]).toEqual([404, friendMessages.requestNotFound])
      }
    }
    expect(await standing(ann, bob)).toMatchObject({ status: 'pending' })
    expect((await answer(bob, request, true)).body).toEqual({
      status: 'accepted',
      is_sender: false,
      request_id: null,
    })
    expect((await answer(bob, request, true)).status).toBe(404)
    expect(await names(ann)).toEqual([bob.username])
    expect((await bob.call(getPublicMember, { params: { id: ann.id } })).friend_count).toBe(1)
    expect(await names(cat)).toEqual([])
  })

  test('opens what is for friends only, and the end of the friendship closes it', async () => {
    const [ann, bob, cat] = await people()
    const { id } = await bob.call(createListing, {
      body: { title: 'Old roses', price: 3, is_public: false },
    })
    const seenBy = async (who: Actor) => (await who.try(getListing, { params: { id } })).status
    const request = await asked(ann, bob)
    expect(await seenBy(ann)).toBe(404)
    await answer(bob, request, true)
    expect([await seenBy(ann), await seenBy(cat)]).toEqual([200, 404])
    expect((await end(bob, ann)).status).toBe(204)
    expect([await seenBy(ann), await standing(ann, bob), await standing(bob, ann)]).toEqual([
      404,
      nothing,
      nothing,
    ])
    expect((await end(ann, bob)).status).toBe(404)
    expect((await ask(ann, bob)).status).toBe(201)
  })

  test('of no is not told: to the one declined it reads as if there had been nothing', async () => {
    const [ann, bob] = await people()
    const request = await asked(ann, bob)
    expect((await answer(bob, request, false)).body).toEqual({
      status: 'rejected',
      is_sender: false,
      request_id: null,
    })
    expect(await standing(ann, bob)).toEqual(nothing)
    expect(await standing(bob, ann)).toEqual({ status: 'rejected', is_sender: false, request_id: null })
    expect([await waiting(bob), await names(bob)]).toEqual([[], []])
    expect((await end(ann, bob)).status).toBe(404)
    expect((await end(bob, ann)).status).toBe(404)
    const kept = async (who: Actor) => (await who.call(exportProfile)).friendships
    expect(await kept(ann)).toEqual([])
    expect(await kept(bob)).toMatchObject([{ status: 'rejected', requester_id: ann.id }])
    expect(JSON.stringify(await kept(bob))).not.toMatch(/declines|answered_at/)
  })

  test('of no is not the last word: either may ask again, and an old request is not the new one', async () => {
    const [ann, bob] = await people()
    const first = await asked(ann, bob)
    await answer(bob, first, false)
    const second = await ask(ann, bob)
    expect(second.status).toBe(201)
    expect((await answer(bob, first, true)).status).toBe(404)
    await answer(bob, second.body.request_id, false)

    const turned = await ask(bob, ann)
    expect([turned.status, await waiting(ann), await waiting(bob)]).toEqual([201, [bob.username], []])
    expect((await answer(ann, turned.body.request_id, true)).status).toBe(200)
    expect(await standing(bob, ann)).toMatchObject({ status: 'accepted', is_sender: true })
  })

  test('of no three times gives peace for a month, also when requests are withdrawn between', async () => {
    const [ann, bob] = await people()
    for (let time = 0; time < limits.friends.declines; time += 1) {
      await answer(bob, await asked(ann, bob), false)
      if (time < limits.friends.declines - 1) {
        await asked(ann, bob)
        expect((await end(ann, bob)).status).toBe(204)
      }
    }
    const refused = await ask(ann, bob)
    expect([refused.status, refused.body.detail]).toEqual([403, friendMessages.notPossible])
    expect(await standing(ann, bob)).toEqual(nothing)

    const past = new Date(Date.now() - (limits.friends.daysOfRest + 1) * 86_400_000).toISOString()
    await world.db
      .updateTable('friendships')
      .set({ answered_at: past })
      .where('requester_id', '=', ann.id)
      .execute()
    expect((await ask(ann, bob)).status).toBe(201)
    await end(ann, bob)
    expect((await ask(bob, ann)).status).toBe(201)
  })
})

describe('a block', () => {
  test('and its end do not wipe out how often one was declined, whoever blocks', async () => {
    const [ann, bob] = await people()
    const block = async (one: Actor, other: Actor) => {
      await one.call(blockMember, { params: { id: other.id } })
      await one.call(unblockMember, { params: { id: other.id } })
    }
    for (let time = 0; time < limits.friends.declines; time += 1) {
      await answer(bob, await asked(ann, bob), false)
      await block(ann, bob)
      expect(await standing(bob, ann)).toEqual({ status: 'rejected', is_sender: false, request_id: null })
      expect(await standing(ann, bob)).toEqual(nothing)
      if (time === limits.friends.declines - 1) break
      // A request that waits ends with the block.
      await asked(ann, bob)
      await block(time === 0 ? ann : bob, time === 0 ? bob : ann)
      expect([await standing(ann, bob), await waiting(bob)]).toEqual([nothing, []])
    }
    const refused = await ask(ann, bob)
    expect([refused.status, refused.body.detail]).toEqual([403, friendMessages.notPossible])
    expect((await ask(bob, ann)).status).toBe(201)
  })

  test('of somebody who was declined tells them nothing', async () => {
    const [ann, bob] = await people()
    await answer(bob, await asked(ann, bob), false)
    using anns = await connectSocket(ann)
    await bob.call(blockMember, { params: { id: ann.id } })
    world.publish([ann.id], 'friends_changed', { user_id: 1 })
    await expect.poll(() => anns.received('friends_changed')).toEqual([{ user_id: 1 }])
    expect(await standing(ann, bob)).toEqual(nothing)
  })

  test('ends what there is, and neither side may ask while it lasts', async () => {
    const [ann, bob, cat] = await people()
    await world.befriend(ann, bob)
    const request = await asked(cat, bob)
    await bob.call(blockMember, { params: { id: ann.id } })
    await bob.call(blockMember, { params: { id: cat.id } })
    expect([await names(ann), await names(bob), await waiting(bob)]).toEqual([[], [], []])
    expect((await answer(bob, request, true)).status).toBe(404)
    for (const [one, other] of [
      [ann, bob],
      [bob, ann],
    ] as const) {
      const refused = await ask(one, other)
      expect([refused.status, refused.body.detail]).toEqual([403, friendMessages.notPossible])
      expect(await standing(one, other)).toEqual(nothing)
    }
    await bob.call(unblockMember, { params: { id: ann.id } })
    expect((await ask(ann, bob)).status).toBe(201)
  })
})

describe('a suspended member', () => {
  test('is in no list, can not be asked, and what they asked can not be answered, until restored', async () => {
    const [ann, bob, cat] = await people()
    await world.befriend(ann, bob)
    const request = await asked(bob, cat)
    const suspend = (suspended_at: string | null) =>
      world.db.updateTable('users').set({ suspended_at }).where('id', '=', bob.id).execute()
    await suspend(new Date().toISOString())
    expect([await names(ann), await waiting(cat)]).toEqual([[], []])
    expect((await ann.try(getFriendStatus, { params: { id: bob.id } })).status).toBe(404)
    expect((await ask(cat, bob)).status).toBe(404)
    expect((await answer(cat, request, true)).status).toBe(404)

    await suspend(null)
    expect([await names(ann), await waiting(cat)]).toEqual([[bob.username], [bob.username]])
  })
})

test('an id that is no id is the same as one that nobody has', async () => {
  const [ann] = await people()
  for (const [method, path, detail] of [
    ['GET', '/api/auth/friends/status/', memberMessages.notFound],
    ['DELETE', '/api/auth/friends/', friendMessages.notFriends],
  ] as const) {
    for (const id of ['987654321', '0', '-1', '1e3', 'x', '9'.repeat(40), '1%00']) {
      const { status, body } = await ann.send(method, path + id)
      expect([method, id, status, body.detail]).toEqual([method, id, 404, detail])
    }
  }
})

describe('two at the same moment', () => {
  const times = 25

  test('who ask each other become friends', async () => {
    const [ann, bob] = await people()
    for (let time = 0; time < times; time += 1) {
      const both = await Promise.all([ask(ann, bob), ask(bob, ann)])
      expect(both.map(({ status }) => status).sort()).toEqual([200, 201])
      expect([await names(ann), await names(bob)]).toEqual([[bob.username], [ann.username]])
      await end(ann, bob)
    }
  })

  test('who ask one another many times over leave one request or one friendship', async () => {
    const [ann, bob] = await people()
    for (let time = 0; time < 5; time += 1) {
      const all = await Promise.all(
        [ann, ann, ann, bob, bob, bob].map((one) => ask(one, one === ann ? bob : ann)),
      )
      const statuses = all.map(({ status }) => status)
      expect(statuses.filter((status) => status === 201)).toHaveLength(1)
      expect(statuses.every((status) => [200, 201, 409].includes(status))).toBe(true)
      expect(await standing(ann, bob)).toMatchObject({ status: 'accepted' })
      await end(ann, bob)
    }
  })

  test('who accept and decline one request: one of the two counts', async () => {
    const [ann, bob] = await people()
    for (let time = 0; time < times; time += 1) {
      const request = await asked(ann, bob)
      const [yes, no] = await Promise.all([answer(bob, request, true), answer(bob, request, false)])
      expect([yes.status, no.status].sort()).toEqual([200, 404])
      expect((await standing(bob, ann)).status).toBe(yes.status === 200 ? 'accepted' : 'rejected')
      await world.db.deleteFrom('friendships').where('requester_id', '=', ann.id).execute()
    }
  })

  test('who accept and withdraw: the one who asked has their way', async () => {
    const [ann, bob] = await people()
    for (let time = 0; time < times; time += 1) {
      const request = await asked(ann, bob)
      const [yes, gone] = await Promise.all([answer(bob, request, true), end(ann, bob)])
      expect(gone.status).toBe(204)
      expect([200, 404]).toContain(yes.status)
      expect([await standing(ann, bob), await standing(bob, ann)]).toEqual([nothing, nothing])
    }
  })

  test('who decline and withdraw one request: the decline counts, or there was nothing to decline', async () => {
    const [ann, bob] = await people()
    for (let time = 0; time < times; time += 1) {
      const request = await asked(ann, bob)
      const [no, gone] = await Promise.all([answer(bob, request, false), end(ann, bob)])
      expect([no.status, gone.status].sort()).toEqual(no.status === 200 ? [200, 404] : [204, 404])
      expect((await standing(bob, ann)).status).toBe(no.status === 200 ? 'rejected' : 'none')
      await world.db.deleteFrom('friendships').where('requester_id', '=', ann.id).execute()
    }
  })

  test('who block and ask: no request waits behind a block', async () => {
    const [ann, bob] = await people()
    for (let time = 0; time < times; time += 1) {
      const [blocked, request] = await Promise.all([
        bob.try(blockMember, { params: { id: ann.id } }),
        ask(ann, bob),
      ])
      expect(blocked.status).toBe(204)
      expect([201, 403]).toContain(request.status)
      expect([await waiting(bob), await standing(ann, bob), await standing(bob, ann)]).toEqual([
        [],
        nothing,
        nothing,
      ])
      await bob.call(unblockMember, { params: { id: ann.id } })
    }
  })

  test('who decline and block: the decline is not forgotten', async () => {
    const [ann, bob] = await people()
    for (let time = 0; time < times; time += 1) {
      const request = await asked(ann, bob)
      const [no] = await Promise.all([
        answer(bob, request, false),
        ann.try(blockMember, { params: { id: bob.id } }),
      ])
      await ann.call(unblockMember, { params: { id: bob.id } })
      expect([200, 404]).toContain(no.status)
      expect((await standing(bob, ann)).status).toBe(no.status === 200 ? 'rejected' : 'none')
      await world.db.deleteFrom('friendships').where('requester_id', '=', ann.id).execute()
    }
  })

  test('who ask, accept, withdraw and block: never a failure, and a block leaves nothing', async () => {
    const [ann, bob] = await people()
    for (let time = 0; time < times; time += 1) {
      const request = await asked(ann, bob)
      const all = await Promise.all([
        answer(bob, request, true),
        ask(bob, ann),
        end(ann, bob),
        ask(ann, bob),
        bob.try(blockMember, { params: { id: ann.id } }),
        ask(ann, bob),
      ])
      expect(all.map(({ status }) => status).filter((status) => status >= 500)).toEqual([])
      const { rows } =
        await sql`select from friendships where requester_id in (${ann.id}, ${bob.id})`.execute(world.db)
      expect(rows).toEqual([])
      await bob.call(unblockMember, { params: { id: ann.id } })
    }
  })
})

describe('no more than five thousand friends', () => {
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

  test('on either side, when asking and when accepting', async () => {
    const [ann, bob, cat] = await people()
    const early = await asked(cat, ann)
    await fillUp(ann, limits.friends.most - 1)
    const late = await asked(bob, ann)
    expect((await answer(ann, early, true)).status).toBe(200)

    const refused = await answer(ann, late, true)
    expect([refused.status, refused.body.detail]).toEqual([429, friendMessages.tooManyFriends])
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
    await end(bob, ann)
    const toFull = await ask(bob, ann)
    expect([toFull.status, toFull.body.detail]).toEqual([429, friendMessages.theyHaveTooMany])
    const byFull = await ask(ann, bob)
    expect([byFull.status, byFull.body.detail]).toEqual([429, friendMessages.tooManyFriends])
    expect(await standing(ann, bob)).toEqual(nothing)

    await end(ann, cat)
    expect((await ask(bob, ann)).status).toBe(201)
  })

  test('not even when two are accepted at the same moment', async () => {
    const [ann, bob, cat] = await people()
    const requests = [await asked(bob, ann), await asked(cat, ann)]
    await fillUp(ann, limits.friends.most - 1)
    const both = await Promise.all(requests.map((request) => answer(ann, request, true)))
    expect(both.map(({ status }) => status).sort()).toEqual([200, 429])
    const { friend_count } = await bob.call(getPublicMember, { params: { id: ann.id } })
    expect(friend_count).toBe(limits.friends.most)
  })
})
