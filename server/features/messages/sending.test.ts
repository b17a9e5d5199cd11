import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { errorMessages } from '#contract/error-messages.ts'
import { blockMember } from '#contract/members.ts'
import {
  countUnreadMessages,
  listMessages,
  listThreads,
  type Message,
  markThreadRead,
  messageErrorMessages,
  type NewMessage,
  sendMessage,
} from '#contract/messages.ts'
import type { Actor } from '#test/actor.ts'
import { connectSocket, type SocketClient } from '#test/socket-client.ts'
import { recordStatements } from '#test/statements.ts'
import { newWorld } from '#test/world.ts'

const world = await newWorld()
const other = await world.node()
afterAll(async () => {
  await other[Symbol.asyncDispose]()
  await world[Symbol.asyncDispose]()
})

const talk = (reader: Actor, partner: Actor, query = {}) =>
  reader.call(listMessages, { params: { id: partner.id }, query })

/** All of a conversation, page by page. */
async function wholeTalk(reader: Actor, partner: Actor): Promise<Message[]> {
  const all = await talk(reader, partner, { limit: 100 })
  for (let page = all; page.length === 100; ) {
    page = await talk(reader, partner, { before: page[0]?.id, limit: 100 })
    all.unshift(...page)
  }
  return all
}

test('what arrives in the same moment is stored in few commits, each acknowledged, in the order it was sent', async () => {
  const [ann, bob, cas] = await world.members('ann', 'bob', 'cas')
  using anns = await connectSocket(ann)
  using bobs = await connectSocket(bob)
  using statements = recordStatements()
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, nth) => {
      const [line, receiver] = nth % 4 === 3 ? [bobs, ann] : nth % 2 ? [anns, cas] : [anns, bob]
      return line.send('send_message', { receiver_id: receiver.id, content: String(nth) })
    }),
  )

  expect(answers.filter(({ ok }) => !ok)).toEqual([])
  const commits = statements.sent().filter(({ text }) => text.includes('insert into messages'))
  expect(commits.length).toBeLessThan(60)
  const toCas = await wholeTalk(cas, ann)
  expect(toCas.map(({ content }) => content)).toEqual(
    Array.from({ length: 50 }, (_, nth) => String(nth * 4 + 1)),
  )
  const fromAnn = (await wholeTalk(bob, ann)).filter(({ sender_id }) => sender_id === ann.id)
  expect(fromAnn.map(({ content }) => content)).toEqual(
    Array.from({ length: 100 }, (_, nth) => String(nth * 2)),
  )
  await expect.poll(() => bobs.received('new_message')).toHaveLength(150)
  const heard = bobs.received('new_message').filter(({ sender_id }) => sender_id === ann.id)
  expect(heard.map(({ id }) => id)).toEqual(fromAnn.map(({ id }) => id))
})

/** Sends each of these at once, so that they are stored by one statement, and returns what was answered. */
const sendAll = (line: SocketClient, bodies: readonly NewMessage[]) =>
  Promise.all(bodies.map((body) => line.send('send_message', body)))

test('of two texts under one client_id that arrive together, one is stored, and the other is refused', async () => {
  const [ann, bob] = await world.members('amy', 'ben')
  using line = await connectSocket(ann)
  using receiver = await connectSocket(bob)
  for (let round = 0; round < 5; round += 1) {
    const pairs = Array.from({ length: 3 }, () => randomUUID()).flatMap((client_id) =>
      ['This', 'That'].map((content) => ({ receiver_id: bob.id, content, client_id })),
    )
    const answers = await sendAll(line, pairs)
    const refusal = {
      ok: false,
      status: 409,
      code: 'client_id_reused',
      detail: messageErrorMessages.clientIdReused,
    }
    expect(answers.filter(({ ok }) => !ok)).toEqual([refusal, refusal, refusal])
    const acknowledged = answers.flatMap((answer) => (answer.ok ? [answer.message] : []))
    expect(acknowledged).toHaveLength(3)
    expect((await talk(bob, ann)).slice(-3)).toEqual(acknowledged)
    await expect.poll(() => receiver.received('new_message').slice(-3)).toEqual(acknowledged)
  }
  expect(receiver.received('new_message')).toEqual(await talk(bob, ann))
  expect(await bob.call(countUnreadMessages)).toBe(15)
})

test('of two receivers under one client_id that arrive together, one gets the message', async () => {
  const [cat, dan, eve] = await world.members('cleo', 'dean', 'evan')
  using line = await connectSocket(cat)
  using dans = await connectSocket(dan)
  using eves = await connectSocket(eve)
  const client_id = randomUUID()
  const answers = await sendAll(
    line,
    [dan, eve].map(({ id }) => ({ receiver_id: id, content: 'For you alone', client_id })),
  )

  expect(answers.map((answer) => (answer.ok ? 'sent' : answer.code)).sort()).toEqual([
    'client_id_reused',
    'sent',
  ])
  const received = [...(await talk(dan, cat)), ...(await talk(eve, cat))]
  expect(received).toEqual(answers.flatMap((answer) => (answer.ok ? [answer.message] : [])))
  const heard = () => [...dans.received('new_message'), ...eves.received('new_message')]
  await expect.poll(heard).toEqual(received)
})

test('the same text under one client_id that arrives twice together is one message', async () => {
  const [fin, gil] = await world.members('finn', 'gil')
  using line = await connectSocket(fin)
  using receiver = await connectSocket(gil)
  const body = { receiver_id: gil.id, content: 'Once', client_id: randomUUID() }
  const answers = await sendAll(line, [body, body, body])

  const stored = await talk(gil, fin)
  expect(stored).toHaveLength(1)
  expect(answers).toEqual(answers.map(() => ({ ok: true, message: stored[0] })))
  await expect.poll(() => receiver.received('new_message')).toEqual(stored)
})

test('another text or receiver under a used client_id is refused with 409, and the same with 200', async () => {
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
  expect(await talk(ivy, hob)).toEqual([first.body])
  expect(await talk(jet, hob)).toEqual([])
})

test('one bad message fails alone', async () => {
  const [dea, eli, fay] = await world.members('dea', 'eli', 'fay')
  await fay.call(blockMember, { params: { id: dea.id } })
  await sql`alter table messages add constraint no_poison check (content <> 'poison')`.execute(world.db)
  using line = await connectSocket(dea)
  const send = (receiver_id: number, content: string) => line.send('send_message', { receiver_id, content })
  const answers = await Promise.all([
    send(eli.id, 'one'),
    send(fay.id, 'blocked'),
    send(eli.id, 'poison'),
    send(987_654_321, 'nobody'),
    send(eli.id, 'two'),
  ])

  expect(answers).toMatchObject([
    { ok: true },
    { ok: false, status: 403, detail: messageErrorMessages.notPossible },
    { ok: false, status: 500, detail: errorMessages.unexpected },
    { ok: false, status: 404, detail: 'User not found' },
    { ok: true },
  ])
  expect((await talk(eli, dea)).map(({ content }) => content)).toEqual(['one', 'two'])
  expect(await eli.call(countUnreadMessages)).toBe(2)
})

test('across nodes, nothing appears below what was seen: who asks for what came after skips nothing', async () => {
  const [gus, hal] = await world.members('gus', 'hal')
  using near = await connectSocket(gus)
  using far = await connectSocket(other.meet(hal))
  const first = await gus.call(sendMessage, { body: { receiver_id: hal.id, content: 'First' } })
  let sending = true
  const write = async (line: SocketClient, receiver: Actor) => {
    for (let round = 0; round < 25; round += 1) {
      const burst = Array.from({ length: 5 }, () =>
        line.send('send_message', { receiver_id: receiver.id, content: 'Quick' }),
      )
      for (const { ok } of await Promise.all(burst)) expect(ok).toBe(true)
    }
  }
  const written = Promise.all([write(near, hal), write(far, gus)]).then(() => {
    sending = false
  })
  const seen = [first.id]
  const look = async () => {
    const page = await talk(gus, hal, { after: seen.at(-1), limit: 100 })
    seen.push(...page.map(({ id }) => id))
    return page.length
  }
  while (sending) await look()
  await written
  while (await look());

  expect(seen).toHaveLength(251)
  expect(seen).toEqual((await wholeTalk(hal, gus)).map(({ id }) => id))
})

test('a message that is slow to be stored is not overtaken by the next', async () => {
  await sql`create function be_slow() returns trigger language plpgsql as $$
    begin if new.content = 'slow' then perform pg_sleep(0.5); end if; return new; end $$`.execute(world.db)
  await sql`create trigger be_slow before insert on messages for each row execute function be_slow()`.execute(
    world.db,
  )
  const [ron, sue] = await world.members('ron', 'sue')
  using near = await connectSocket(ron)
  using far = await connectSocket(other.meet(sue))
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

  expect((await talk(sue, ron)).map(({ content }) => content)).toEqual(['slow', 'quick'])
  await slow
})

test('many who write to each other from two nodes at once all get through, and every count is right', async () => {
  const people = await world.members('p_1', 'p_2', 'p_3', 'p_4', 'p_5', 'p_6')
  const lines = await Promise.all(
    people.map((person, nth) => connectSocket(nth % 2 ? other.meet(person) : person)),
  )
  const answers = await Promise.all(
    lines.flatMap((line, from) =>
      Array.from({ length: 40 }, (_, nth) => {
        const receiver_id = people[(from + 1 + (nth % 5)) % 6]?.id ?? 0
        return line.send('send_message', { receiver_id, content: `${from} ${nth}` })
      }),
    ),
  )
  for (const line of lines) line[Symbol.dispose]()

  expect(answers.filter(({ ok }) => !ok)).toEqual([])
  for (const person of people) {
    const threads = await person.call(listThreads, { query: {} })
    expect(threads.map(({ unread_count }) => unread_count)).toEqual([8, 8, 8, 8, 8])
    expect(await person.call(countUnreadMessages)).toBe(40)
    for (const { user_id, last_message } of threads) {
      const [newest] = await person.call(listMessages, { params: { id: user_id }, query: { limit: 1 } })
      expect(last_message).toEqual(newest)
    }
  }
})

test('reading while the other writes loses no count', async () => {
  const [ida, jon] = await world.members('ida', 'jon')
  using line = await connectSocket(ida)
  const readings = { updated: 0 }
  const sent = Promise.all(
    Array.from({ length: 60 }, (_, nth) =>
      line.send('send_message', { receiver_id: jon.id, content: `${nth}` }),
    ),
  )
  for (let nth = 0; nth < 30; nth += 1) {
    const { updated } = await jon.call(markThreadRead, { params: { id: ida.id } })
    readings.updated += updated
  }
  await sent
  expect(readings.updated + (await jon.call(countUnreadMessages))).toBe(60)
  const unread = (await wholeTalk(jon, ida)).filter(({ is_read }) => !is_read)
  expect(unread).toHaveLength(await jon.call(countUnreadMessages))
})

test('a message is acknowledged and told after its commit: when that fails, neither', async () => {
  await using broken = await newWorld()
  const [kim, lou] = await broken.members('kim', 'lou')
  using line = await connectSocket(kim)
  using receiver = await connectSocket(lou)
  await broken.failCommits('messages')
  const body = { receiver_id: lou.id, content: 'Lost', client_id: randomUUID() }

  expect(await line.send('send_message', body)).toEqual({
    ok: false,
    status: 500,
    detail: errorMessages.unexpected,
  })
  expect((await kim.try(sendMessage, { body })).status).toBe(500)
  const many = await Promise.all(
    Array.from({ length: 5 }, () => line.send('send_message', { receiver_id: lou.id, content: 'Lost' })),
  )
  expect(many.map(({ ok }) => ok)).toEqual([false, false, false, false, false])
  expect(await lou.call(listThreads, { query: {} })).toEqual([])
  expect(await lou.call(countUnreadMessages)).toBe(0)
  broken.publish([lou.id], 'friends_changed', { user_id: 1 })
  await expect.poll(() => receiver.received('friends_changed')).toHaveLength(1)
  expect(receiver.received('new_message')).toEqual([])
})
