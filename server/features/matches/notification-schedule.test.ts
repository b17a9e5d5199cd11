import sharp from 'sharp'
import { afterAll, describe, expect, test } from 'vitest'
import { types } from '#contract/constants.ts'
import type { CallInput } from '#contract/endpoint.ts'
import { createListing, deleteListing, setVisibility, updateListing } from '#contract/listings.ts'
import { previewMatchMail } from '#contract/matches.ts'
import {
  deleteProfile,
  exportProfile,
  getPreferences,
  updatePreferences,
  updateProfile,
} from '#contract/profile.ts'
import { getPushKey, pushErrorMessages, subscribeToPush, unsubscribeFromPush } from '#contract/push.ts'
import { createWant } from '#contract/wants.ts'
import { reindexWants } from '#server/features/wants/jobs.ts'
import { type Actor, json } from '#test/actor.ts'
import { photo } from '#test/pictures.ts'
import { startPushService } from '#test/push-service.ts'
import { zoneWhereItIs } from '#test/time-zones.ts'
import { newWorld } from '#test/world.ts'

const push = await startPushService()
const world = await newWorld({ config: { push: push.settings } })
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await push.stop()
})
const ann = await world.member({ username: 'ann' })
await ann.call(updateProfile, { body: { city: 'Portland', state: 'OR' } })

let count = 0
async function newMember(preferences: CallInput<typeof updatePreferences>['body'] = {}): Promise<Actor> {
  count += 1
  const member = await world.member({ username: `gardener_${count}`, first_name: 'Marta' })
  await member.call(updatePreferences, { body: { time_zone: zoneWhereItIs(12), ...preferences } })
  return member
}
async function confirmedMember(...preferences: Parameters<typeof newMember>): Promise<Actor> {
  const member = await newMember(...preferences)
  await world.confirm(member)
  return member
}

/** Posts a listing and waits until it is matched and the members are notified. */
async function post(
  title: string,
  listing: Partial<CallInput<typeof createListing>['body']> = {},
  owner = ann,
) {
  const posted = await owner.call(createListing, { body: { title, type_id: types.giveaway, ...listing } })
  await world.jobsDone()
  return posted
}
const addWant = (member: Actor, title: string) => member.call(createWant, { body: { title } })
const mailsTo = (member: Actor) =>
  world.mailTo(member).filter(({ headers }) => headers.get('list-unsubscribe')?.includes('mail_matches'))
const subjects = (member: Actor) => mailsTo(member).map(({ subject }) => subject)

const passMinutes = (minutes: number) => world.passMinutes(minutes)
const dueAt = async (member: Actor, channel: 'mail' | 'push') => {
  const query = world.db.selectFrom('deliveries').select('due_at').where('user_id', '=', member.id)
  return (await query.where('channel', '=', channel).executeTakeFirst())?.due_at
}
const timeIn = (moment: string | null | undefined, zone: string) =>
  new Intl.DateTimeFormat('en', {
    timeZone: zone,
    hour: 'numeric',
    minute: 'numeric',
    hourCycle: 'h23',
  }).format(new Date(moment ?? 0))

describe('match mails', () => {
  test('name the listing, the reason, the owner and the town and link only to the site', async () => {
    const bob = await confirmedMember()
    await addWant(bob, 'courgettes')
    const { id } = await post('Zucchini <b>"more"</b> & more')

    const [mail, ...others] = mailsTo(bob)
    expect(others).toEqual([])
    expect(mail?.subject).toBe('A match for your wish list: Zucchini <b>"more"</b> & more')
    for (const text of [mail?.text, mail?.html]) {
      expect(text).toContain('Hello Marta,')
      expect(text).toContain('you want “courgettes”. Zucchini is another name for courgette.')
      expect(text).toContain(`https://rhubarb.test/listings/${id}`)
      expect(text).toContain('https://rhubarb.test/my-listings?tab=want')
      expect(text).toContain('https://rhubarb.test/notifications/settings')
      expect(text).toContain('Portland, OR')
    }
    expect(mail?.html).toContain('Zucchini &lt;b&gt;&quot;more&quot;&lt;/b&gt; &amp; more')
    expect(mail?.html).not.toContain('<b>')
    expect(mail?.text).toContain('From: ann\nType: giveaway\nWhere: Portland, OR')
  })

  test('show the photo of the listing as JPEG, the rhubarb drawing or no picture', async () => {
    const bob = await confirmedMember()
    await addWant(bob, 'lemon verbena')
    await addWant(bob, 'rhubarb')
    const picturesOf = async (title: string, file?: Blob) => {
      const body = { title, type_id: types.giveaway }
      await ann.call(createListing, { body, ...(file && { file }) })
      await world.jobsDone()
      await passMinutes(10)
      const { html = '' } = mailsTo(bob).at(-1) ?? {}
      return [...html.matchAll(/<img src="([^"]*)"[^>]*alt="([^"]*)"/g)]
        .map(([, source = '', words = '']) => [source.replace('https://rhubarb.test', ''), words])
        .filter(([, words]) => words !== 'Rhubarb')
    }
    expect(await picturesOf('Lemon verbena, no picture')).toEqual([])
    expect(await picturesOf('Rhubarb, three crowns')).toEqual([['/mail/rhubarb.jpg', 'A bunch of rhubarb']])
    const bytes = await sharp({ create: { width: 800, height: 500, channels: 3, background: '#3a3' } })
      .png()
      .toBuffer()
    const [[source = '', words] = []] = await picturesOf(
      'Lemon verbena, photographed',
      new Blob([new Uint8Array(bytes)], { type: 'image/png' }),
    )
    expect(words).toBe('Lemon verbena, photographed')
    const shown = await world.guest().send<Blob>('GET', source)
    expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
    expect(await sharp(await shown.body.arrayBuffer()).metadata()).toMatchObject({
      format: 'jpeg',
      width: 640,
    })
  })

  test('show the photo of a listing only while it is public', async () => {
    const bob = await confirmedMember()
    await world.befriend(ann, bob)
    await addWant(bob, 'lovage')
    const body = { title: 'Lovage for friends', type_id: types.giveaway, is_public: false }
    const { id } = await ann.call(createListing, { body, file: await photo() })
    await world.jobsDone()
    expect(subjects(bob)).toEqual(['A match for your wish list: Lovage for friends'])
    const shown = expect.stringMatching(/<img src="[^"]*\/api\/images\/[^"]*"[^>]*alt="Lovage for friends"/)
    expect(mailsTo(bob).at(-1)?.html).not.toEqual(shown)
    expect((await bob.call(previewMatchMail)).html).not.toEqual(shown)

    await ann.call(setVisibility, { params: { id }, body: { is_public: true } })
    expect((await bob.call(previewMatchMail)).html).toEqual(shown)
  })

  test('are sent at most every ten minutes, with all new matches that still exist', async () => {
    const bob = await confirmedMember()
    await addWant(bob, 'persimmons')
    await post('Persimmon 1')
    for (let count = 2; count < 15; count += 1) await post(`Persimmon ${count}`)
    const { id } = await post('Persimmon, sold')
    await ann.call(deleteListing, { params: { id } })
    expect(subjects(bob)).toEqual(['A match for your wish list: Persimmon 1'])
    await passMinutes(9)
    expect(subjects(bob)).toHaveLength(1)
    await passMinutes(1)
    expect(subjects(bob)).toEqual([
      'A match for your wish list: Persimmon 1',
      'Persimmon 14, and 12 more for your wish list',
    ])
    const { text } = mailsTo(bob)[1] ?? {}
    expect(text).toContain('- Persimmon 13 from ann: Persimmon is on your list.')
    expect(text).toContain('And 3 more. https://rhubarb.test/matches')
    expect(text).not.toMatch(/Persimmon 1 |Persimmon 4 |sold/)
    await passMinutes(60)
    expect(subjects(bob)).toHaveLength(2)
  })

  test.each([
    ['America/Los_Angeles', 'Cardoons'],
    ['PST', 'Okra'],
  ])('are sent at seven in the time zone %s if daily', async (zone, crop) => {
    const bob = await confirmedMember({ mail_matches: 'daily', time_zone: zone })
    await addWant(bob, crop)
    await post(crop)
    await post(`${crop} too`)
    expect(subjects(bob)).toEqual([])
    expect(timeIn(await dueAt(bob, 'mail'), zone)).toBe('07:00')
    await passMinutes(24 * 60)
    expect(subjects(bob)).toEqual([`${crop} too, and 1 more for your wish list`])
    await passMinutes(24 * 60)
    expect(subjects(bob)).toHaveLength(1)
  })

  test('are sent for a listing that was switched off and on again before', async () => {
    const bob = await confirmedMember({ mail_matches: 'daily' })
    await addWant(bob, 'purslane')
    const { id } = await post('Purslane')
    for (const is_active of [false, true]) {
      await ann.call(updateListing, { params: { id }, body: { is_active } })
      await world.jobsDone()
    }
    await passMinutes(24 * 60)
    expect(subjects(bob)).toEqual(['A match for your wish list: Purslane'])
  })

  test('are sent once for more matches than one mail reads', async () => {
    const bob = await confirmedMember({ mail_matches: 'daily' })
    const wants = ['Orache', ...Array.from({ length: 205 }, () => 'Salsola')]
    await world.db
      .insertInto('wants')
      .values(wants.map((title) => ({ user_id: bob.id, title })))
      .execute()
    await world.runJob(reindexWants)
    await post('Salsola')
    await passMinutes(24 * 60)
    await post('Orache')
    await passMinutes(24 * 60)
    expect(subjects(bob)).toEqual([
      'A match for your wish list: Salsola',
      'A match for your wish list: Orache',
    ])
  })

  test('are not sent if the preference is never, even if it changes after the match', async () => {
    const [bob, cat] = [
      await confirmedMember({ mail_matches: 'never' }),
      await confirmedMember({ mail_matches: 'daily' }),
    ]
    for (const member of [bob, cat]) await addWant(member, 'skirret')
    await post('Skirret')
    await cat.call(updatePreferences, { body: { mail_matches: 'never' } })
    await passMinutes(24 * 60)
    await bob.call(updatePreferences, { body: { mail_matches: 'at_once' } })
    await cat.call(updatePreferences, { body: { mail_matches: 'at_once' } })
    await passMinutes(24 * 60)
    expect([subjects(bob), subjects(cat)]).toEqual([[], []])
  })

  test('follow a changed preference for pending matches', async () => {
    // Before seven, the pause after a mail could end after seven.
    const [zone, other] = [zoneWhereItIs(10), zoneWhereItIs(20)]
    const bob = await confirmedMember({ mail_matches: 'daily', time_zone: zone })
    const choose = async (preferences: CallInput<typeof updatePreferences>['body']) => {
      await bob.call(updatePreferences, { body: preferences })
      await world.jobsDone()
    }
    await choose({ mail_matches: 'at_once' })
    await choose({ mail_matches: 'daily' })
    expect(subjects(bob)).toEqual([])
    await addWant(bob, 'chervil')
    await post('Chervil')
    await choose({ mail_unread: false })
    expect(subjects(bob)).toEqual([])
    await choose({ mail_matches: 'at_once' })
    expect(subjects(bob)).toEqual(['A match for your wish list: Chervil'])

    await post('Chervil too')
    await choose({ mail_matches: 'at_once' })
    // The pause after the last mail is not over.
    expect(subjects(bob)).toHaveLength(1)
    await choose({ mail_matches: 'daily' })
    expect(timeIn(await dueAt(bob, 'mail'), zone)).toBe('07:00')
    await choose({ time_zone: other })
    expect(timeIn(await dueAt(bob, 'mail'), other)).toBe('07:00')
    await choose({ mail_matches: 'never' })
    await choose({ mail_matches: 'at_once' })
    await passMinutes(24 * 60)
    expect(subjects(bob)).toHaveLength(1)
    await post('Chervil again')
    expect(subjects(bob)[1]).toBe('A match for your wish list: Chervil again')
  })

  test('stop after a one-click unsubscribe without a login', async () => {
    const bob = await confirmedMember()
    await addWant(bob, 'crosnes')
    await post('Crosnes')
    const headers = mailsTo(bob)[0]?.headers
    expect(headers?.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
    const url = new URL(headers?.get('list-unsubscribe')?.slice(1, -1) ?? '')
    const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })
    expect((await world.guest().send('POST', url.pathname + url.search, { body })).status).toBe(200)
    expect((await bob.call(getPreferences)).mail_matches).toBe('never')
    await post('Crosnes too')
    await passMinutes(60)
    expect(subjects(bob)).toHaveLength(1)
  })

  test('wait until the address is confirmed', async () => {
    const bob = await newMember()
    await addWant(bob, 'oca')
    await post('Oca')
    await post('Oca too')
    await passMinutes(60)
    expect(subjects(bob)).toEqual([])
    await world.confirm(bob)
    expect(subjects(bob)).toEqual(['Oca too, and 1 more for your wish list'])
  })

  test('name a swap to both members', async () => {
    const [bob, cat] = [await confirmedMember(), await confirmedMember()]
    await addWant(bob, 'ulluco')
    await addWant(cat, 'mashua')
    await post('Mashua', { type_id: types.exchange }, bob)
    expect(subjects(cat)).toEqual(['A match for your wish list: Mashua'])
    await post('Ulluco', { type_id: types.exchange }, cat)
    expect(subjects(bob)).toEqual(['A swap for you: Ulluco'])
    await passMinutes(10)
    expect(subjects(cat)).toEqual(['A match for your wish list: Mashua', 'A swap for you: Mashua'])
    expect(mailsTo(cat)[1]?.text).toContain(
      `And ${bob.username} wants something that you have: you could swap.`,
    )
  })

  test('are retried when the mail server refuses them', async () => {
    const bob = await confirmedMember()
    await addWant(bob, 'arracacha')
    world.mailServer.refuseNext(1)
    await post('Arracacha')
    expect(subjects(bob)).toEqual([])
    await world.retryJobs()
    expect(subjects(bob)).toHaveLength(1)
  })

  test('have a preview that equals the mail, or an example without matches', async () => {
    const bob = await newMember()
    expect((await bob.call(previewMatchMail)).subject).toBe(
      'A match for your wish list: Rhubarb crowns, three',
    )
    await addWant(bob, 'yacon')
    await post('Yacon')
    const shown = await bob.call(previewMatchMail)
    expect(shown.subject).toBe('A match for your wish list: Yacon')
    await world.confirm(bob)
    const { subject, text, html } = mailsTo(bob)[0] ?? { subject: '', text: '', html: '' }
    expect({ subject, text: text.trim(), html: html.trim() }).toEqual(shown)
  })
})

describe('match push messages', () => {
  test('are sent at once to every subscribed browser of the member', async () => {
    const bob = await newMember()
    const [phone, desk, old, others] = [push.browser(), push.browser(), push.browser(), push.browser()]
    for (const { subscription } of [phone, desk, desk, old])
      expect((await bob.try(subscribeToPush, { body: subscription })).status).toBe(204)
    await ann.call(subscribeToPush, { body: others.subscription })
    old.leave()
    await addWant(bob, 'aubergines')
    const { id } = await post('Basil and eggplants')
    const message = {
      category: 'match',
      title: 'Basil and eggplants',
      body: 'Eggplant is another name for aubergine. From ann.',
      path: `/listings/${id}`,
      tag: 'matches',
    }
    expect(phone.shown.at(-1)).toEqual(message)
    expect([phone.shown.length, desk.shown.length, others.shown]).toEqual([1, 1, []])
    const { key } = await bob.call(getPushKey)
    expect(push.authorized.at(-1)).toContain(`k=${key}`)
    const kept = await world.db
      .selectFrom('push_subscriptions')
      .select('endpoint')
      .where('user_id', '=', bob.id)
      .execute()
    expect(kept.map(({ endpoint }) => endpoint).sort()).toEqual(
      [phone, desk].map(({ subscription }) => subscription.endpoint).sort(),
    )

    const body = { endpoint: phone.subscription.endpoint }
    await ann.call(unsubscribeFromPush, { body })
    await post('Eggplant 1')
    await post('Eggplant 2')
    expect(phone.shown).toHaveLength(1)
    await passMinutes(1)
    expect(phone.shown.at(-1)).toMatchObject({ title: 'Eggplant 2, and 1 more', path: '/matches' })
    await bob.call(unsubscribeFromPush, { body })
    await post('Eggplant 3')
    await passMinutes(1)
    expect([phone.shown.length, desk.shown.length]).toEqual([2, 3])
  })

  test('wait until eight in the morning at night', async () => {
    const night = zoneWhereItIs(23)
    const bob = await newMember({ time_zone: night })
    const browser = push.browser()
    await bob.call(subscribeToPush, { body: browser.subscription })
    await addWant(bob, 'daikon')
    await post('Daikon')
    expect(browser.shown).toEqual([])
    expect(timeIn(await dueAt(bob, 'push'), night)).toBe('08:00')
    // It is still night, so an earlier time is not used.
    await passMinutes(24 * 60)
    expect([browser.shown, timeIn(await dueAt(bob, 'push'), night)]).toEqual([[], '08:00'])
    await bob.call(updatePreferences, { body: { time_zone: zoneWhereItIs(8) } })
    await passMinutes(24 * 60)
    expect(browser.shown).toMatchObject([{ title: 'Daikon' }])
  })

  test('are retried when the push service is busy', async () => {
    const bob = await newMember()
    const browser = push.browser()
    await bob.call(subscribeToPush, { body: browser.subscription })
    await addWant(bob, 'mizuna')
    push.answerWith(503)
    await post('Mizuna')
    expect(browser.shown).toEqual([])
    push.answerWith(201)
    await world.retryJobs()
    expect(browser.shown).toHaveLength(1)
  })

  test('are sent only to valid push endpoints and at most ten browsers', async () => {
    const bob = await newMember()
    const { endpoint, keys } = push.browser().subscription
    for (const wrong of [endpoint.replace('https', 'http'), endpoint.padEnd(1001, 'x'), `${endpoint}\n`])
      expect(
        (await bob.send('POST', '/api/push/subscriptions', json({ endpoint: wrong, keys }))).status,
      ).toBe(422)
    const unknown = { endpoint: 'https://push.example/1', keys }
    expect(await bob.try(subscribeToPush, { body: unknown })).toMatchObject({
      status: 422,
      body: { detail: pushErrorMessages.unknownService },
    })
    for (const wrong of [{}, { ...keys, auth: 'short' }, { ...keys, p256dh: 'B' }])
      expect(
        (await bob.send('POST', '/api/push/subscriptions', json({ endpoint, keys: wrong }))).status,
      ).toBe(422)

    for (let count = 0; count < 12; count += 1)
      await bob.call(subscribeToPush, { body: { endpoint: `${endpoint}${count}`, keys } })
    const kept = await world.db
      .selectFrom('push_subscriptions')
      .select('endpoint')
      .where('user_id', '=', bob.id)
      .execute()
    expect(kept).toHaveLength(10)

    const exported = await bob.call(exportProfile)
    expect(exported.push_subscriptions).toHaveLength(10)
    expect(JSON.stringify(exported)).not.toContain(endpoint)
  })
})

test('deleting an account deletes its matches on both sides', async () => {
  const [bob, cat] = [await newMember(), await newMember()]
  await addWant(bob, 'tomatillos')
  await post('Tomatillos', {}, cat)
  const { matches = [] } = (await bob.call(exportProfile)) as Record<string, unknown[]>
  expect(matches).toMatchObject([{ reason: 'tomatillo is on your list' }])
  await cat.call(deleteProfile, { body: { password: cat.password } })
  await post('Tomatillos, mine')
  await bob.call(deleteProfile, { body: { password: bob.password } })
  const left = await world.db
    .selectFrom('matches')
    .select('want_id')
    .where((or) => or.or([or('user_id', 'in', [bob.id, cat.id]), or('owner_id', 'in', [bob.id, cat.id])]))
    .execute()
  expect(left).toEqual([])
})
