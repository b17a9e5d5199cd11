import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { blockMember, unblockMember } from '#contract/members.ts'
import {
  countUnreadMessages,
  listMessages,
  listThreadMembers,
  listThreads,
  messageErrorMessages,
  sendMessage,
} from '#contract/messages.ts'
import { deleteProfile } from '#contract/profile.ts'
import type { Actor } from '#test/actor.ts'
import { contentsOf, conversation, markRead, write } from '#test/conversations.ts'
import { connectSocket } from '#test/socket-client.ts'
import { newWorld } from '#test/world.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())

describe('a message', () => {
  test('is trimmed, stored and readable by both members', async () => {
    const [ann, bob] = await world.members('ann', 'bob')
    const { status, body } = await ann.try(sendMessage, {
      body: { receiver_id: bob.id, content: '  Fresh eggs?\r\nToday  ' },
    })

    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.any(Number),
      sender_id: ann.id,
      receiver_id: bob.id,
      content: 'Fresh eggs?\nToday',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      is_read: false,
      client_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      listing: null,
      trade_id: null,
      images: [],
    })
    expect(await conversation(ann, bob)).toEqual([body])
    expect(await conversation(bob, ann)).toEqual([body])
  })

  test('can be sent by socket or HTTP and is published to all sockets of both members', async () => {
    const [cas, dea] = await world.members('cas', 'dea')
    using phone = await connectSocket(cas)
    using laptop = await connectSocket(cas)
    using deas = await connectSocket(dea)
    const client_id = randomUUID()
    const response = await phone.send('send_message', {
      receiver_id: dea.id,
      content: 'By socket',
      client_id,
    })
    const posted = await write(cas, dea, 'By HTTP')

    expect(response).toMatchObject({ ok: true, message: { content: 'By socket', client_id, is_read: false } })
    const stored = await conversation(dea, cas)
    expect(contentsOf(stored)).toEqual(['By socket', 'By HTTP'])
    expect(stored).toEqual([response.ok && response.message, posted])
    for (const socket of [phone, laptop, deas])
      await expect.poll(() => socket.received('new_message')).toEqual(stored)
  })

  test('that is sent again with its client_id is stored once', async () => {
    const [eli, fay] = await world.members('eli', 'fay')
    using socket = await connectSocket(fay)
    const body = { receiver_id: fay.id, content: 'Once', client_id: randomUUID() }
    const first = await eli.try(sendMessage, { body })
    const again = await eli.try(sendMessage, { body: { ...body, client_id: body.client_id.toUpperCase() } })
    expect([first.status, again.status]).toEqual([201, 200])
    expect(again.body).toEqual(first.body)
    // The first attempt may have been stored without being published, so the receiver has to resync.
    await expect.poll(() => socket.received('missed')).toHaveLength(1)

    await markRead(fay, eli)
    expect((await eli.try(sendMessage, { body })).body).toEqual({ ...first.body, is_read: true })
    expect(await eli.call(listMessages, { params: { id: fay.id }, query: {} })).toHaveLength(1)
    expect(await fay.call(countUnreadMessages)).toBe(0)
    expect(socket.received('new_message')).toHaveLength(1)
  })

  test('that is sent again after a block returns the stored message', async () => {
    const [liv, max] = await world.members('liv', 'max')
    const body = { receiver_id: max.id, content: 'Stored', client_id: randomUUID() }
    const { body: first } = await liv.try(sendMessage, { body })
    await max.call(blockMember, { params: { id: liv.id } })
    using sender = await connectSocket(liv)
    using receiver = await connectSocket(max)
    const again = await liv.try(sendMessage, { body })
    expect([again.status, again.body]).toEqual([200, first])

    // The receiver gets no event about it. The next event proves that an earlier one would have arrived.
    await expect.poll(() => sender.received('missed')).toHaveLength(1)
    world.publish([max.id], 'friends_changed', { user_id: 1 })
    await expect.poll(() => receiver.received('friends_changed')).toHaveLength(1)
    expect(receiver.received('missed')).toEqual([])
  })

  test('that is sent concurrently over sockets and HTTP is stored once', async () => {
    await using other = await world.node()
    const [gus, hal] = await world.members('gus', 'hal')
    using near = await connectSocket(gus)
    using far = await connectSocket(other.as(gus))
    const body = { receiver_id: hal.id, content: 'Once', client_id: randomUUID() }
    const transports = [
      () => near.send('send_message', body),
      () => far.send('send_message', body),
      () => gus.call(sendMessage, { body }),
    ]
    await Promise.all(Array.from({ length: 30 }, (_, nth) => transports[nth % 3]?.()))

    expect(await conversation(hal, gus)).toHaveLength(1)
    expect(await hal.call(countUnreadMessages)).toBe(1)
  })

  test('of another member may have the same client_id', async () => {
    const [ida, jon] = await world.members('ida', 'jon')
    const client_id = randomUUID()
    await ida.call(sendMessage, { body: { receiver_id: jon.id, content: 'Hers', client_id } })
    const { status } = await jon.try(sendMessage, {
      body: { receiver_id: ida.id, content: 'His', client_id },
    })

    expect(status).toBe(201)
    expect(contentsOf(await conversation(ida, jon))).toEqual(['Hers', 'His'])
  })
})

describe('an invalid message returns the same error by HTTP and by socket', () => {
  test.each<[name: string, status: number, detail: string, of: (other: Actor, self: Actor) => unknown]>([
    ['empty', 422, messageErrorMessages.empty, ({ id }) => ({ receiver_id: id, content: '' })],
    ['blank', 422, messageErrorMessages.empty, ({ id }) => ({ receiver_id: id, content: ' \n\t ' })],
    [
      'too long',
      422,
      messageErrorMessages.tooLong,
      ({ id }) => ({ receiver_id: id, content: 'x'.repeat(4001) }),
    ],
    ['to oneself', 422, messageErrorMessages.self, (_, { id }) => ({ receiver_id: id, content: 'Me' })],
    ['to an unknown member', 404, 'User not found', () => ({ receiver_id: 987_654_321, content: 'Hello' })],
    [
      'with a wrong client_id',
      422,
      'client_id must be a UUID',
      ({ id }) => ({ receiver_id: id, content: 'x', client_id: '7' }),
    ],
    [
      'with a NUL',
      422,
      'Please remove characters that can not be shown',
      ({ id }) => ({ receiver_id: id, content: 'a\0b' }),
    ],
    [
      'with half a surrogate pair',
      422,
      'Please remove characters that can not be shown',
      ({ id }) => ({ receiver_id: id, content: 'a\ud83c' }),
    ],
    ['without a receiver', 422, 'Please check "receiver_id"', () => ({ content: 'Hello' })],
  ])('%s', async (name, status, detail, of) => {
    const username = `refused_${name.replaceAll(' ', '_')}`.slice(0, 28)
    const [member, other] = await world.members(`${username}_a`.slice(-30), `${username}_b`.slice(-30))
    using socket = await connectSocket(member)
    const invalid = of(other, member)
    const response = await member.try(sendMessage, { body: invalid as never })
    expect([response.status, response.body.detail]).toEqual([status, detail])
    expect(await socket.sendAnything('send_message', invalid)).toEqual({ ok: false, status, detail })
    expect(await conversation(other, member)).toEqual([])
  })

  test.each([null, 'text', 42, [], undefined])('%j instead of an object', async (payload) => {
    const member = await world.member({ username: `odd_${typeof payload}_${String(payload).length}` })
    using socket = await connectSocket(member)
    expect(await socket.sendAnything('send_message', payload)).toMatchObject({ ok: false, status: 422 })
  })

  test('the longest message is accepted in any script', async () => {
    const [kim, lou] = await world.members('kim', 'lou')
    using socket = await connectSocket(kim)
    const content = '\u4f60'.repeat(4000)
    expect(await socket.send('send_message', { receiver_id: lou.id, content })).toMatchObject({ ok: true })
    expect(await conversation(lou, kim)).toMatchObject([{ content }])
  })
})

describe('authorization', () => {
  test('a block prevents messages in both directions and keeps earlier ones readable', async () => {
    const [may, ned] = await world.members('may', 'ned')
    await write(may, ned, 'Before')
    await may.call(blockMember, { params: { id: ned.id } })
    for (const [from, to] of [
      [may, ned],
      [ned, may],
    ] as const) {
      const { status, body } = await from.try(sendMessage, { body: { receiver_id: to.id, content: 'After' } })
      expect([status, body.detail]).toEqual([403, messageErrorMessages.notPossible])
    }
    expect(contentsOf(await conversation(ned, may))).toEqual(['Before'])

    await may.call(unblockMember, { params: { id: ned.id } })
    await write(ned, may, 'Again')
    expect(contentsOf(await conversation(may, ned))).toEqual(['Before', 'Again'])
  })

  test('a conversation is readable by its two members only', async () => {
    const [oda, pia, qin] = await world.members('oda', 'pia', 'qin')
    using socket = await connectSocket(qin)
    await write(oda, pia, 'Between us')

    expect(await conversation(qin, oda)).toEqual([])
    expect(await conversation(qin, pia)).toEqual([])
    expect(await qin.call(listThreads, { query: {} })).toEqual([])
    expect(await markRead(qin, oda)).toEqual({ updated: 0 })
    expect(await pia.call(countUnreadMessages)).toBe(1)
    expect(socket.received('new_message')).toEqual([])
  })

  test('a suspended member can not receive messages, and their messages stay without a name', async () => {
    const [ron, sue] = await world.members('ron', 'sue')
    await write(sue, ron, 'Buy my magic beans')
    await world.suspend(sue)
    const refused = await ron.try(sendMessage, { body: { receiver_id: sue.id, content: 'Hello?' } })

    expect([refused.status, refused.body.detail]).toEqual([404, 'User not found'])
    expect(await ron.call(listThreads, { query: {} })).toMatchObject([{ user_id: sue.id, user: null }])
    expect(contentsOf(await conversation(ron, sue))).toEqual(['Buy my magic beans'])
  })
})

describe('deleting an account', () => {
  test('keeps the messages for the other member, without a name', async () => {
    const [vic, wes] = await world.members('vic', 'wes')
    await write(vic, wes, 'Farewell')
    await write(wes, vic, 'Oh')
    await vic.call(deleteProfile, { body: { password: vic.password } })

    expect(contentsOf(await conversation(wes, vic))).toEqual(['Farewell', 'Oh'])
    expect(await wes.call(listThreads, { query: {} })).toMatchObject([
      { user_id: vic.id, user: null, last_message: { content: 'Oh' }, unread_count: 1 },
    ])
    expect(await wes.call(listThreadMembers, { query: {} })).toEqual([vic.id])
    expect(await markRead(wes, vic)).toEqual({ updated: 1 })
    const refused = await wes.try(sendMessage, { body: { receiver_id: vic.id, content: 'Still there?' } })
    expect([refused.status, refused.body.detail]).toEqual([404, 'User not found'])
  })

  test('deletes conversations whose other member is deleted too', async () => {
    const [xia, yan, zoe] = await world.members('xia', 'yan', 'zoe')
    await write(xia, yan, 'Hello')
    await write(xia, zoe, 'Hello, too')
    const stored = async () =>
      contentsOf(
        await world.db.selectFrom('messages').select('content').where('sender_id', '=', xia.id).execute(),
      )
    await xia.call(deleteProfile, { body: { password: xia.password } })
    expect(await stored()).toEqual(['Hello', 'Hello, too'])
    await yan.call(deleteProfile, { body: { password: yan.password } })
    expect(await stored()).toEqual(['Hello, too'])
  })

  test('concurrently with the other member deletes the conversation', async () => {
    const [adam, eve] = await world.members('adam', 'eve')
    await write(adam, eve, 'Apple?')
    await Promise.all(
      [adam, eve].map((member) => member.call(deleteProfile, { body: { password: member.password } })),
    )
    const left = await world.db.selectFrom('messages').select('id').where('sender_id', '=', adam.id).execute()
    expect(left).toEqual([])
  })
})
