import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { blockMember, unblockMember } from '#contract/members.ts'
import {
  countUnreadMessages,
  listMessages,
  listThreadMembers,
  listThreads,
  markThreadRead,
  messageErrorMessages,
  sendMessage,
} from '#contract/messages.ts'
import { deleteProfile, exportProfile } from '#contract/profile.ts'
import type { Actor } from '#test/actor.ts'
import { connectSocket } from '#test/socket-client.ts'
import { newWorld } from '#test/world.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())

const write = (from: Actor, to: { id: number }, content: string) =>
  from.call(sendMessage, { body: { receiver_id: to.id, content } })
const talk = (reader: Actor, other: { id: number }, query = {}) =>
  reader.call(listMessages, { params: { id: other.id }, query })
const contents = (messages: readonly { content: string }[]) => messages.map(({ content }) => content)
const read = (reader: Actor, other: { id: number }) =>
  reader.call(markThreadRead, { params: { id: other.id } })

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
    expect(await talk(ann, bob)).toEqual([body])
    expect(await talk(bob, ann)).toEqual([body])
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
    const stored = await talk(dea, cas)
    expect(contents(stored)).toEqual(['By socket', 'By HTTP'])
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

    await read(fay, eli)
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

    expect(await talk(hal, gus)).toHaveLength(1)
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
    expect(contents(await talk(ida, jon))).toEqual(['Hers', 'His'])
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
    expect(await talk(other, member)).toEqual([])
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
    expect(await talk(lou, kim)).toMatchObject([{ content }])
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
    expect(contents(await talk(ned, may))).toEqual(['Before'])

    await may.call(unblockMember, { params: { id: ned.id } })
    await write(ned, may, 'Again')
    expect(contents(await talk(may, ned))).toEqual(['Before', 'Again'])
  })

  test('a conversation is readable by its two members only', async () => {
    const [oda, pia, qin] = await world.members('oda', 'pia', 'qin')
    using socket = await connectSocket(qin)
    await write(oda, pia, 'Between us')

    expect(await talk(qin, oda)).toEqual([])
    expect(await talk(qin, pia)).toEqual([])
    expect(await qin.call(listThreads, { query: {} })).toEqual([])
    expect(await read(qin, oda)).toEqual({ updated: 0 })
    expect(await pia.call(countUnreadMessages)).toBe(1)
    expect(socket.received('new_message')).toEqual([])
  })

  test('a suspended member can not receive messages, and their messages stay without a name', async () => {
    const [ron, sue, tom] = await world.members('ron', 'sue', 'tom')
    await write(sue, ron, 'Buy my magic beans')
    await world.suspend(sue)
    const refused = await ron.try(sendMessage, { body: { receiver_id: sue.id, content: 'Hello?' } })

    expect([refused.status, refused.body.detail]).toEqual([404, 'User not found'])
    expect(await ron.call(listThreads, { query: {} })).toMatchObject([{ user_id: sue.id, user: null }])
    expect(contents(await talk(ron, sue))).toEqual(['Buy my magic beans'])
    expect((await tom.try(listMessages, { params: { id: sue.id }, query: {} })).status).toBe(404)
  })

  test('a conversation with an unknown member or oneself returns 404', async () => {
    const [una] = await world.members('una')
    for (const id of [987_654_321, una.id]) {
      const params = { id }
      for (const request of [
        una.try(listMessages, { params, query: {} }),
        una.try(markThreadRead, { params }),
      ])
        expect(await request).toMatchObject({ status: 404, body: { detail: 'User not found' } })
    }
  })
})

describe('deleting an account', () => {
  test('keeps the messages for the other member, without a name', async () => {
    const [vic, wes] = await world.members('vic', 'wes')
    await write(vic, wes, 'Farewell')
    await write(wes, vic, 'Oh')
    await vic.call(deleteProfile, { body: { password: vic.password } })

    expect(contents(await talk(wes, vic))).toEqual(['Farewell', 'Oh'])
    expect(await wes.call(listThreads, { query: {} })).toMatchObject([
      { user_id: vic.id, user: null, last_message: { content: 'Oh' }, unread_count: 1 },
    ])
    expect(await wes.call(listThreadMembers, { query: {} })).toEqual([vic.id])
    expect(await read(wes, vic)).toEqual({ updated: 1 })
    const refused = await wes.try(sendMessage, { body: { receiver_id: vic.id, content: 'Still there?' } })
    expect([refused.status, refused.body.detail]).toEqual([404, 'User not found'])
  })

  test('deletes conversations whose other member is deleted too', async () => {
    const [xia, yan, zoe] = await world.members('xia', 'yan', 'zoe')
    await write(xia, yan, 'Hello')
    await write(xia, zoe, 'Hello, too')
    const stored = async () =>
      contents(
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

describe('reading', () => {
  test('a thread reduces the count of unread messages', async () => {
    const [abe, bea, cem] = await world.members('abe', 'bea', 'cem')
    using writers = await connectSocket(bea)
    using readers = await connectSocket(abe)
    await write(bea, abe, 'One')
    const { id } = await write(bea, abe, 'Two')
    await write(cem, abe, 'Three')
    expect(await abe.call(countUnreadMessages)).toBe(3)
    expect((await abe.call(listThreads, { query: {} })).map(({ unread_count }) => unread_count)).toEqual([
      1, 2,
    ])
    expect((await talk(abe, bea)).map(({ is_read }) => is_read)).toEqual([false, false])

    expect(await read(abe, bea)).toEqual({ updated: 2 })
    expect(await read(abe, bea)).toEqual({ updated: 0 })
    expect(await abe.call(countUnreadMessages)).toBe(1)
    for (const side of [await talk(abe, bea), await talk(bea, abe)])
      expect(side.map(({ is_read }) => is_read)).toEqual([true, true])
    const events = [{ reader_id: abe.id, user_id: bea.id, last_read_id: id }]
    for (const socket of [writers, readers])
      await expect.poll(() => socket.received('thread_read')).toEqual(events)
  })

  test('is hidden from the other member during a block', async () => {
    const [jan, kay] = await world.members('jan', 'kay')
    for (const [blocker, blocked] of [
      [jan, kay],
      [kay, jan],
    ] as const) {
      await write(kay, jan, 'Before the block')
      await write(jan, kay, 'Before the block')
      await blocker.call(blockMember, { params: { id: blocked.id } })
      for (const [reader, writer] of [
        [jan, kay],
        [kay, jan],
      ] as const) {
        using readers = await connectSocket(reader)
        using writers = await connectSocket(writer)
        expect(await read(reader, writer)).toEqual({ updated: 1 })
        expect(await reader.call(countUnreadMessages)).toBe(0)
        const received = (await talk(reader, writer)).filter(({ sender_id }) => sender_id === writer.id)
        expect(received.at(-1)?.is_read).toBe(true)
        const sent = (await talk(writer, reader)).filter(({ sender_id }) => sender_id === writer.id)
        expect(sent.at(-1)?.is_read).toBe(false)
        await expect.poll(() => readers.received('thread_read')).toHaveLength(1)
        world.publish([writer.id], 'friends_changed', { user_id: 1 })
        await expect.poll(() => writers.received('friends_changed')).toHaveLength(1)
        expect(writers.received('thread_read')).toEqual([])
      }
      expect((await kay.call(listThreads, { query: {} }))[0]?.last_message.is_read).toBe(
        (await talk(kay, jan)).at(-1)?.is_read,
      )
      expect(JSON.stringify((await blocked.call(exportProfile)).threads)).not.toContain('shown_read_id')
      await blocker.call(unblockMember, { params: { id: blocked.id } })
    }
    await write(kay, jan, 'After the block')
    await read(jan, kay)
    expect((await talk(kay, jan)).at(-1)?.is_read).toBe(true)
  })

  test('does not happen by writing, and own messages are never unread', async () => {
    const [dan, eva] = await world.members('dan', 'eva')
    await write(dan, eva, 'Hi')
    await write(eva, dan, 'Hi yourself')
    expect([await dan.call(countUnreadMessages), await eva.call(countUnreadMessages)]).toEqual([1, 1])
    await read(eva, dan)
    expect((await talk(dan, eva)).map(({ is_read }) => is_read)).toEqual([true, false])
  })
})

describe('pages', () => {
  test('of a conversation are the latest messages, or those before or after a message', async () => {
    const [fox, gil] = await world.members('fox', 'gil')
    for (let nth = 1; nth <= 7; nth += 1) await write(nth % 2 ? fox : gil, nth % 2 ? gil : fox, `${nth}`)
    const all = await talk(fox, gil)
    const id = (nth: number) => all[nth - 1]?.id

    expect(contents(all)).toEqual(['1', '2', '3', '4', '5', '6', '7'])
    expect(contents(await talk(gil, fox, { limit: 3 }))).toEqual(['5', '6', '7'])
    expect(contents(await talk(gil, fox, { limit: 3, before: id(5) }))).toEqual(['2', '3', '4'])
    expect(contents(await talk(gil, fox, { limit: 3, before: id(2) }))).toEqual(['1'])
    expect(await talk(gil, fox, { before: id(1) })).toEqual([])
    expect(contents(await talk(fox, gil, { after: id(5) }))).toEqual(['6', '7'])
    expect(contents(await talk(fox, gil, { limit: 2, after: id(2) }))).toEqual(['3', '4'])
    expect(await talk(fox, gil, { after: id(7) })).toEqual([])
    const both = await fox.try(listMessages, { params: { id: gil.id }, query: { before: 1, after: 1 } })
    expect(both.status).toBe(422)
  })

  test('of the threads are ordered by last message, each thread once', async () => {
    const [hub] = await world.members('hub')
    const others = await world.members('spoke_1', 'spoke_2', 'spoke_3', 'spoke_4', 'spoke_5')
    for (const other of others) await write(other, hub, `From ${other.username}`)
    await write(hub, others[1], 'Back to the second')
    const latestFirst = [others[1], others[4], others[3], others[2], others[0]].map(({ id }) => id)

    expect(await hub.call(listThreadMembers, { query: {} })).toEqual(latestFirst)
    for (const path of ['/api/messages', '/api/messages/threads']) {
      const pages = await hub.pages<number | { user_id: number }>(`${path}?limit=2`)
      expect(pages.flat().map((thread) => (typeof thread === 'number' ? thread : thread.user_id))).toEqual(
        latestFirst,
      )
    }
    expect((await hub.call(listThreads, { query: {} }))[0]).toMatchObject({
      user: { id: others[1].id, username: 'spoke_2', friend_count: 0 },
      last_message: { content: 'Back to the second', sender_id: hub.id, is_read: false },
      unread_count: 1,
    })
  })

  test('of a search have threads whose username or last message contains the query', async () => {
    const [ivy, jay, kip] = await world.members('ivy', 'jay_the_farmer', 'kip')
    await write(jay, ivy, '100% rhubarb')
    await write(ivy, kip, 'Any Kale?')
    const search = async (q: string) =>
      (await ivy.call(listThreads, { query: { q } })).map(({ user }) => user?.username)

    expect(await search('FARM')).toEqual(['jay_the_farmer'])
    expect(await search('kale')).toEqual(['kip'])
    expect(await search('k')).toEqual(['kip'])
    expect(await search('%')).toEqual(['jay_the_farmer'])
    expect(await search('  ')).toEqual(['kip', 'jay_the_farmer'])
    expect(await search('_')).toEqual(['jay_the_farmer'])
    expect(await search('nothing')).toEqual([])
  })
})
