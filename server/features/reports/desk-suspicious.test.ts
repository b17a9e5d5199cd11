import { afterAll, expect, test } from 'vitest'
import { addBan } from '#contract/bans.ts'
import { types } from '#contract/constants.ts'
import { actOnMember } from '#contract/desk-members.ts'
import { getSuspicious, suspicion } from '#contract/desk-suspicious.ts'
import { createListing } from '#contract/listings.ts'
import { sendMessage } from '#contract/messages.ts'
import { createTrade } from '#contract/trades.ts'
import { type Actor, json, registrationOf } from '#test/actor.ts'
import { admin } from '#test/admin.ts'
import { newWorld } from '#test/world.ts'

const world = await newWorld({ config: { trustedProxies: ['127.0.0.1'] } })
afterAll(() => world[Symbol.asyncDispose]())
const [maud, olga] = await world.members('maud', 'olga')
await admin(world, 'grant', 'maud', 'moderator')
await admin(world, 'grant', 'olga', 'operator')

const read = () => maud.call(getSuspicious)
const senderOf = async ({ id }: Actor) => (await read()).senders.find((row) => row.id === id)
const posterOf = async ({ id }: Actor) => (await read()).posters.find((row) => row.id === id)
const networkOf = async (value: string) => (await read()).networks.find((row) => row.value === value)
const domainOf = async (value: string) => (await read()).domains.find((row) => row.value === value)
const write = (from: Actor, to: Actor, content: string) =>
  from.call(sendMessage, { body: { receiver_id: to.id, content } })
const post = (member: Actor, title: string) =>
  member.call(createListing, { body: { title, type_id: types.giveaway } })
const neighbors = (count: number) =>
  world.uniqueMembers(...Array.from({ length: count }, (_, nth) => `near${nth}`))

let count = 0
async function join(email: string, address: string) {
  count += 1
  const { headers, body } = json(registrationOf({ username: `visitor_${count}`, email }))
  const sent = { body, headers: { ...headers, 'x-forwarded-for': address } }
  const reply = await world.guest().send<{ id: number }>('POST', '/api/auth/register', sent)
  if (reply.status !== 201) throw new Error(JSON.stringify(reply.body))
  return reply.body.id
}

test('a sender is listed with strangers, texts and times, the worst first', async () => {
  const [worse, bad] = await world.uniqueMembers('worse', 'bad')
  const strangers = await neighbors(5)
  for (const [nth, stranger] of strangers.entries()) {
    await write(worse, stranger, `Buy pills, ${nth} dollars!`)
    await write(bad, stranger, `Do you have ${'abcde'[nth]}?`)
  }
  await write(worse, strangers[0] as Actor, 'buy pills, DOLLARS')
  const row = await senderOf(worse)
  expect(row).toMatchObject({
    username: worse.username,
    receiver_count: 5,
    text_count: 1,
    suspended_at: null,
  })
  expect(Date.parse(row?.first_at ?? '')).toBeLessThan(Date.parse(row?.last_at ?? ''))
  const { senders } = await read()
  const places = [worse, bad].map(({ id }) => senders.findIndex((sender) => sender.id === id))
  expect(places[0]).toBeLessThan(places[1] ?? -1)
  expect(senders[places[1] ?? -1]).toMatchObject({ receiver_count: 5, text_count: 5 })
})

test('friends, those who have answered, requests and old messages do not count', async () => {
  const [ann] = await world.uniqueMembers('ann')
  const [friend, answering, giver, past, ...strangers] = await neighbors(7)
  await world.befriend(ann, friend as Actor)
  await write(answering as Actor, ann, 'Hello')
  const { id: listing_id } = await post(giver as Actor, 'Quinces')
  await ann.call(createTrade, { body: { listing_id } })
  const old = await write(ann, past as Actor, 'Hello')
  await world.db
    .updateTable('messages')
    .set({ created_at: new Date(Date.now() - (suspicion.hours + 1) * 3_600_000).toISOString() })
    .where('id', '=', old.id)
    .execute()
  for (const other of [friend, answering, strangers[0], strangers[1]])
    await write(ann, other as Actor, 'Kale?')
  expect(await senderOf(ann)).toBeUndefined()
  await write(ann, strangers[2] as Actor, 'Kale?')
  expect(await senderOf(ann)).toMatchObject({ receiver_count: 3 })
  await write(strangers[2] as Actor, ann, 'Yes')
  expect(await senderOf(ann)).toBeUndefined()
})

test('a sender is shown as paused and suspended, until the messages are withdrawn', async () => {
  const [ann] = await world.uniqueMembers('ann')
  for (const stranger of await neighbors(3)) await write(ann, stranger, 'Buy!')
  const act = (action: 'pause' | 'suspend' | 'withdraw') =>
    maud.call(actOnMember, { params: { id: ann.id }, body: { action, reason: 'Spam', days: 1 } })
  await act('pause')
  expect(await senderOf(ann)).toMatchObject({ paused_until: expect.any(String), suspended_at: null })
  await act('suspend')
  expect(await senderOf(ann)).toMatchObject({ suspended_at: expect.any(String) })
  await act('withdraw')
  expect(await senderOf(ann)).toBeUndefined()
})

test('a poster of many or of equal listings is listed, one of some is not', async () => {
  const [many, equal, some] = await world.uniqueMembers('many', 'equal', 'some')
  for (let nth = 0; nth < suspicion.listings; nth += 1) await post(many, `Plant ${nth}`)
  for (const title of ['Cheap POT', 'cheap pot', 'Cheap pot', 'Kale']) await post(equal, title)
  for (const title of ['Beans', 'beans', 'Peas']) await post(some, title)
  expect(await posterOf(many)).toMatchObject({ listing_count: suspicion.listings, equal_count: 1 })
  expect(await posterOf(equal)).toMatchObject({ listing_count: 4, equal_count: 3 })
  expect((await posterOf(equal))?.title.toLowerCase()).toBe('cheap pot')
  expect(await posterOf(some)).toBeUndefined()
  await world.db
    .updateTable('listings')
    .set({ created_at: '2026-01-01' })
    .where('owner_id', '=', many.id)
    .execute()
  expect(await posterOf(many)).toBeUndefined()
})

test('networks and domains with many registrations are listed with their newest members, and as banned', async () => {
  const ids = []
  for (let nth = 0; nth < suspicion.members + 1; nth += 1)
    ids.push(await join(`v${nth}@mail.Busy.example`, `2001:db8:9:9::${nth + 1}`))
  await join('a@quiet.example', '192.0.2.9')
  await maud.call(actOnMember, { params: { id: ids[0] ?? 0 }, body: { action: 'suspend', reason: 'Spam' } })

  const newest = ids.toReversed().slice(0, suspicion.members)
  const row = { registration_count: 6, unconfirmed_count: 6, suspended_count: 1, is_banned: false }
  const [network, domain] = [await networkOf('2001:db8:9:9::/64'), await domainOf('mail.busy.example')]
  expect([network, domain]).toMatchObject([row, row])
  expect(network?.members.map(({ id }) => id)).toEqual(newest)
  expect(domain?.members.map(({ id }) => id)).toEqual(newest)
  expect(await networkOf('192.0.2.9')).toBeUndefined()
  expect(await domainOf('quiet.example')).toBeUndefined()

  await olga.call(addBan, { body: { kind: 'network', value: '2001:db8:9:9::5', reason: 'Spam' } })
  await olga.call(addBan, { body: { kind: 'domain', value: 'busy.example', reason: 'Spam' } })
  expect(await networkOf('2001:db8:9:9::/64')).toMatchObject({ is_banned: true })
  expect(await domainOf('mail.busy.example')).toMatchObject({ is_banned: true })

  const before = { created_at: new Date(Date.now() - (suspicion.days + 1) * 86_400_000).toISOString() }
  await world.db.updateTable('users').set(before).where('id', 'in', ids).execute()
  await world.db.updateTable('registration_networks').set(before).where('user_id', 'in', ids).execute()
  expect(await networkOf('2001:db8:9:9::/64')).toBeUndefined()
  expect(await domainOf('mail.busy.example')).toBeUndefined()
})

test('a list has at most twenty rows, the worst of them', async () => {
  const [worst] = await world.uniqueMembers('worst')
  const posters = await neighbors(suspicion.rows)
  for (const poster of posters) for (const title of ['Pot', 'pot', 'POT']) await post(poster, title)
  for (const title of ['Pot', 'pot', 'POT', 'pOT']) await post(worst, title)
  const rows = (await read()).posters
  expect(rows).toHaveLength(suspicion.rows)
  expect(rows[0]?.id).toBe(worst.id)
})
