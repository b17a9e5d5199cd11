import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { categories, types } from '#contract/constants.ts'
import { listAuditLog } from '#contract/desk.ts'
import { actOnListings, deskListingMessages, listDeskListings } from '#contract/desk-listings.ts'
import { requestFriend, respondToFriend } from '#contract/friends.ts'
import { getImage } from '#contract/images.ts'
import { listListings } from '#contract/listing-queries.ts'
import { createListing, getListing, type Listing, updateListing } from '#contract/listings.ts'
import { listMatches } from '#contract/matches.ts'
import { sendMessage } from '#contract/messages.ts'
import { listNotifications } from '#contract/notifications.ts'
import { exportProfile } from '#contract/profile.ts'
import { caseMessages, undoAction } from '#contract/report-cases.ts'
import { getSiteSettings, saveSiteSettings } from '#contract/site-settings.ts'
import { acceptTrade, createTrade, handOverTrade } from '#contract/trades.ts'
import { createWant } from '#contract/wants.ts'
import type { Actor } from '#test/actor.ts'
import { admin } from '#test/admin.ts'
import { photo } from '#test/pictures.ts'
import { planner } from '#test/plans.ts'
import { newWorld } from '#test/world.ts'

const world = await newWorld()
const postgres = await planner(world.databaseUrl)
afterAll(async () => {
  await postgres[Symbol.asyncDispose]()
  await world[Symbol.asyncDispose]()
})
const [maud, olga] = await world.members('maud', 'olga')
await admin(world, 'grant', 'maud', 'moderator')
await admin(world, 'grant', 'olga', 'operator')

async function holdFirst(hold_first_listings: boolean) {
  const { version } = await olga.call(getSiteSettings)
  await olga.call(saveSiteSettings, { body: { version, hold_first_listings } })
}
const post = (owner: Actor, title: string) =>
  owner.call(createListing, {
    body: { title, type_id: types.giveaway, category_id: categories.produce, is_public: true },
  })
const act = (by: Actor, action: 'show' | 'hide', ...listings: Listing[]) =>
  by.try(actOnListings, {
    body: { ids: listings.map(({ id }) => id), action, rule: 'forbidden', reason: 'Looked at it' },
  })
const statusFor = async (reader: Actor, { id }: Listing) =>
  (await reader.try(getListing, { params: { id } })).status
const waiting = async (by: Actor) =>
  (await by.call(listDeskListings, { query: { waiting: 'true' } })).map(({ id }) => id)
const toldTo = async (member: Actor) =>
  (await member.call(listNotifications, { query: {} })).map(({ kind, notice }) => notice?.kind ?? kind)

test('without the setting, a first listing is shown at once', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  const kale = await post(ann, 'Kale')
  expect(kale.is_held).toBe(false)
  expect(await statusFor(bob, kale)).toBe(200)
})

describe('with the setting', () => {
  beforeAll(() => holdFirst(true))

  test('only the owner and the desk see first listings and their photos', async () => {
    const [ann, bob, cat] = await world.uniqueMembers('ann', 'bob', 'cat')
    const { request_id } = await bob.call(requestFriend, { body: { friend_id: ann.id } })
    await ann.call(respondToFriend, { body: { request_id: request_id ?? 0, accept: true } })
    const title = `Salsify ${ann.username}`
    const held = await ann.call(createListing, {
      body: { title, price: 2, category_id: categories.produce },
      file: await photo(),
    })
    expect(held.is_held).toBe(true)
    const guest = world.guest()
    expect(await Promise.all([ann, bob, cat].map((reader) => statusFor(reader, held)))).toEqual([
      200, 404, 404,
    ])
    const params = { id: held.images[0]?.src.split('/').at(-1) ?? '' }
    const opened = [ann, maud, bob, cat, guest].map((who) => who.fetch(getImage, { params }))
    expect((await Promise.all(opened)).map(({ status }) => status)).toEqual([200, 200, 404, 404, 401])
    for (const query of [
      { public: 'true' },
      { friends: 'true' },
      { user_id: ann.id },
      { q: title },
      {},
    ] as const)
      expect((await bob.call(listListings, { query })).map(({ id }) => id)).not.toContain(held.id)
    const mine = await ann.call(listListings, { query: { mine: 'true' } })
    expect(mine).toMatchObject([{ id: held.id, is_held: true }])
    expect(JSON.stringify(await ann.call(exportProfile))).toContain(title)
    expect(JSON.stringify(await bob.call(exportProfile))).not.toContain(title)
    expect((await bob.try(createTrade, { body: { listing_id: held.id } })).status).toBe(404)
    const about = { receiver_id: ann.id, content: 'Is it left?', listing_id: held.id }
    expect((await bob.try(sendMessage, { body: about })).status).toBe(422)
    const [shown] = await maud.call(listDeskListings, { query: { waiting: 'true' } })
    expect(shown).toMatchObject({ id: held.id, title, is_held: true, is_hidden: true })
  })

  test('wants are matched and their owners told when it is shown, not before', async () => {
    const [ann, bob, cat] = await world.uniqueMembers('ann', 'bob', 'cat')
    const want = { title: 'Tomatillo', category_id: categories.produce }
    await bob.call(createWant, { body: want })
    const held = await post(ann, 'Tomatillo')
    await cat.call(createWant, { body: want })
    await ann.call(updateListing, { params: { id: held.id }, body: { description: 'Green ones' } })
    await world.jobsDone()
    const matched = async (member: Actor) => (await member.call(listMatches, { query: {} })).length
    const toldBoth = async () => [...(await toldTo(bob)), ...(await toldTo(cat))]
    expect([await matched(bob), await matched(cat), await toldBoth()]).toEqual([0, 0, []])

    expect((await act(maud, 'show', held)).status).toBe(200)
    await world.jobsDone()
    expect([await matched(bob), await matched(cat)]).toEqual([1, 1])
    expect(await toldBoth()).toEqual(['match', 'match'])
  })

  test('showing several tells each owner once, is in the log, and holds no later listing', async () => {
    const [ann, bob] = await world.uniqueMembers('ann', 'bob')
    await world.confirm(ann)
    const [kale, leek, bean] = [await post(ann, 'Kale'), await post(ann, 'Leek'), await post(bob, 'Beans')]
    expect(await waiting(maud)).toEqual(expect.arrayContaining([kale.id, leek.id, bean.id]))
    const rest = await maud.call(listDeskListings, { query: { waiting: 'false' } })
    const hidden = await maud.call(listDeskListings, { query: { hidden: 'true' } })
    expect([...rest, ...hidden].filter(({ is_held }) => is_held)).toEqual([])
    const replies = await Promise.all([act(maud, 'show', kale, leek), act(olga, 'show', leek, kale)])
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(await toldTo(ann)).toEqual(['first_listing_shown'])
    await world.jobsDone()
    expect(world.mailTo(ann).at(-1)?.subject).toBe('2 of your listings are shown now')
    expect(await waiting(maud)).toContain(bean.id)
    const log = await maud.call(listAuditLog, { query: { target_type: 'listing', target_id: kale.id } })
    expect(log).toMatchObject([{ action: 'listing_shown', reason: 'Looked at it' }])
    expect((await post(ann, 'Peas')).is_held).toBe(false)
    expect((await post(bob, 'Peas')).is_held).toBe(true)
  })

  test('undoing that the first was shown hides it and holds the next', async () => {
    const [ann, bob] = await world.uniqueMembers('ann', 'bob')
    const kale = await post(ann, 'Kale')
    await act(maud, 'show', kale)
    const [entry] = await maud.call(listAuditLog, { query: { action: 'listing_shown', target_id: kale.id } })
    const undo = { params: { id: entry?.id ?? 0 }, body: { reason: 'A mistake' } }
    expect((await maud.try(undoAction, undo)).status).toBe(204)
    expect(await statusFor(bob, kale)).toBe(404)
    expect((await post(ann, 'Leek')).is_held).toBe(true)
  })

  test('a waiting one can be hidden for good, and its owner reads why', async () => {
    const [ann] = await world.uniqueMembers('ann')
    const pills = await post(ann, 'Pills')
    expect((await act(maud, 'hide', pills)).status).toBe(200)
    expect(await waiting(maud)).not.toContain(pills.id)
    expect((await ann.call(getListing, { params: { id: pills.id } })).is_held).toBe(false)
    expect(await toldTo(ann)).toEqual(['listing_hidden'])
    expect(await act(olga, 'hide', pills)).toMatchObject({
      status: 409,
      body: { detail: deskListingMessages.doneAlready },
    })
    expect((await post(ann, 'More pills')).is_held).toBe(true)
  })

  test('undoing that a waiting one was hidden does not show it, which a moderator can', async () => {
    const [ann, bob] = await world.uniqueMembers('ann', 'bob')
    const kale = await post(ann, 'Kale')
    await act(maud, 'hide', kale)
    const [entry] = await maud.call(listAuditLog, { query: { action: 'listing_hidden', target_id: kale.id } })
    const undo = { params: { id: entry?.id ?? 0 }, body: { reason: 'A mistake' } }
    expect(await maud.try(undoAction, undo)).toMatchObject({
      status: 409,
      body: { detail: caseMessages.waitedBefore },
    })
    expect(await statusFor(bob, kale)).toBe(404)
    expect((await act(maud, 'show', kale)).status).toBe(200)
    expect(await statusFor(bob, kale)).toBe(200)
  })

  test('a member with a finished trade is not held', async () => {
    const [ann, bob] = await world.uniqueMembers('ann', 'bob')
    const kale = await post(ann, 'Kale')
    await act(maud, 'show', kale)
    const { id } = await bob.call(createTrade, { body: { listing_id: kale.id } })
    await ann.call(acceptTrade, { params: { id } })
    expect((await post(bob, 'Peas')).is_held).toBe(true)
    await ann.call(handOverTrade, { params: { id }, body: {} })
    expect((await post(bob, 'Leek')).is_held).toBe(false)
  })

  test('the waiting ones are read from their index', async () => {
    const nodes = await postgres.planNodes(() => maud.call(listDeskListings, { query: { waiting: 'true' } }))
    expect(nodes.map(({ 'Index Name': index }) => index)).toContain('listings_held')
  })
})
