import { afterAll, expect, test } from 'vitest'
import { states, types } from '#contract/constants.ts'
import type { CallInput } from '#contract/endpoint.ts'
import { createListing, updateListing } from '#contract/listings.ts'
import { blockMember } from '#contract/members.ts'
import { sendMessage } from '#contract/messages.ts'
import { countUnreadNotifications, listNotifications, readNotifications } from '#contract/notifications.ts'
import { updatePreferences } from '#contract/profile.ts'
import { subscribeToPush } from '#contract/push.ts'
import type { Actor } from '#test/actor.ts'
import { startPushService } from '#test/push-service.ts'
import { zoneWhereItIs } from '#test/time-zones.ts'
import { newWorld } from '#test/world.ts'

const push = await startPushService()
const world = await newWorld({ config: { push: push.settings } })
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await push.stop()
})

const day = 24 * 60

async function sell(owner: Actor, title: string, price: number) {
  const { id } = await owner.call(createListing, { body: { title, type_id: types.sell, price } })
  return {
    id,
    change: (body: CallInput<typeof updateListing>['body']) =>
      owner.call(updateListing, { params: { id }, body }),
  }
}
const ask = (asker: Actor, owner: Actor, listing_id: number) =>
  asker.call(sendMessage, { body: { receiver_id: owner.id, content: 'Is it ripe?', listing_id } })
const dropsOf = async (member: Actor) =>
  (await member.call(listNotifications, { query: {} })).flatMap(({ price_drop }) => price_drop ?? [])
const mailsTo = (member: Actor) =>
  world.mailTo(member).filter(({ subject }) => subject.includes('is cheaper now'))

test('tells the members who have asked about a listing that it became cheaper: at once, by push, and in the morning by mail', async () => {
  const [ann, bob, cat] = await world.uniqueMembers('ann', 'bob', 'cat')
  await world.confirm(bob)
  await bob.call(updatePreferences, { body: { time_zone: zoneWhereItIs(12) } })
  const { id, change } = await sell(ann, 'Quinces', 10)
  const other = await sell(ann, 'Medlars', 5)
  await ask(bob, ann, id)
  await ask(bob, ann, other.id)
  await ask(cat, ann, other.id)
  await change({ price: 12 })
  expect(await dropsOf(bob)).toEqual([])
  const browser = push.browser()
  await bob.call(subscribeToPush, { body: browser.subscription })

  await change({ price: 8.5 })
  await world.jobsDone()
  expect(await dropsOf(bob)).toEqual([{ listing_id: id, listing_title: 'Quinces', from: 12, to: 8.5 }])
  expect([await dropsOf(cat), await dropsOf(ann)]).toEqual([[], []])
  const text = {
    title: '“Quinces” is cheaper now',
    body: 'It costs $8.50 instead of $12. You have asked about it.',
  }
  expect(browser.shown).toEqual([{ category: 'listing', ...text, path: `/listings/${id}`, tag: 'prices' }])
  expect(mailsTo(bob)).toEqual([])

  await other.change({ price: 4 })
  await world.passMinutes(day)
  expect(mailsTo(bob)).toMatchObject([{ subject: '“Medlars” is cheaper now' }])
  expect(mailsTo(bob)[0]?.text).toContain('It costs $4 instead of $5.')
  expect(mailsTo(bob)[0]?.text).toContain(
    `Also:\n- “Quinces” is cheaper now: https://rhubarb.test/listings/${id}`,
  )
  expect(mailsTo(bob)[0]?.headers.get('list-unsubscribe')).toContain('mail_listings')
  await world.passMinutes(day)
  expect(mailsTo(bob)).toHaveLength(1)

  const third = await sell(ann, 'Sloes', 5)
  await ask(bob, ann, third.id)
  await third.change({ price: 3 })
  await world.passMinutes(day)
  expect(mailsTo(bob)).toHaveLength(2)
  expect(mailsTo(bob)[1]?.text).not.toMatch(/Quinces|Medlars/)
})

test('tells nothing about a listing that is dearer again, gone, or of a blocking member', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  await world.confirm(bob)
  const [dearer, gone, blocked] = [
    await sell(ann, 'Apples', 10),
    await sell(ann, 'Pears', 10),
    await sell(ann, 'Plums', 10),
  ]
  for (const { id, change } of [dearer, gone, blocked]) {
    await ask(bob, ann, id)
    await change({ price: 5 })
  }
  expect(await dropsOf(bob)).toHaveLength(3)
  await dearer.change({ price: 10 })
  await gone.change({ state_id: states.gone })
  expect((await dropsOf(bob)).map(({ listing_title }) => listing_title)).toEqual(['Plums'])
  await ann.call(blockMember, { params: { id: bob.id } })
  expect([await dropsOf(bob), await bob.call(countUnreadNotifications)]).toEqual([[], 0])
  await world.passMinutes(day)
  expect(mailsTo(bob)).toEqual([])
})

test('tells once a day, and mails nothing that the member has looked at', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  await world.confirm(bob)
  const { id, change } = await sell(ann, 'Cherries', 10)
  await ask(bob, ann, id)
  await change({ price: 8 })
  const lookAt = (...ids: number[]) =>
    bob.call(readNotifications, { body: { about: { type: 'listing', ids } } })
  expect(await lookAt(id + 1)).toEqual({ updated: 0 })
  expect(await lookAt(id + 1, id)).toEqual({ updated: 1 })
  await change({ price: 9 })
  await change({ price: 7 })
  expect(await bob.call(countUnreadNotifications)).toBe(0)
  expect((await dropsOf(bob))[0]?.to).toBe(7)
  await world.passMinutes(day)
  expect(mailsTo(bob)).toEqual([])
})

test('mails nothing later that happened while the member wanted no such mails', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  await world.confirm(bob)
  for (const [title, mail_listings] of [
    ['Leeks', false],
    ['Swedes', true],
  ] as const) {
    await bob.call(updatePreferences, { body: { mail_listings } })
    const { id, change } = await sell(ann, title, 5)
    await ask(bob, ann, id)
    await change({ price: 3 })
  }
  await world.passMinutes(day)
  expect(mailsTo(bob)).toMatchObject([{ subject: '“Swedes” is cheaper now' }])
  expect(mailsTo(bob)[0]?.text).not.toContain('Leeks')
})
