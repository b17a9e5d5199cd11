import { afterAll, describe, expect, test } from 'vitest'
import { types } from '#contract/constants.ts'
import { createListing } from '#contract/listings.ts'
import { blockMember } from '#contract/members.ts'
import { markThreadRead, sendMessage } from '#contract/messages.ts'
import { deleteProfile, getPreferences, mailMessages, updatePreferences } from '#contract/profile.ts'
import { createTrade } from '#contract/trades.ts'
import { deliverDue } from '#server/features/notifications/scheduling.ts'
import type { Actor } from '#test/actor.ts'
import { write } from '#test/conversations.ts'
import { connectTo } from '#test/database.ts'
import { newWorld } from '#test/world.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())

const pass = (minutes: number) => world.passMinutes(minutes)

/** Registers a member with a confirmed address. */
async function confirmedMember(username: string): Promise<Actor> {
  const member = await world.member({ username })
  await world.confirm(member)
  return member
}

const unreadMails = (member: Actor) =>
  world.mailTo(member).filter(({ subject }) => subject.includes(' wrote to you'))

test('mails a member about messages that are unread for 15 minutes', async () => {
  const [ann, bob] = [await confirmedMember('ann'), await confirmedMember('bob')]
  await write(ann, bob, 'Eggs?')
  await pass(14)
  expect(unreadMails(bob)).toEqual([])

  await write(ann, bob, 'Still <b>fresh</b>')
  await pass(1)
  const [mail] = unreadMails(bob)
  expect(mail?.subject).toBe('ann wrote to you')
  expect(mail?.text).toContain('ann has sent you 2 messages')
  expect(mail?.text).toContain('“Still <b>fresh</b>”')
  expect(mail?.html).toContain('Still &lt;b&gt;fresh&lt;/b&gt;')
  expect(mail?.text).toContain(`https://rhubarb.test/messages/${ann.id}`)
  expect(mail?.text).toContain('https://rhubarb.test/notifications/settings')

  await bob.call(markThreadRead, { params: { id: ann.id } })
  await write(ann, bob, 'New ones')
  await pass(15)
  expect(unreadMails(bob)).toHaveLength(2)
  expect(unreadMails(ann)).toEqual([])
})

test('names the listing of the newest message in the subject, and keeps the mails of a conversation together', async () => {
  const [uma, vic] = [await confirmedMember('uma'), await confirmedMember('vic')]
  const { id } = await vic.call(createListing, { body: { title: 'Figs', type_id: types.giveaway } })
  const ask = (content: string, listing_id: number | undefined) =>
    uma.call(sendMessage, { body: { receiver_id: vic.id, content, ...(listing_id && { listing_id }) } })
  await ask('Still there?', id)
  await pass(15)
  await ask('Hello?', undefined)
  await pass(5 * 60)
  const mails = world.mailTo(vic).filter(({ subject }) => subject.startsWith('uma wrote'))
  expect(mails.map(({ subject }) => subject)).toEqual(['uma wrote to you about Figs', 'uma wrote to you'])
  const headersOf = (name: string) => mails.map(({ headers }) => headers.get(name))
  expect(headersOf('references')).toEqual(Array(2).fill(`<messages-${uma.id}@rhubarb.test>`))
  expect(headersOf('in-reply-to')).toEqual(headersOf('references'))
  expect(headersOf('auto-submitted')).toEqual(Array(2).fill('auto-generated'))
  expect(headersOf('reply-to')).toEqual(Array(2).fill('hello@rhubarb.example'))
  expect(new Set(headersOf('message-id')).size).toBe(2)
})

test('mails again about newer messages of a thread that was not opened, at most every four hours', async () => {
  const [sam, tea] = [await confirmedMember('sam'), await confirmedMember('tea')]
  await write(sam, tea, 'Plums?')
  await pass(15)
  await pass(24 * 60)
  expect(unreadMails(tea)).toHaveLength(1)

  await write(sam, tea, 'Or figs?')
  await pass(15)
  expect(unreadMails(tea)).toMatchObject([{}, { text: expect.stringContaining('“Or figs?”') }])
  await write(sam, tea, 'Or pears?')
  await pass(3 * 60)
  await write(sam, tea, 'Last call')
  await pass(59)
  expect(unreadMails(tea)).toHaveLength(2)
  await pass(1)
  expect(unreadMails(tea).at(-1)?.text).toContain('“Last call”')
  await pass(24 * 60)
  expect(unreadMails(tea)).toHaveLength(3)
})

test('leaves out a thread that is locked, and mails it later', async () => {
  const [kit, lea] = [await confirmedMember('kit'), await confirmedMember('lea')]
  const others = await Promise.all(
    Array.from({ length: 3 }, (_, nth) => world.member({ username: `fan_${nth}` })),
  )
  for (const other of others) for (const member of [kit, lea]) await write(other, member, 'Kale?')
  const hourAgo = new Date(Date.now() - 60 * 60_000).toISOString()
  await world.db.updateTable('threads').set({ unread_since: hourAgo }).where('unread_count', '>', 0).execute()
  const writer = await connectTo(world.databaseUrl)
  await writer.query('begin')
  await writer.query('select from threads where member_id = $1 and partner_id = $2 for update', [
    lea.id,
    others[0]?.id,
  ])
  await world.runJob(deliverDue)
  await world.jobsDone()
  expect([kit, lea].map((member) => unreadMails(member).length)).toEqual([3, 2])

  await writer.end()
  await world.runJob(deliverDue)
  await world.jobsDone()
  expect([kit, lea].map((member) => unreadMails(member).length)).toEqual([3, 3])
})

test('mails no message of a trade, but the messages that follow it', async () => {
  const [qui, ray] = [await confirmedMember('qui'), await confirmedMember('ray')]
  const request = async (title: string) => {
    const { id: listing_id } = await ray.call(createListing, { body: { title, type_id: types.giveaway } })
    await qui.call(createTrade, { body: { listing_id } })
  }
  await request('Plums')
  await pass(60)
  expect(unreadMails(ray)).toEqual([])

  await write(qui, ray, 'At six?')
  await pass(14)
  expect(unreadMails(ray)).toEqual([])
  await request('Figs')
  await pass(1)
  expect(unreadMails(ray)).toMatchObject([{ text: expect.stringContaining('qui has sent you 3 messages') }])
  await write(qui, ray, 'Or seven?')
  await pass(60)
  expect(unreadMails(ray)).toHaveLength(1)
})

test('shortens a long message', async () => {
  const [cas, dea] = [await confirmedMember('cas'), await confirmedMember('dea')]
  await write(cas, dea, '🍅'.repeat(2000))
  await pass(15)
  expect(unreadMails(dea)[0]?.text).toContain(`“${'🍅'.repeat(300)}…”`)
})

describe('sends no mail', () => {
  test('if the message was read in time', async () => {
    const [eli, fay] = [await confirmedMember('eli'), await confirmedMember('fay')]
    await write(eli, fay, 'Hello')
    await fay.call(markThreadRead, { params: { id: eli.id } })
    await pass(60)
    expect(unreadMails(fay)).toEqual([])
  })

  test('to a member who has turned these mails off, even after they turn them on', async () => {
    const [gus, hal] = [await confirmedMember('gus'), await confirmedMember('hal')]
    await hal.call(updatePreferences, { body: { mail_unread: false } })
    await write(gus, hal, 'Hello')
    await pass(60)
    await hal.call(updatePreferences, { body: { mail_unread: true } })
    await pass(60)
    expect(unreadMails(hal)).toEqual([])
  })

  test('about messages from blocked, blocking, deleted or suspended members', async () => {
    const ida = await confirmedMember('ida')
    const writers = await world.members('blocked', 'blocking', 'gone', 'suspended')
    const [blocked, blocking, gone, suspended] = writers
    for (const writer of writers) await write(writer, ida, 'Hello')
    await ida.call(blockMember, { params: { id: blocked.id } })
    await blocking.call(blockMember, { params: { id: ida.id } })
    await gone.call(deleteProfile, { body: { password: gone.password } })
    await world.suspend(suspended)
    await pass(60)
    expect(unreadMails(ida)).toEqual([])
  })

  test('to an unconfirmed address until it is confirmed', async () => {
    const [jon, kim] = await world.members('jon', 'kim')
    const lou = await confirmedMember('lou')
    await write(lou, jon, 'First')
    await write(lou, kim, 'First')
    await pass(60)
    for (const member of [jon, kim]) await member.call(markThreadRead, { params: { id: lou.id } })
    await write(lou, jon, 'Second')
    await pass(60)
    expect([...unreadMails(jon), ...unreadMails(kim)]).toEqual([])

    await world.confirm(jon)
    await world.confirm(kim)
    await world.jobsDone()
    expect(unreadMails(jon)).toMatchObject([{ text: expect.stringContaining('“Second”') }])
    expect(unreadMails(kim)).toEqual([])
  })
})

describe('the one-click unsubscribe', () => {
  test('stops these mails without a login', async () => {
    const [may, ned] = [await confirmedMember('may'), await confirmedMember('ned')]
    await write(may, ned, 'Hello')
    await pass(15)
    const headers = unreadMails(ned)[0]?.headers
    expect(headers?.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
    const url = new URL(headers?.get('list-unsubscribe')?.slice(1, -1) ?? '')
    expect(url.origin).toBe('https://rhubarb.test')

    // A browser gets the page that asks.
    const opened = await world.guest().send('GET', url.pathname + url.search)
    expect([opened.status, opened.headers.get('location')]).toEqual([303, `/stop-mails${url.search}`])
    expect((await ned.call(getPreferences)).mail_unread).toBe(true)

    const form = new FormData()
    form.append('List-Unsubscribe', 'One-Click')
    for (const body of [new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }), form]) {
      await ned.call(updatePreferences, { body: { mail_unread: true } })
      const response = await world.guest().send('POST', url.pathname + url.search, { body })
      expect([response.status, response.body]).toEqual([200, { message: mailMessages.stopped }])
      const again = await world.guest().send('POST', url.pathname + url.search, { body })
      expect([again.status, again.body]).toEqual([200, { message: mailMessages.alreadyStopped }])
      expect(await ned.call(getPreferences)).toEqual({
        mail_unread: false,
        mail_listings: true,
        mail_trades: true,
        mail_matches: 'at_once',
        match_radius: 25,
        time_zone: null,
      })
    }
    expect((await may.call(getPreferences)).mail_unread).toBe(true)
  })

  test('says so to a member who has left, too', async () => {
    const [nia, pat] = [await confirmedMember('nia'), await confirmedMember('pat')]
    await write(nia, pat, 'Hello')
    await pass(15)
    const url = new URL(unreadMails(pat)[0]?.headers.get('list-unsubscribe')?.slice(1, -1) ?? '')
    await pat.call(deleteProfile, { body: { password: pat.password } })
    const response = await world.guest().send('POST', url.pathname + url.search)
    expect([response.status, response.body]).toEqual([200, { message: mailMessages.alreadyStopped }])
  })

  test('refuses forged tokens', async () => {
    const [oda, pia] = [await confirmedMember('oda'), await confirmedMember('pia')]
    await write(oda, pia, 'Hello')
    await pass(15)
    const header = unreadMails(pia)[0]?.headers.get('list-unsubscribe')?.slice(1, -1) ?? ''
    const token = new URL(header).searchParams.get('token') ?? ''
    const [kind, id, signed = ''] = token.split('.')
    const forged = [
      '',
      'x',
      `${kind}.${oda.id}.${signed}`,
      `mail_matches.${id}.${signed}`,
      `toString.${id}.${signed}`,
      `${kind}.${id}.${'A'.repeat(43)}`,
      `${kind}.${id}.`,
      `${token}A`,
    ]
    for (const each of forged) {
      const path = `/api/mails/stop?token=${encodeURIComponent(each)}`
      const response = await world.guest().send('POST', path)
      expect([each, response.status, response.body.detail]).toEqual([each, 400, mailMessages.stopInvalid])
    }
    for (const member of [oda, pia]) expect((await member.call(getPreferences)).mail_unread).toBe(true)
  })
})
