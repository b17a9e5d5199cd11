import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { errorMessages } from '#contract/error-messages.ts'
import { blockMember } from '#contract/members.ts'
import {
  countUnreadMessages,
  listMessages,
  listThreads,
  markThreadRead,
  messageErrorMessages,
  type NewMessage,
  sendMessage,
} from '#contract/messages.ts'
import type { Actor } from '#test/actor.ts'
import { conversation, wholeConversation } from '#test/conversations.ts'
import { connectSocket, type SocketClient } from '#test/socket-client.ts'
import { recordStatements } from '#test/statements.ts'
import { newWorld } from '#test/world.ts'

const world = await newWorld()
const otherNode = await world.node()
afterAll(async () => {
  await otherNode[Symbol.asyncDispose]()
  await world[Symbol.asyncDispose]()
})

test('stores concurrent messages in few commits, in the order they were sent', async () => {
  const [ann, bob, cas] = await world.members('ann', 'bob', 'cas')
  using anns = await connectSocket(ann)
  using bobs = await connectSocket(bob)
  using statements = recordStatements()
  const responses = await Promise.all(
    Array.from({ length: 200 }, (_, nth) => {
      const [socket, receiver] = nth % 4 === 3 ? [bobs, ann] : nth % 2 ? [anns, cas] : [anns, bob]
      return socket.send('send_message', { receiver_id: receiver.id, content: String(nth) })
    }),
  )

  expect(responses.filter(({ ok }) => !ok)).toEqual([])
  const commits = statements.sent().filter(({ text }) => text.includes('insert into messages'))
  expect(commits.length).toBeLessThan(60)
  const toCas = await wholeConversation(cas, ann)
  expect(toCas.map(({ content }) => content)).toEqual(
    Array.from({ length: 50 }, (_, nth) => String(nth * 4 + 1)),
  )
  const fromAnn = (await wholeConversation(bob, ann)).filter(({ sender_id }) => sender_id === ann.id)
  expect(fromAnn.map(({ content }) => content)).toEqual(
    Array.from({ length: 100 }, (_, nth) => String(nth * 2)),
  )
  await expect.poll(() => bobs.received('new_message')).toHaveLength(150)
  const received = bobs.received('new_message').filter(({ sender_id }) => sender_id === ann.id)
  expect(received.map(({ id }) => id)).toEqual(fromAnn.map(({ id }) => id))
})

/** Sends the messages at once, which stores them in one statement, and returns the acknowledgements. */
const sendAll = (socket: SocketClient, bodies: readonly NewMessage[]) =>
  Promise.all(bodies.map((body) => socket.send('send_message', body)))

test('stores one of two concurrent texts with the same client_id and refuses the other', async () => {
  const [ann, bob] = await world.members('amy', 'ben')
  using socket = await connectSocket(ann)
  using receiver = await connectSocket(bob)
  for (let round = 0; round < 5; round += 1) {
    const pairs = Array.from({ length: 3 }, () => randomUUID()).flatMap((client_id) =>
      ['This', 'That'].map((content) => ({ receiver_id: bob.id, content, client_id })),
    )
    const responses = await sendAll(socket, pairs)
    const refusal = {
      ok: false,
      status: 409,
      code: 'client_id_reused',
      detail: messageErrorMessages.clientIdReused,
    }
    expect(responses.filter(({ ok }) => !ok)).toEqual([refusal, refusal, refusal])
    const acknowledged = responses.flatMap((response) => (response.ok ? [response.message] : []))
    expect(acknowledged).toHaveLength(3)
    expect((await conversation(bob, ann)).slice(-3)).toEqual(acknowledged)
    await expect.poll(() => receiver.received('new_message').slice(-3)).toEqual(acknowledged)
  }
  expect(receiver.received('new_message')).toEqual(await conversation(bob, ann))
  expect(await bob.call(countUnreadMessages)).toBe(15)
})

test('stores one of two concurrent messages to different receivers with the same client_id', async () => {
  const [cat, dan, eve] = await world.members('cleo', 'dean', 'evan')
  using socket = await connectSocket(cat)
  using dans = await connectSocket(dan)
  using eves = await connectSocket(eve)
  const client_id = randomUUID()
  const responses = await sendAll(
    socket,
    [dan, eve].map(({ id }) => ({ receiver_id: id, content: 'For you alone', client_id })),
  )

  expect(responses.map((response) => (response.ok ? 'sent' : response.code)).sort()).toEqual([
    'client_id_reused',
    'sent',
  ])
  const received = [...(await conversation(dan, cat)), ...(await conversation(eve, cat))]
  expect(received).toEqual(responses.flatMap((response) => (response.ok ? [response.message] : [])))
  const published = () => [...dans.received('new_message'), ...eves.received('new_message')]
  await expect.poll(published).toEqual(received)
})

test('stores concurrent copies of a message once', async () => {
  const [fin, gil] = await world.members('finn', 'gil')
  using socket = await connectSocket(fin)
  using receiver = await connectSocket(gil)
  const body = { receiver_id: gil.id, content: 'Once', client_id: randomUUID() }
  const responses = await sendAll(socket, [body, body, body])

  const stored = await conversation(gil, fin)
  expect(stored).toHaveLength(1)
  expect(responses).toEqual(responses.map(() => ({ ok: true, message: stored[0] })))
  await expect.poll(() => receiver.received('new_message')).toEqual(stored)
})

test('a used client_id returns 409 for another text or receiver and 200 for the same message', async () => {
  const [hob, ivy, jet] = await world.members('hob', 'ivy', 'jet')
  const body = { receiver_id: ivy.id, content: 'First', client_id: randomUUID() }
  const first = await hob.try(sendMessage, { body })
  const others = [
    { ...body, content: 'Second' },
    { ...body, receiver_id: jet.id },
    { ...body, receiver_id: 987_654_321 },
  ]
  for (const other of others) {
    const { status, body: problem } = await hob.try(sendMessage, { body: other })
    expect([status, problem]).toEqual([
      409,
      {
        type: 'urn:rhubarb:problem:client_id_reused',
        title: 'Conflict',
        status: 409,
        detail: messageErrorMessages.clientIdReused,
        code: 'client_id_reused',
      },
    ])
  }
  const again = await hob.try(sendMessage, { body })
  expect([first.status, again.status, again.body]).toEqual([201, 200, first.body])
  expect(await conversation(ivy, hob)).toEqual([first.body])
  expect(await conversation(jet, hob)).toEqual([])
})

test('one failing message does not affect others of the same group commit', async () => {
  const [dea, eli, fay] = await world.members('dea', 'eli', 'fay')
  await fay.call(blockMember, { params: { id: dea.id } })
  await sql`alter table messages add constraint no_poison check (content <> 'poison')`.execute(world.db)
  using socket = await connectSocket(dea)
  const send = (receiver_id: number, content: string) => socket.send('send_message', { receiver_id, content })
  const responses = await Promise.all([
    send(eli.id, 'one'),
    send(fay.id, 'blocked'),
    send(eli.id, 'poison'),
    send(987_654_321, 'nobody'),
    send(eli.id, 'two'),
  ])

  expect(responses).toMatchObject([
    { ok: true },
    { ok: false, status: 403, detail: messageErrorMessages.notPossible },
    { ok: false, status: 500, detail: errorMessages.unexpected },
    { ok: false, status: 404, detail: 'User not found' },
    { ok: true },
  ])
  expect((await conversation(eli, dea)).map(({ content }) => content)).toEqual(['one', 'two'])
  expect(await eli.call(countUnreadMessages)).toBe(2)
})

test('reading the messages after the last known id misses none while two nodes write', async () => {
  const [gus, hal] = await world.members('gus', 'hal')
  using near = await connectSocket(gus)
  using far = await connectSocket(otherNode.as(hal))
  const first = await gus.call(sendMessage, { body: { receiver_id: hal.id, content: 'First' } })
  let sending = true
  const write = async (socket: SocketClient, receiver: Actor) => {
    for (let round = 0; round < 25; round += 1) {
      const burst = Array.from({ length: 5 }, () =>
        socket.send('send_message', { receiver_id: receiver.id, content: 'Quick' }),
      )
      for (const { ok } of await Promise.all(burst)) expect(ok).toBe(true)
    }
  }
  const written = Promise.all([write(near, hal), write(far, gus)]).then(() => {
    sending = false
  })
  const ids = [first.id]
  const fetchNext = async () => {
    const page = await conversation(gus, hal, { after: ids.at(-1), limit: 100 })
    ids.push(...page.map(({ id }) => id))
    return page.length
  }
  while (sending) await fetchNext()
  await written
  while (await fetchNext());

  expect(ids).toHaveLength(251)
  expect(ids).toEqual((await wholeConversation(hal, gus)).map(({ id }) => id))
})

test('a message that is stored slowly keeps its place before later ones', async () => {
  await sql`create function be_slow() returns trigger language plpgsql as $$
    begin if new.content = 'slow' then perform pg_sleep(0.5); end if; return new; end $$`.execute(world.db)
  await sql`create trigger be_slow before insert on messages for each row execute function be_slow()`.execute(
    world.db,
  )
  const [ron, sue] = await world.members('ron', 'sue')
  using near = await connectSocket(ron)
  using far = await connectSocket(otherNode.as(sue))
  const slow = near.send('send_message', { receiver_id: sue.id, content: 'slow' })
  await expect
    .poll(
      async () => {
        const { rows } = await sql<{ sleeping: number }>`
        select count(*) as sleeping from pg_stat_activity
        where wait_event = 'PgSleep' and datname = current_database()`.execute(world.db)
        return rows[0]?.sleeping
      },
      { interval: 10 },
    )
    .toBe(1)
  await far.send('send_message', { receiver_id: ron.id, content: 'quick' })

  expect((await conversation(sue, ron)).map(({ content }) => content)).toEqual(['slow', 'quick'])
  await slow
})

test('six members write to each other on two nodes without errors or wrong counts', async () => {
  const members = await world.members('p_1', 'p_2', 'p_3', 'p_4', 'p_5', 'p_6')
  const sockets = await Promise.all(
    members.map((member, nth) => connectSocket(nth % 2 ? otherNode.as(member) : member)),
  )
  const responses = await Promise.all(
    sockets.flatMap((socket, from) =>
      Array.from({ length: 40 }, (_, nth) => {
        const receiver_id = members[(from + 1 + (nth % 5)) % 6]?.id ?? 0
        return socket.send('send_message', { receiver_id, content: `${from} ${nth}` })
      }),
    ),
  )
  for (const socket of sockets) socket[Symbol.dispose]()

  expect(responses.filter(({ ok }) => !ok)).toEqual([])
  for (const member of members) {
    const threads = await member.call(listThreads, { query: {} })
    expect(threads.map(({ unread_count }) => unread_count)).toEqual([8, 8, 8, 8, 8])
    expect(await member.call(countUnreadMessages)).toBe(40)
    for (const { user_id, last_message } of threads) {
      const [newest] = await member.call(listMessages, { params: { id: user_id }, query: { limit: 1 } })
      expect(last_message).toEqual(newest)
    }
  }
})

test('the unread count stays correct while one member reads and the other writes', async () => {
  const [ida, jon] = await world.members('ida', 'jon')
  using socket = await connectSocket(ida)
  const readings = { updated: 0 }
  const sent = Promise.all(
    Array.from({ length: 60 }, (_, nth) =>
      socket.send('send_message', { receiver_id: jon.id, content: `${nth}` }),
    ),
  )
  for (let nth = 0; nth < 30; nth += 1) {
    const { updated } = await jon.call(markThreadRead, { params: { id: ida.id } })
    readings.updated += updated
  }
  await sent
  expect(readings.updated + (await jon.call(countUnreadMessages))).toBe(60)
  const unread = (await wholeConversation(jon, ida)).filter(({ is_read }) => !is_read)
  expect(unread).toHaveLength(await jon.call(countUnreadMessages))
})

test('a message whose commit fails is neither acknowledged nor published', async () => {
  const [kim, lou] = await world.members('kim', 'lou')
  using socket = await connectSocket(kim)
  using receiver = await connectSocket(lou)
  await using _ = await world.failCommits('messages')
  const body = { receiver_id: lou.id, content: 'Lost', client_id: randomUUID() }

  expect(await socket.send('send_message', body)).toEqual({
    ok: false,
    status: 500,
    detail: errorMessages.unexpected,
  })
  expect((await kim.try(sendMessage, { body })).status).toBe(500)
  const many = await Promise.all(
    Array.from({ length: 5 }, () => socket.send('send_message', { receiver_id: lou.id, content: 'Lost' })),
  )
  expect(many.map(({ ok }) => ok)).toEqual([false, false, false, false, false])
  expect(await lou.call(listThreads, { query: {} })).toEqual([])
  expect(await lou.call(countUnreadMessages)).toBe(0)
  world.publish([lou.id], 'friends_changed', { user_id: 1 })
  await expect.poll(() => receiver.received('friends_changed')).toHaveLength(1)
  expect(receiver.received('new_message')).toEqual([])
})
