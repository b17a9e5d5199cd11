import { afterAll, expect, test } from 'vitest'
import { types } from '#contract/constants.ts'
import { createListing } from '#contract/listings.ts'
import { listThreads, messageErrorMessages, sendMessage } from '#contract/messages.ts'
import { listReportCases } from '#contract/report-cases.ts'
import { createTrade } from '#contract/trades.ts'
import type { Actor } from '#test/actor.ts'
import { admin } from '#test/admin.ts'
import { connectSocket } from '#test/socket-client.ts'
import { newWorld } from '#test/world.ts'

const world = await newWorld({ rateLimits: true })
// Each node allows 20 messages at once.
const [second, third] = [await world.node(), await world.node()]
afterAll(async () => {
  for (const node of [second, third]) await node[Symbol.asyncDispose]()
  await world[Symbol.asyncDispose]()
})
const [maud] = await world.members('maud')
await admin(world, 'grant', 'maud', 'moderator')
await world.confirm(maud)
const strangers = await world.members(...Array.from({ length: 50 }, (_, nth) => `stranger_${nth}`))

const refusal = { status: 429, body: { code: 'equal_texts', detail: messageErrorMessages.equalTexts } }

/** Returns a member of some time, whom the number of first contacts does not stop. */
async function newSender() {
  const [sender] = await world.uniqueMembers('ann')
  const since = new Date(Date.now() - 30 * 86_400_000).toISOString()
  const times = { created_at: since, email_confirmed_at: since }
  await world.db.updateTable('users').set(times).where('id', '=', sender.id).execute()
  return sender
}

const write = (from: Actor, to: Actor, content: string) =>
  from.try(sendMessage, { body: { receiver_id: to.id, content } })

const advertise = (nth: number) =>
  `Dear NEIGHBOR!!! The  best seeds of the town are in my new shop, only $${nth}.`

/** Returns the open reports of a member by the site. */
async function noticedOf(member: Actor) {
  const cases = await maud.call(listReportCases, { query: {} })
  return cases.filter(({ subject_type, subject_id }) => subject_type === 'member' && subject_id === member.id)
}

test('a spammer’s afternoon: of fifty strangers five get the text, and the desk gets a report', async () => {
  const spammer = await newSender()
  using socket = await connectSocket(third.as(spammer))
  const statuses: number[] = []
  for (const [nth, stranger] of strangers.entries()) {
    const content = advertise(nth)
    if (nth < 17) statuses.push((await write(spammer, stranger, content)).status)
    else if (nth < 34) statuses.push((await write(second.as(spammer), stranger, content)).status)
    else {
      const reply = await socket.send('send_message', { receiver_id: stranger.id, content })
      statuses.push(reply.ok ? 201 : reply.status)
      expect(reply).toMatchObject({ ok: false, detail: messageErrorMessages.equalTexts })
    }
  }
  expect(statuses).toEqual([...Array(5).fill(201), ...Array(45).fill(429)])
  expect((await strangers[5]?.call(listThreads, { query: {} }))?.length).toBe(0)

  // With a listing in the way, the note is a message too.
  const [owner] = await world.uniqueMembers('owner')
  const listing = await owner.call(createListing, { body: { title: 'Plums', type_id: types.giveaway } })
  const asked = await spammer.try(createTrade, { body: { listing_id: listing.id, note: advertise(99) } })
  expect(asked).toMatchObject(refusal)

  await world.jobsDone()
  const [noticed, ...others] = await noticedOf(spammer)
  expect(others).toEqual([])
  expect(noticed).toMatchObject({ member: { id: spammer.id }, taken_by: null, outcome: null })
  expect(noticed?.reports).toHaveLength(1)
  expect(noticed?.reports[0]).toMatchObject({ noticed: 'equal_texts', reporter: null, reason: advertise(5) })
  const mails = world.mails.filter(({ text }) => text.includes('sends to many strangers'))
  expect(mails).toMatchObject([{ to: ['hello@rhubarb.example'] }])
  expect(mails[0]?.text).toContain(advertise(5))
  expect((await admin(world, 'reports')).output).toContain(`(the site) on member ${spammer.username}`)
})

test('a short text with a link counts too, and each text is reported once', async () => {
  const spammer = await newSender()
  for (const text of ['Money! https://money.example', 'Luck! www.luck.example'])
    for (const [nth, stranger] of strangers.slice(0, 9).entries())
      expect((await write(spammer, stranger, text)).status).toBe(nth < 5 ? 201 : 429)
  const [noticed] = await noticedOf(spammer)
  expect(noticed?.report_count).toBe(2)
})

test('an honest member is not stopped: questions, own words, answers, friends and repetitions', async () => {
  const ann = await newSender()
  const friends = await world.uniqueMembers('f1', 'f2', 'f3', 'f4', 'f5', 'f6')
  const askers = await world.uniqueMembers('a1', 'a2', 'a3', 'a4', 'a5', 'a6')
  for (const friend of friends) await world.befriend(ann, friend)
  for (const asker of askers) expect((await write(asker, ann, 'Are you coming?')).status).toBe(201)
  const invitation = 'Our seed swap is on Saturday at ten in the community garden. Will you come along?'
  for (const one of [...friends, ...askers]) expect((await write(ann, one, invitation)).status).toBe(201)

  const elsewhere = second.as(ann)
  for (const stranger of strangers.slice(0, 7))
    expect((await write(elsewhere, stranger, 'Is it still there?')).status).toBe(201)
  const client_id = '4c1f7a52-7a2c-4b0e-9c39-1f0f5a8f6f01'
  const body = { receiver_id: strangers[7]?.id ?? 0, content: invitation, client_id }
  for (let time = 0; time < 8; time += 1)
    expect((await elsewhere.try(sendMessage, { body })).status).toBe(time === 0 ? 201 : 200)
  const others = third.as(ann)
  for (const stranger of strangers.slice(8, 12))
    expect((await write(others, stranger, invitation)).status).toBe(201)
  expect(await write(others, strangers[12] as Actor, invitation)).toMatchObject(refusal)
  // Whoever answers is no stranger any more.
  await write(strangers[12] as Actor, ann, 'Hello!')
  expect((await write(others, strangers[12] as Actor, invitation)).status).toBe(201)
  expect((await write(others, strangers[13] as Actor, `${invitation} Ours are blue.`)).status).toBe(201)
})
