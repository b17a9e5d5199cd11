import { afterAll, expect, test } from 'vitest'
import { register } from '#contract/auth.ts'
import { types } from '#contract/constants.ts'
import { errorMessages } from '#contract/error-messages.ts'
import { createListing } from '#contract/listings.ts'
import { messageErrorMessages, sendMessage } from '#contract/messages.ts'
import { createTrade } from '#contract/trades.ts'
import { type Actor, registrationOf } from '#test/actor.ts'
import { admin } from '#test/admin.ts'
import { newWorld } from '#test/world.ts'

const world = await newWorld({
  rateLimits: true,
  config: { firstContacts: { unconfirmed: 2, firstWeek: 4, later: 6 }, registrationsPerHour: 3 },
})
const otherNode = await world.node()
afterAll(async () => {
  await otherNode[Symbol.asyncDispose]()
  await world[Symbol.asyncDispose]()
})

const strangers = await world.members(...Array.from({ length: 10 }, (_, nth) => `stranger_${nth}`))

interface Standing {
  readonly isConfirmed?: boolean
  readonly days?: number
}

async function newSender({ isConfirmed = true, days = 0 }: Standing): Promise<Actor & { id: number }> {
  const [sender] = await world.uniqueMembers('ann')
  await world.db
    .updateTable('users')
    .set({
      email_confirmed_at: isConfirmed ? new Date().toISOString() : null,
      created_at: new Date(Date.now() - days * 86_400_000).toISOString(),
    })
    .where('id', '=', sender.id)
    .execute()
  return sender
}

const write = (from: Actor, to: { id: number }) =>
  from.try(sendMessage, { body: { receiver_id: to.id, content: 'Do you still have kale?' } })

/** Writes to all strangers, one after the other, and returns how many got the message, and the first refusal. */
async function writeToAll(sender: Actor) {
  const replies = []
  for (const stranger of strangers) replies.push(await write(sender, stranger))
  return {
    reached: replies.filter(({ status }) => status === 201).length,
    refusal: replies.find(({ status }) => status !== 201),
  }
}

test.each([
  [{ isConfirmed: false, days: 30 }, 2, messageErrorMessages.confirmToContact, 'contacts_unconfirmed'],
  [{ days: 6 }, 4, messageErrorMessages.tooManyFirstContacts, 'contacts_used'],
  [{ days: 8 }, 6, messageErrorMessages.tooManyFirstContacts, 'contacts_used'],
])('a member with %o can write to %i strangers a day', async (standing, most, detail, code) => {
  const sender = await newSender(standing)
  const { reached, refusal } = await writeToAll(sender)
  expect(reached).toBe(most)
  expect(refusal).toMatchObject({ status: 429, body: { detail, code } })
  expect(Number(refusal?.headers.get('retry-after'))).toBeGreaterThan(86_000)

  // A second message to the same stranger does not count.
  expect((await write(sender, strangers[0] as Actor & { id: number })).status).toBe(201)
})

test('answers and messages to friends do not count, and friends raise the limit', async () => {
  const sender = await newSender({ days: 8 })
  const [friend, asker] = await world.uniqueMembers('friend', 'asker')
  await world.befriend(sender, friend)
  expect((await write(sender, friend)).status).toBe(201)
  expect((await write(asker, sender)).status).toBe(201)
  expect((await write(sender, asker)).status).toBe(201)
  expect((await writeToAll(sender)).reached).toBe(7)
})

test('notes of trade requests to strangers count, requests without a note do not', async () => {
  const sender = await newSender({ isConfirmed: false })
  const ask = async (stranger: Actor, note?: string) => {
    const { id } = await stranger.call(createListing, { body: { title: 'Plums', type_id: types.giveaway } })
    return sender.try(createTrade, { body: { listing_id: id, ...(note && { note }) } })
  }
  const [first, second, third, fourth] = await world.uniqueMembers('first', 'second', 'third', 'fourth')
  expect((await ask(first, 'May I come today?')).status).toBe(201)
  expect((await ask(second)).status).toBe(201)
  expect((await ask(third, 'May I come today?')).status).toBe(201)
  expect(await ask(fourth, 'May I come today?')).toMatchObject({
    status: 429,
    body: { detail: messageErrorMessages.confirmToContact, code: 'contacts_unconfirmed' },
  })
  expect((await ask(fourth)).status).toBe(201)
  expect((await ask(first, 'And these, please?')).status).toBe(201)
})

test('concurrent first messages on two nodes pass no more than the limit', async () => {
  const sender = await newSender({ days: 6 })
  const elsewhere = otherNode.as(sender)
  const replies = await Promise.all(
    strangers.map((stranger, nth) => write(nth % 2 ? elsewhere : sender, stranger)),
  )
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(4)
})

test('a message to nobody counts nothing', async () => {
  const sender = await newSender({ days: 6 })
  for (let time = 0; time < 6; time += 1) expect((await write(sender, { id: 987_654_321 })).status).toBe(404)
  expect((await writeToAll(sender)).reached).toBe(4)
})

test('a network registers a few members an hour, and many on a swap day', async () => {
  const join = async (nth: number) =>
    (await world.guest().try(register, { body: registrationOf({ username: `visitor_${nth}` }) })).status
  const statuses = []
  for (let nth = 0; nth < 4; nth += 1) statuses.push(await join(nth))
  expect(statuses).toEqual([201, 201, 201, 429])
  expect(
    (await world.guest().try(register, { body: registrationOf({ username: 'visitor_4' }) })).body,
  ).toMatchObject({
    detail: errorMessages.tooManyAttempts,
  })

  expect(await admin(world, 'swap-day', '25')).toMatchObject({ code: 1 })
  expect(await admin(world, 'swap-day', '6')).toMatchObject({ code: 0 })
  for (let nth = 5; nth < 30; nth += 1) expect(await join(nth)).toBe(201)
})
