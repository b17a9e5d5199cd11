import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { categories, states, types } from '#contract/constants.ts'
import type { CallInput } from '#contract/endpoint.ts'
import { answerReminder, getReminder } from '#contract/listing-reminders.ts'
import { createListing, deleteListing, getListing, relistListing, updateListing } from '#contract/listings.ts'
import { countUnreadNotifications, listNotifications } from '#contract/notifications.ts'
import { deleteProfile, getPreferences, updatePreferences } from '#contract/profile.ts'
import { subscribeToPush } from '#contract/push.ts'
import { acceptTrade, createTrade } from '#contract/trades.ts'
import { type Actor, json } from '#test/actor.ts'
import { tokenIn } from '#test/links.ts'
import { startPushService } from '#test/push-service.ts'
import { connectSocket } from '#test/socket-client.ts'
import { zoneWhereItIs } from '#test/time-zones.ts'
import { newWorld } from '#test/world.ts'
import { endExpiredListings } from '../listings/jobs.ts'
import { remindOwnersJob } from './jobs.ts'

const push = await startPushService()
const world = await newWorld({ config: { push: push.settings } })
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await push.stop()
})
const guest = world.guest()

let owners = 0
/** Registers a member with a confirmed address. */
async function confirmedMember(): Promise<Actor> {
  owners += 1
  const member = await world.member({ username: `owner_${owners}`, first_name: 'Marta' })
  await world.confirm(member)
  return member
}

const post = (who: Actor, title: string, listing: Partial<CallInput<typeof createListing>['body']> = {}) =>
  who.call(createListing, {
    body: { title, type_id: types.giveaway, category_id: categories.produce, ...listing },
  })
const read = (who: Actor, id: number) => who.call(getListing, { params: { id } })

/** Moves the end of a listing some days closer and runs the jobs that are due. They skip listings that other jobs have locked. */
async function passDays(id: number, days: number) {
  await world.jobsDone()
  const time = sql`make_interval(secs => ${days * 24 * 60 * 60})`
  await sql`update listings set expires_at = expires_at - ${time}, remind_at = remind_at - ${time} where id = ${id}`.execute(
    world.db,
  )
  await world.runJob(endExpiredListings)
  await world.runJob(remindOwnersJob)
  await world.passMinutes(days * 24 * 60)
}
const remindersTo = (who: Actor) =>
  world.mailTo(who).filter(({ subject }) => subject.startsWith('Still there?'))
const notificationsOf = async (who: Actor) =>
  (await who.call(listNotifications, { query: {} })).filter(({ kind }) => kind === 'listing_ending')
const tokensOf = (who: Actor) => remindersTo(who).map(tokenIn)
const show = (token: string) => guest.try(getReminder, { query: { token } })
const answer = (token: string, answer: 'still_there' | 'gone') =>
  guest.try(answerReminder, { body: { token, answer } })
const invalid = { status: 404, body: { detail: 'This link is not valid any more' } }

/** Posts a listing and lets its reminder be sent. Returns the listing with the token of the mail. */
async function newReminder() {
  const ann = await confirmedMember()
  const listing = await post(ann, 'Tomatillos')
  await passDays(listing.id, 12)
  const [token = ''] = tokensOf(ann)
  return { ann, id: listing.id, token }
}

/** Sends a reminder some days after the end of a listing and returns the token of the mail. */
async function sendLateReminder(ann: Actor, id: number, days: number) {
  await world.jobsDone()
  await sql`update listings set expires_at = now() - make_interval(days => ${days}), remind_at = now() where id = ${id}`.execute(
    world.db,
  )
  await world.runJob(endExpiredListings)
  await world.runJob(remindOwnersJob)
  return tokensOf(ann).at(-1) ?? ''
}

describe('sends a reminder', () => {
  test('two days before the end of a listing, by notification and mail', async () => {
    const ann = await confirmedMember()
    using socket = await connectSocket(ann)
    const { id } = await post(ann, 'Tomatillos <b>')
    await passDays(id, 11.9)
    expect([remindersTo(ann), await notificationsOf(ann)]).toEqual([[], []])

    await passDays(id, 0.2)
    const { expires_at } = await read(ann, id)
    const [notification, ...others] = await notificationsOf(ann)
    expect(others).toEqual([])
    expect(notification).toMatchObject({
      read_at: null,
      match: null,
      user: { id: ann.id },
      listing: { id, title: 'Tomatillos <b>', expires_at },
    })
    await expect.poll(() => socket.received('notification')).toEqual([notification])
    const [mail] = remindersTo(ann)
    expect(mail?.subject).toBe('Still there? Tomatillos <b>')
    const day = new Intl.DateTimeFormat('en-US', { day: 'numeric', month: 'long', timeZone: 'UTC' }).format(
      new Date(expires_at),
    )
    expect(mail?.text).toContain(`“Tomatillos <b>” is listed until ${day}. Is it still there?`)
    expect(mail?.text).toMatch(/https:\/\/rhubarb\.test\/still-there\?token=\d+-\d+-[\w-]{43}\n/)
    expect(mail?.html).toContain(`https://rhubarb.test/still-there?token=${tokenIn(mail)}`)
    expect(mail?.html).toContain('Tomatillos &lt;b&gt;')
    expect(mail?.html).not.toContain('<b>')

    await passDays(id, 1)
    await passDays(id, 5)
    expect(remindersTo(ann)).toHaveLength(1)
    expect(await notificationsOf(ann)).toHaveLength(1)
    expect(await ann.call(countUnreadNotifications)).toBe(1)
  })

  test.each([
    [4, 1],
    [5, 2],
  ])('for a listing of %i days, %i days before its end', async (days, before) => {
    const [ann] = await world.uniqueMembers('ann')
    const { id } = await post(ann, 'Tomatillos', { days })
    await passDays(id, days - before - 0.1)
    expect(await notificationsOf(ann)).toEqual([])
    await passDays(id, 0.2)
    expect(await notificationsOf(ann)).toHaveLength(1)
  })

  test('once, with two nodes', async () => {
    await using second = await world.node()
    const ann = await confirmedMember()
    const listings = []
    for (let count = 0; count < 4; count += 1) listings.push(await post(ann, `Plums ${count}`))
    const ids = listings.map(({ id }) => id)
    await world.jobsDone()
    await sql`update listings set remind_at = now() where id = any (${ids})`.execute(world.db)
    await Promise.all([world.runJob(remindOwnersJob), world.runJob(remindOwnersJob)])

    expect(await notificationsOf(second.as(ann))).toHaveLength(4)
    const mailed = remindersTo(ann).flatMap(({ text }) => text.match(/still-there\?token=\d+/g) ?? [])
    expect(mailed.toSorted()).toEqual(ids.map((id) => `still-there?token=${id}`).toSorted())
  })

  test('in one mail for listings that end within six hours', async () => {
    const ann = await confirmedMember()
    for (const [title, hours] of [
      ['Plums', 0],
      ['Pears', 5],
      ['Figs', 7],
    ] as const) {
      const { id } = await post(ann, title)
      await sql`update listings set remind_at = now() + make_interval(hours => ${hours}) where id = ${id}`.execute(
        world.db,
      )
    }
    await world.jobsDone()
    for (let times = 0; times < 2; times += 1) await world.runJob(remindOwnersJob)

    const [mail, ...others] = remindersTo(ann)
    expect(others).toEqual([])
    expect(mail?.subject).toBe('Still there? Plums, and 1 more')
    expect(mail?.text).toMatch(
      /- “Pears” is listed until \w+ \d+\. https:\/\/rhubarb\.test\/still-there\?token=/,
    )
    expect(mail?.html.match(/still-there\?token=/g)).toHaveLength(2)
    expect((await notificationsOf(ann)).map(({ listing }) => listing?.title).toSorted()).toEqual([
      'Pears',
      'Plums',
    ])
  })

  test('again before the next end of a relisted listing', async () => {
    const { ann, id } = await newReminder()
    await ann.call(relistListing, { params: { id } })
    expect(await notificationsOf(ann)).toEqual([])
    expect(await ann.call(countUnreadNotifications)).toBe(0)

    await passDays(id, 12.1)
    expect(remindersTo(ann)).toHaveLength(2)
    expect(await notificationsOf(ann)).toHaveLength(1)
    await ann.call(updateListing, { params: { id }, body: { days: 30 } })
    expect(await notificationsOf(ann)).toEqual([])
    await passDays(id, 28.1)
    expect(remindersTo(ann)).toHaveLength(3)
  })

  test('by mail only with the preference, which one-click unsubscribe turns off', async () => {
    const ann = await confirmedMember()
    await ann.call(updatePreferences, { body: { mail_listings: false } })
    await passDays((await post(ann, 'Plums')).id, 12)
    expect(remindersTo(ann)).toEqual([])
    expect(await notificationsOf(ann)).toHaveLength(1)

    await ann.call(updatePreferences, { body: { mail_listings: true } })
    await passDays((await post(ann, 'Pears')).id, 12)
    const headers = remindersTo(ann)[0]?.headers
    expect(headers?.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
    const url = new URL(headers?.get('list-unsubscribe')?.slice(1, -1) ?? '')
    const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })
    expect(await guest.send('POST', url.pathname + url.search, { body })).toMatchObject({ status: 200 })
    expect(await ann.call(getPreferences)).toMatchObject({ mail_listings: false, mail_unread: true })
  })

  test('by mail after the address is confirmed, without listings relisted meanwhile', async () => {
    const [ann] = await world.uniqueMembers('ann')
    await world.jobsDone()
    const [plums, pears] = [await post(ann, 'Plums'), await post(ann, 'Pears')]
    for (const { id } of [plums, pears]) await passDays(id, 12)
    expect(remindersTo(ann)).toEqual([])

    await ann.call(relistListing, { params: { id: plums.id } })
    await world.confirm(ann)
    expect(remindersTo(ann).map(({ subject }) => subject)).toEqual(['Still there? Pears'])
  })

  test('by push too, outside the quiet hours and without the preference for mail', async () => {
    const browserOf = async (who: Actor, hour: number) => {
      const body = { time_zone: zoneWhereItIs(hour), mail_listings: false }
      await who.call(updatePreferences, { body })
      const browser = push.browser()
      await who.call(subscribeToPush, { body: browser.subscription })
      return browser
    }
    const [ann, bob] = [await confirmedMember(), await confirmedMember()]
    const [awake, asleep] = [await browserOf(ann, 12), await browserOf(bob, 3)]
    const { id } = await post(ann, 'Plums')
    await passDays(id, 12)
    await passDays((await post(bob, 'Pears')).id, 12)
    const body = expect.stringMatching(
      /^“Plums” is listed until \w+ \d+\. List it again, or say that it is gone\.$/,
    )
    const message = { category: 'listing', title: 'Still there? Plums', body, path: `/listings/${id}` }
    expect(awake.shown).toEqual([{ ...message, tag: 'listings-ending' }])
    expect(asleep.shown).toEqual([])
    expect(remindersTo(ann)).toEqual([])
  })

  test.each<[string, CallInput<typeof updateListing>['body']]>([
    ['gone', { state_id: states.gone }],
    ['hidden', { is_active: false }],
  ])('but not for a listing that is %s', async (_, changes) => {
    const ann = await confirmedMember()
    const { id } = await post(ann, 'Plums')
    await ann.call(updateListing, { params: { id }, body: changes })
    await passDays(id, 12)
    expect([remindersTo(ann), await notificationsOf(ann)]).toEqual([[], []])
  })

  test('but not to suspended members, and deletes the notification with the listing', async () => {
    const ann = await confirmedMember()
    const { id } = await post(ann, 'Plums')
    const { id: other } = await post(ann, 'Pears')
    await passDays(other, 12)
    expect(await notificationsOf(ann)).toHaveLength(1)
    await ann.call(deleteListing, { params: { id: other } })
    expect([await notificationsOf(ann), await ann.call(countUnreadNotifications)]).toEqual([[], 0])

    const mails = remindersTo(ann).length
    await world.suspend(ann)
    await passDays(id, 12)
    expect(remindersTo(ann)).toHaveLength(mails)
  })
})

describe('the link of the mail', () => {
  test('shows the listing without a login and changes nothing', async () => {
    const { ann, id, token } = await newReminder()
    const before = await read(ann, id)
    for (let times = 0; times < 3; times += 1)
      expect((await show(token)).body).toEqual({
        listing_id: id,
        title: 'Tomatillos',
        expires_at: before.expires_at,
        is_expired: false,
        answer: null,
        is_answered_already: false,
      })
    expect(await read(ann, id)).toEqual(before)
    expect(await notificationsOf(ann)).toHaveLength(1)
  })

  test.each(['before', 'after'])('relists the listing %s its end, idempotently', async (when) => {
    const { ann, id, token: first } = await newReminder()
    const token = when === 'before' ? first : await sendLateReminder(ann, id, 1)
    expect((await show(token)).body.is_expired).toBe(when === 'after')
    const responses = await Promise.all(Array.from({ length: 4 }, () => answer(token, 'still_there')))
    const later = await answer(token, 'still_there')

    const listing = await read(ann, id)
    expect(listing).toMatchObject({ is_expired: false, state_id: states.available })
    expect(Date.parse(listing.expires_at) - Date.now()).toBeGreaterThan(13.9 * 24 * 60 * 60 * 1000)
    for (const { status, body } of [...responses, later, await show(token)])
      expect([status, body.answer, body.expires_at]).toEqual([200, 'still_there', listing.expires_at])
    expect(await answer(token, 'gone')).toMatchObject({
      status: 409,
      body: { detail: 'It is listed again already. To say that it is gone, open the listing.' },
    })
    expect(await read(ann, id)).toEqual(listing)
  })

  test('marks the listing as gone, idempotently, and can relist it afterwards', async () => {
    const { ann, id, token } = await newReminder()
    const responses = await Promise.all(Array.from({ length: 4 }, () => answer(token, 'gone')))
    for (const { status, body } of [...responses, await answer(token, 'gone'), await show(token)])
      expect([status, body.answer]).toEqual([200, 'gone'])
    expect(await read(ann, id)).toMatchObject({ state_id: states.gone })
    expect(await notificationsOf(ann)).toEqual([])

    expect((await answer(token, 'still_there')).body).toMatchObject({ answer: 'still_there' })
    expect(await read(ann, id)).toMatchObject({ state_id: states.available, is_expired: false })
  })

  test.each(['still_there', 'gone'] as const)('says that “%s” was answered already', async (said) => {
    const { token } = await newReminder()
    expect((await answer(token, said)).body.is_answered_already).toBe(false)
    expect((await show(token)).body.is_answered_already).toBe(true)
    expect((await answer(token, said)).body.is_answered_already).toBe(true)
  })

  test('does not mark a promised listing as gone', async () => {
    const { ann, id, token } = await newReminder()
    const [bob] = await world.uniqueMembers('bob')
    const trade = await bob.call(createTrade, { body: { listing_id: id } })
    await ann.call(acceptTrade, { params: { id: trade.id } })
    expect(await answer(token, 'gone')).toMatchObject({
      status: 409,
      body: { detail: 'This listing is promised to a member. Please end the trade first.' },
    })
    expect((await answer(token, 'still_there')).body.answer).toBe('still_there')
    expect(await read(ann, id)).toMatchObject({ state_id: states.reserved, is_expired: false })
  })

  test('refuses forged tokens and those of deleted listings and members', async () => {
    const [first, second] = [await newReminder(), await newReminder()]
    const [, expires, signed = ''] = /^\d+-(\d+)-(.+)$/.exec(first.token) ?? []
    const [, othersExpires] = /^\d+-(\d+)-/.exec(second.token) ?? []
    const forged = [
      '',
      'x',
      `${second.id}-${expires}-${signed}`,
      `${first.id}-${Number(expires) + 1}-${signed}`,
      `${first.id}-${othersExpires}-${signed}`,
      `${first.id}-${expires}-${'A'.repeat(43)}`,
      `${first.id}-${expires}-`,
      `${first.token}A`,
      `0${first.token}`,
      first.token.replace('-', '.'),
    ]
    for (const token of forged) {
      expect([token, await show(token)]).toMatchObject([token, invalid])
      for (const value of ['gone', 'still_there'] as const)
        expect([token, await answer(token, value)]).toMatchObject([token, invalid])
    }
    expect(await read(first.ann, first.id)).toMatchObject({ state_id: states.available })

    await first.ann.call(deleteListing, { params: { id: first.id } })
    expect(await show(first.token)).toMatchObject(invalid)
    expect(await answer(first.token, 'still_there')).toMatchObject(invalid)
    await second.ann.call(deleteProfile, { body: { password: second.ann.password } })
    expect(await answer(second.token, 'gone')).toMatchObject(invalid)
  })

  test('expires two weeks after the end of the listing', async () => {
    const ann = await confirmedMember()
    const { id } = await post(ann, 'Tomatillos')
    const fresh = await sendLateReminder(ann, id, 13)
    expect(remindersTo(ann)[0]?.text).toContain('“Tomatillos” was listed until')
    expect(await show(fresh)).toMatchObject({ status: 200, body: { is_expired: true } })
    const old = await sendLateReminder(ann, id, 14)
    expect(await show(old)).toMatchObject(invalid)
    expect(await answer(old, 'still_there')).toMatchObject(invalid)
    expect(await read(ann, id)).toMatchObject({ is_expired: true })
  })

  test('refuses other answers', async () => {
    const { token } = await newReminder()
    for (const value of [undefined, null, '', 'maybe', true, 1]) {
      const { status, body } = await guest.send(
        'POST',
        '/api/listing-reminders',
        json({ token, answer: value }),
      )
      expect([value, status, body.detail]).toEqual([
        value,
        422,
        'Please say whether it is still there or gone',
      ])
    }
    expect((await show(token)).body.answer).toBeNull()
  })
})
