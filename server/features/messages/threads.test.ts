import { afterAll, describe, expect, test } from 'vitest'
import { blockMember, unblockMember } from '#contract/members.ts'
import { countUnreadMessages, listMessages, listThreadMembers, listThreads } from '#contract/messages.ts'
import { exportProfile } from '#contract/profile.ts'
import { contentsOf, conversation, markRead, write } from '#test/conversations.ts'
import { connectSocket } from '#test/socket-client.ts'
import { newWorld } from '#test/world.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())

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
    expect((await conversation(abe, bea)).map(({ is_read }) => is_read)).toEqual([false, false])

    expect(await markRead(abe, bea)).toEqual({ updated: 2 })
    expect(await markRead(abe, bea)).toEqual({ updated: 0 })
    expect(await abe.call(countUnreadMessages)).toBe(1)
    for (const side of [await conversation(abe, bea), await conversation(bea, abe)])
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
        expect(await markRead(reader, writer)).toEqual({ updated: 1 })
        expect(await reader.call(countUnreadMessages)).toBe(0)
        const received = (await conversation(reader, writer)).filter(
          ({ sender_id }) => sender_id === writer.id,
        )
        expect(received.at(-1)?.is_read).toBe(true)
        const sent = (await conversation(writer, reader)).filter(({ sender_id }) => sender_id === writer.id)
        expect(sent.at(-1)?.is_read).toBe(false)
        await expect.poll(() => readers.received('thread_read')).toHaveLength(1)
        world.publish([writer.id], 'friends_changed', { user_id: 1 })
        await expect.poll(() => writers.received('friends_changed')).toHaveLength(1)
        expect(writers.received('thread_read')).toEqual([])
      }
      expect((await blocked.call(listThreads, { query: {} }))[0]?.last_message.is_read).toBe(
        (await conversation(blocked, blocker)).at(-1)?.is_read,
      )
      expect(JSON.stringify((await blocked.call(exportProfile)).threads)).not.toContain('shown_read_id')
      await blocker.call(unblockMember, { params: { id: blocked.id } })
    }
    await write(kay, jan, 'After the block')
    await markRead(jan, kay)
    expect((await conversation(kay, jan)).at(-1)?.is_read).toBe(true)
  })

  test('does not happen by writing, and own messages are never unread', async () => {
    const [dan, eva] = await world.members('dan', 'eva')
    await write(dan, eva, 'Hi')
    await write(eva, dan, 'Hi yourself')
    expect([await dan.call(countUnreadMessages), await eva.call(countUnreadMessages)]).toEqual([1, 1])
    await markRead(eva, dan)
    expect((await conversation(dan, eva)).map(({ is_read }) => is_read)).toEqual([true, false])
  })
})

describe('pages', () => {
  test('of a conversation are the latest messages, or those before or after a message', async () => {
    const [fox, gil] = await world.members('fox', 'gil')
    for (let nth = 1; nth <= 7; nth += 1) await write(nth % 2 ? fox : gil, nth % 2 ? gil : fox, `${nth}`)
    const all = await conversation(fox, gil)
    const id = (nth: number) => all[nth - 1]?.id

    expect(contentsOf(all)).toEqual(['1', '2', '3', '4', '5', '6', '7'])
    expect(contentsOf(await conversation(gil, fox, { limit: 3 }))).toEqual(['5', '6', '7'])
    expect(contentsOf(await conversation(gil, fox, { limit: 3, before: id(5) }))).toEqual(['2', '3', '4'])
    expect(contentsOf(await conversation(gil, fox, { limit: 3, before: id(2) }))).toEqual(['1'])
    expect(await conversation(gil, fox, { before: id(1) })).toEqual([])
    expect(contentsOf(await conversation(fox, gil, { after: id(5) }))).toEqual(['6', '7'])
    expect(contentsOf(await conversation(fox, gil, { limit: 2, after: id(2) }))).toEqual(['3', '4'])
    expect(await conversation(fox, gil, { after: id(7) })).toEqual([])
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
