import { afterAll, expect, test } from 'vitest'
import { notificationTimes, types } from '#contract/constants.ts'
import { createListing } from '#contract/listings.ts'
import { blockMember } from '#contract/members.ts'
import { listNotifications, readNotifications } from '#contract/notifications.ts'
import { getPreferences, updatePreferences } from '#contract/profile.ts'
import { subscribeToPush } from '#contract/push.ts'
import {
  acceptTrade,
  changePickup,
  createTrade,
  declineTrade,
  denyHandOver,
  handOverTrade,
  thankForTrade,
  withdrawTrade,
} from '#contract/trades.ts'
import type { Actor } from '#test/actor.ts'
import { startPushService } from '#test/push-service.ts'
import { zoneWhereItIs } from '#test/time-zones.ts'
import { newWorld } from '#test/world.ts'
import { advanceTrades } from './job-kinds.ts'

const push = await startPushService()
const world = await newWorld({ config: { push: push.settings } })
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await push.stop()
})

interface Push {
  readonly category: string
  readonly title: string
  readonly body: string
  readonly path: string
  readonly tag: string
}
interface Member {
  readonly actor: Actor
  readonly name: string
  readonly shown: Push[]
}

let count = 0
/** A member with a confirmed address and a subscribed browser, in a time zone where it is `hour`. */
async function member(hour = 12): Promise<Member> {
  count += 1
  const name = `member_${count}`
  const actor = await world.member({ username: name, first_name: 'Marta' })
  await world.confirm(actor)
  await actor.call(updatePreferences, { body: { time_zone: zoneWhereItIs(hour) } })
  const browser = push.browser()
  await actor.call(subscribeToPush, { body: browser.subscription })
  return { actor, name, shown: browser.shown as Push[] }
}

/** Returns title, body and path of the pushes to a member since the last call. Expects a mail for each that stays unread. */
async function received({ actor, shown }: Member) {
  await world.passMinutes(2)
  const pushes = shown.splice(0)
  await world.passMinutes(notificationTimes.mailAfterShownPushHours * 60)
  for (const { category, title, body, path, tag } of pushes) {
    expect([category, tag]).toEqual(['trade', expect.stringMatching(/^trade-\d+$/)])
    const url = `https://rhubarb.test${path}`
    const mails = world.mailTo(actor).filter(({ text }) => text.includes(`: ${url}\n`))
    const mail = mails.find(({ subject }) => subject === title)
    expect(mail?.text).toContain(`Hello Marta,\n\n${body}\n`)
    expect(mail?.html).toContain(`href="${url}"`)
  }
  return pushes.map(({ title, body, path }) => [title, body, path]).sort()
}

const offer = async ({ actor }: Member, title: string, type_id: 2 | 3 = types.exchange) =>
  (await actor.call(createListing, { body: { title, type_id } })).id
const params = (id: number) => ({ params: { id } })
const ended = 'Nobody took the next step in time, or the listing has ended.'

test('pushes and mails each step of a request that others wait behind', async () => {
  const [ann, bob, cat] = [await member(), await member(), await member()]
  const listing_id = await offer(ann, 'Plums', types.giveaway)
  const { id } = await bob.actor.call(createTrade, { body: { listing_id } })
  expect(await received(ann)).toEqual([
    [
      `${bob.name} would like “Plums”`,
      'Nothing is promised until you accept. The request waits for 7 days.',
      `/trades/${id}`,
    ],
  ])
  const { id: next } = await cat.actor.call(createTrade, { body: { listing_id } })
  expect((await received(ann))[0]?.[2]).toBe(`/trades/${next}`)

  await ann.actor.call(acceptTrade, params(id))
  expect(await received(bob)).toEqual([
    ['“Plums” is promised to you', `${ann.name} has accepted. Now agree on when to meet.`, `/trades/${id}`],
  ])
  expect(await received(cat)).toEqual([
    [
      '“Plums” is promised to another member',
      'You keep your place in line, and we tell you if it becomes yours.',
      `/trades/${next}`,
    ],
  ])

  await bob.actor.call(withdrawTrade, params(id))
  expect(await received(ann)).toEqual([
    ['The trade of “Plums” has ended', `${bob.name} has withdrawn.`, `/trades/${id}`],
    [
      '“Plums” is free again',
      `${cat.name} is next in line. Shall they get it?`,
      `/listings/${listing_id}#requests`,
    ],
  ])

  await ann.actor.call(acceptTrade, params(next))
  await received(cat)
  await cat.actor.call(handOverTrade, { ...params(next), body: {} })
  expect(await received(ann)).toEqual([
    [
      `${cat.name} says they have “Plums”`,
      'Is that right? Without an answer it counts as handed over in 2 days.',
      `/trades/${next}`,
    ],
  ])
  await ann.actor.call(denyHandOver, params(next))
  expect(await received(cat)).toEqual([
    [
      `“Plums” is not handed over yet, ${ann.name} says`,
      'It stays promised to you. Please write to each other.',
      `/trades/${next}`,
    ],
  ])
  await ann.actor.call(handOverTrade, { ...params(next), body: {} })
  expect(await received(cat)).toEqual([
    [
      'The trade of “Plums” is done',
      'Would you like to say thank you? 200 characters are enough.',
      `/trades/${next}`,
    ],
  ])
  await cat.actor.call(thankForTrade, { ...params(next), body: { text: 'The best plums' } })
  expect(await received(ann)).toEqual([
    [`${cat.name} thanks you`, 'They have written a thank-you for “Plums”.', `/trades/${next}`],
  ])
})

test('pushes and mails a pickup in the time zone of the reader', async () => {
  const [ann, bob] = [await member(), await member()]
  await ann.actor.call(updatePreferences, { body: { time_zone: zoneWhereItIs(10) } })
  const { id } = await bob.actor.call(createTrade, { body: { listing_id: await offer(ann, 'Figs', 3) } })
  await ann.actor.call(acceptTrade, params(id))
  const start = new Date(Date.now() + 48 * 3_600_000)
  start.setUTCMinutes(0, 0, 0)
  const starts_at = start.toISOString()
  const ends_at = new Date(start.getTime() + 3_600_000).toISOString()
  await received(ann)
  await received(bob)

  await bob.actor.call(changePickup, { ...params(id), body: { starts_at, ends_at } })
  expect(await received(ann)).toEqual([
    [
      `${bob.name} proposes a pickup`,
      expect.stringMatching(/^For “Figs”: .+ at 10:00 AM (?:GMT|UTC).*\.$/),
      `/trades/${id}`,
    ],
  ])
  await ann.actor.call(changePickup, { ...params(id), body: { accept: true } })
  expect(await received(bob)).toEqual([
    [
      `${ann.name} has accepted the pickup`,
      expect.stringMatching(/^For “Figs”: .+ at 12:00 PM (?:GMT|UTC).*\.$/),
      `/trades/${id}`,
    ],
  ])
  await world.db
    .updateTable('trades')
    .set({ pickup_remind_at: new Date(Date.now() - 1000).toISOString() })
    .where('id', '=', id)
    .execute()
  await world.runJob(advanceTrades)
  expect(await received(bob)).toEqual([
    [
      'Your pickup is soon',
      expect.stringMatching(/^“Figs”: .+ at 12:00 PM (?:GMT|UTC).*\.$/),
      `/trades/${id}`,
    ],
  ])
})

test('pushes and mails each step of a swap', async () => {
  const [ann, bob] = [await member(), await member()]
  const body = { listing_id: await offer(ann, 'Plums'), offer_listing_id: await offer(bob, 'Leeks') }
  const { id: refused } = await bob.actor.call(createTrade, { body })
  expect(await received(ann)).toEqual([
    [
      `${bob.name} proposes a swap`,
      'You would get “Leeks” for it. The request waits for 7 days.',
      `/trades/${refused}`,
    ],
  ])
  await ann.actor.call(declineTrade, params(refused))
  expect(await received(bob)).toEqual([
    ['“Plums” goes to someone else, or stays', `${ann.name} has declined the request.`, `/trades/${refused}`],
  ])

  const { id } = await bob.actor.call(createTrade, { body })
  await ann.actor.call(acceptTrade, params(id))
  await received(ann)
  await received(bob)
  await ann.actor.call(handOverTrade, { ...params(id), body: { listing_id: body.listing_id } })
  expect(await received(bob)).toEqual([
    [`${ann.name} has confirmed a handover`, 'It belongs to your trade of “Plums”.', `/trades/${id}`],
  ])

  await bob.actor.call(handOverTrade, { ...params(id), body: { listing_id: body.offer_listing_id } })
  await received(ann)
  await bob.actor.call(thankForTrade, { ...params(id), body: { text: 'The best plums' } })
  expect(await received(ann)).toEqual([
    [`${bob.name} thanks you`, 'They have written a thank-you for “Plums”.', `/trades/${id}`],
  ])
})

test('pushes and mails each step of a ring without naming who declined', async () => {
  const [ann, bob, cat] = [await member(), await member(), await member()]
  const ring = [await offer(ann, 'Plums'), await offer(bob, 'Figs'), await offer(cat, 'Garlic')]
  const { id: refused } = await ann.actor.call(createTrade, { body: { ring } })
  expect(await received(bob)).toEqual([
    [
      `${ann.name} proposes a ring`,
      'You would get “Plums”. The ring holds when everyone has accepted. The request waits for 3 days.',
      `/trades/${refused}`,
    ],
  ])
  await bob.actor.call(acceptTrade, params(refused))
  expect(await received(ann)).toEqual([])
  await cat.actor.call(declineTrade, params(refused))
  for (const who of [ann, bob])
    expect(await received(who)).toEqual([
      [
        'The ring did not come together',
        'Not everyone could join. Nothing is promised.',
        `/trades/${refused}`,
      ],
    ])

  const { id } = await ann.actor.call(createTrade, { body: { ring } })
  const { id: promise } = await cat.actor.call(createTrade, { body: { listing_id: ring[1] } })
  await bob.actor.call(acceptTrade, params(promise))
  expect(await received(ann)).toEqual([
    ['“Figs” is promised to another member', expect.stringContaining('your place in line'), `/trades/${id}`],
  ])
  await received(bob)
  await cat.actor.call(withdrawTrade, params(promise))
  expect((await received(bob))[1]).toEqual([
    '“Figs” is free again',
    `${ann.name} is next in line. Shall they get it?`,
    `/listings/${ring[1]}#requests`,
  ])

  for (const who of [bob, cat]) await who.actor.call(acceptTrade, params(id))
  expect((await received(bob)).at(-1)?.[0]).toMatch(/proposes a ring|“Plums” is promised to you/)
  expect(await received(ann)).toEqual([
    ['“Garlic” is promised to you', expect.stringContaining('Now agree on when to meet.'), `/trades/${id}`],
  ])
})

test('pushes and mails a reminder before a trade lapses, and its end', async () => {
  const [ann, bob] = [await member(), await member()]
  const { id } = await bob.actor.call(createTrade, { body: { listing_id: await offer(ann, 'Plums') } })
  await received(ann)
  const past = new Date(Date.now() - 1000).toISOString()
  for (const [column, title, body] of [
    ['remind_at', '“Plums” waits for the next step', 'The trade lapses soon if nothing happens.'],
    ['expires_at', 'The trade of “Plums” has lapsed', ended],
  ] as const) {
    await world.db
      .updateTable('trades')
      .set({ [column]: past })
      .where('id', '=', id)
      .execute()
    await world.runJob(advanceTrades)
    for (const who of [ann, bob]) expect(await received(who)).toEqual([[title, body, `/trades/${id}`]])
  }
})

test('mails no step without the preference, which one-click unsubscribe turns off', async () => {
  const [ann, bob] = [await member(), await member()]
  const ask = async (title: string) =>
    bob.actor.call(createTrade, { body: { listing_id: await offer(ann, title) } })
  const mails = () => world.mailTo(ann.actor).filter(({ subject }) => subject.includes('would like'))
  await ask('Plums')
  await received(ann)
  const url = new URL(mails()[0]?.headers.get('list-unsubscribe')?.slice(1, -1) ?? '')
  const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })
  const response = await world.guest().send('POST', url.pathname + url.search, { body })
  expect(response.status).toBe(200)
  expect(await ann.actor.call(getPreferences)).toMatchObject({ mail_trades: false, mail_unread: true })

  await ask('Figs')
  await world.passMinutes(24 * 60)
  expect(mails().map(({ subject }) => subject)).toEqual([`${bob.name} would like “Plums”`])
  expect(ann.shown.map(({ title }) => title)).toEqual([`${bob.name} would like “Figs”`])
  expect(await ann.actor.call(listNotifications, { query: {} })).toHaveLength(2)
})

/** Arranges a pickup that begins after some minutes, and reminds of it. */
async function remindOfPickup(giver: Actor, taker: Actor, id: number, minutes: number) {
  const at = (minutesFromNow: number) => new Date(Date.now() + minutesFromNow * 60_000).toISOString()
  await taker.call(changePickup, { ...params(id), body: { starts_at: at(60), ends_at: at(90) } })
  await giver.call(changePickup, { ...params(id), body: { accept: true } })
  await world.db
    .updateTable('trades')
    .set({ pickup_starts_at: at(minutes), pickup_remind_at: at(-1) })
    .where('id', '=', id)
    .execute()
  await world.runJob(advanceTrades)
}

test('pushes no step at night, except that a pickup is soon and has not begun', async () => {
  const [ann, bob] = [await member(3), await member()]
  const { id } = await bob.actor.call(createTrade, { body: { listing_id: await offer(ann, 'Plums') } })
  await world.passMinutes(notificationTimes.tradeMailMinutes)
  expect(ann.shown).toEqual([])
  expect(world.mailTo(ann.actor).at(-1)?.subject).toBe(`${bob.name} would like “Plums”`)

  await ann.actor.call(acceptTrade, params(id))
  await remindOfPickup(ann.actor, bob.actor, id, -1)
  const notifications = await ann.actor.call(listNotifications, { query: {} })
  expect(notifications.map(({ kind }) => kind)).not.toContain('pickup_reminder')
  await remindOfPickup(ann.actor, bob.actor, id, 59)
  await world.passMinutes(1)
  expect(ann.shown.map(({ title }) => title)).toEqual(['Your pickup is soon'])
})

test('mails no step late that is over, or is about a member with a block or a suspension', async () => {
  const [ann, bob, cat, dan] = await world.uniqueMembers('ann', 'bob', 'cat', 'dan')
  const ask = async (who: Actor, title: string) => {
    const { id: listing_id } = await ann.call(createListing, { body: { title, type_id: types.giveaway } })
    return (await who.call(createTrade, { body: { listing_id } })).id
  }
  await bob.call(withdrawTrade, params(await ask(bob, 'Plums')))
  for (const who of [cat, dan]) {
    const id = await ask(who, 'Figs')
    await ann.call(acceptTrade, params(id))
    await ann.call(handOverTrade, { ...params(id), body: {} })
    await who.call(thankForTrade, { ...params(id), body: { text: 'The best figs' } })
  }
  await ann.call(blockMember, params(cat.id))
  await world.suspend(dan)
  const id = await ask(bob, 'Leeks')
  await ann.call(acceptTrade, params(id))
  await remindOfPickup(ann, bob, id, 59)
  const started = new Date(Date.now() - 60_000).toISOString()
  await world.db.updateTable('trades').set({ pickup_starts_at: started }).where('id', '=', id).execute()

  await world.passMinutes(60)
  await world.confirm(ann)
  expect(
    world
      .mailTo(ann)
      .map(({ subject }) => subject)
      .sort(),
  ).toEqual(['The trade of “Plums” has ended', `${bob.username} proposes a pickup`].sort())
})

test('mails the steps of some minutes once, and none that the member has read meanwhile', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  for (const who of [ann, bob]) await world.confirm(who)
  const { id: listing_id } = await ann.call(createListing, {
    body: { title: 'Plums', type_id: types.giveaway },
  })
  const { id } = await bob.call(createTrade, { body: { listing_id } })
  await ann.call(acceptTrade, params(id))
  await ann.call(handOverTrade, { ...params(id), body: {} })
  await ann.call(thankForTrade, { ...params(id), body: { text: 'A pleasure' } })
  await world.passMinutes(notificationTimes.tradeMailMinutes - 1)
  expect(world.mailTo(bob)).toEqual([])

  await world.passMinutes(1)
  const [mail, ...others] = world.mailTo(bob)
  expect([mail?.subject, others]).toEqual([`${ann.username} thanks you`, []])
  expect(mail?.text).toContain(`Also:\n- The trade of “Plums” is done: https://rhubarb.test/trades/${id}`)
  expect(mail?.text).not.toContain('is promised to you')
  // Ann has taken every step herself, and has read the request, which is answered.
  expect(world.mailTo(ann)).toEqual([])

  await bob.call(thankForTrade, { ...params(id), body: { text: 'The best plums' } })
  expect(await ann.call(readNotifications, { body: { about: { type: 'trade', ids: [id] } } })).toEqual({
    updated: 2,
  })
  await world.passMinutes(24 * 60)
  expect(world.mailTo(ann)).toEqual([])
})
