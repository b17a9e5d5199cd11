import { afterAll, expect, test } from 'vitest'
import { type CategoryId, categories } from '#contract/constants.ts'
import { listAuditLog } from '#contract/desk.ts'
import {
  actOnListings,
  deskListingMessages,
  type ListingActionBody,
  listDeskListings,
} from '#contract/desk-listings.ts'
import { getImage } from '#contract/images.ts'
import { listListings } from '#contract/listing-queries.ts'
import { createListing, deleteListing, getListing } from '#contract/listings.ts'
import { listMatches } from '#contract/matches.ts'
import { listNotifications } from '#contract/notifications.ts'
import { updateProfile } from '#contract/profile.ts'
import { caseMessages, undoAction } from '#contract/report-cases.ts'
import { createWant } from '#contract/wants.ts'
import { type Actor, nextOf } from '#test/actor.ts'
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

const because = { rule: 'forbidden', reason: 'Only plants' } as const
const act = (by: Actor, body: Partial<ListingActionBody> & Pick<ListingActionBody, 'ids' | 'action'>) =>
  by.try(actOnListings, { body: { ...because, ...body } })

async function post(owner: Actor, ...titles: string[]): Promise<number[]> {
  const ids: number[] = []
  for (const title of titles)
    ids.push((await owner.call(createListing, { body: { title, price: 2, category_id: null } })).id)
  return ids
}

const noticesOf = async (member: Actor) =>
  (await member.call(listNotifications, { query: {} })).flatMap(({ notice }) => notice ?? [])

test('the desk lists all listings, newest first and in pages, with the photos of hidden ones', async () => {
  const [ann] = await world.uniqueMembers('ann')
  const { id } = await ann.call(createListing, {
    body: { title: 'Kale', price: 2, is_public: false, category_id: categories.produce },
    file: await photo(),
  })
  const [pot = 0] = await post(ann, 'Pot')
  await act(maud, { ids: [id], action: 'hide' })

  const reply = await maud.try(listDeskListings, { query: { limit: 2 } })
  expect(reply.body).toMatchObject([
    { id: pot, is_hidden: false, images: [], owner: { id: ann.id, username: ann.username } },
    { id, title: 'Kale', is_hidden: true, is_public: false, category_id: categories.produce },
  ])
  const first = await maud.try(listDeskListings, { query: { limit: 1 } })
  expect((await maud.send('GET', nextOf(first) ?? '')).body).toMatchObject([{ id }])
  const [hidden, ...others] = await olga.call(listDeskListings, { query: { hidden: 'true' } })
  expect(others.filter(({ is_hidden }) => !is_hidden)).toEqual([])

  const params = { id: hidden?.images[0]?.src.split('/').at(-1) ?? '' }
  const [stranger] = await world.uniqueMembers('stranger')
  const opened = await Promise.all([maud, ann, stranger].map((who) => who.fetch(getImage, { params })))
  expect(opened.map(({ status }) => status)).toEqual([200, 200, 404])
})

test('several listings are hidden and shown at once, and their owners are told', async () => {
  const [ann, bob, cat] = await world.uniqueMembers('ann', 'bob', 'cat')
  await world.confirm(ann)
  const ids = [...(await post(ann, 'Pot', 'Vase')), ...(await post(bob, 'Chair'))]
  expect(await act(maud, { ids: [...ids, ...ids], action: 'hide' })).toMatchObject({
    status: 200,
    body: { done: ids, unchanged: [], gone: [] },
  })
  for (const id of ids) expect((await cat.try(getListing, { params: { id } })).status).toBe(404)
  const [pot = 0] = ids
  expect(await act(olga, { ids, action: 'show', reason: 'They are planted' })).toMatchObject({ status: 200 })
  expect((await cat.try(getListing, { params: { id: pot } })).status).toBe(200)
  const shown = { kind: 'listing_shown', rule: null, text: 'They are planted' }
  const hidden = { kind: 'listing_hidden', rule: 'forbidden', text: 'Only plants' }
  const listings = ['Pot', 'Vase'].map((title) => ({ title, category: null }))
  expect(await noticesOf(ann)).toMatchObject([
    { ...shown, listings },
    { ...hidden, listings },
  ])
  expect((await noticesOf(bob)).map(({ kind }) => kind)).toEqual(['listing_shown', 'listing_hidden'])
  expect(await maud.call(listAuditLog, { query: { target_type: 'listing', target_id: pot } })).toMatchObject([
    { action: 'listing_shown', reason: 'They are planted', actor: { username: 'olga' } },
    { action: 'listing_hidden', reason: 'Only plants', actor: { username: 'maud' } },
  ])
  await world.jobsDone()
  const [mail, ...others] = world.mailTo(ann).filter(({ subject }) => subject?.includes('hidden'))
  expect(mail).toMatchObject({
    subject: '2 of your listings are hidden',
    text: expect.stringMatching(/Pot\nVase\n[\s\S]*Only plants/),
  })
  expect(others).toEqual([])
})

test('a listing that was deleted meanwhile is reported, and one that is so already is left', async () => {
  const [ann] = await world.uniqueMembers('ann')
  const [pot = 0, vase = 0, chair = 0] = await post(ann, 'Pot', 'Vase', 'Chair')
  await act(maud, { ids: [vase], action: 'hide' })
  await ann.call(deleteListing, { params: { id: chair } })
  expect(await act(maud, { ids: [chair, vase, pot], action: 'hide' })).toMatchObject({
    status: 200,
    body: { done: [pot], unchanged: [vase], gone: [chair] },
  })
  expect(await act(maud, { ids: [chair], action: 'hide' })).toMatchObject({
    status: 404,
    body: { detail: 'Listing not found' },
  })
  expect((await noticesOf(ann)).map(({ listings }) => listings.map(({ title }) => title))).toEqual([
    ['Pot'],
    ['Vase'],
  ])
})

test('of two moderators at the same time one acts and the other reads that it is done', async () => {
  const [ann] = await world.uniqueMembers('ann')
  const ids = await post(ann, 'Pot', 'Vase')
  const replies = await Promise.all([
    act(maud, { ids, action: 'hide' }),
    act(olga, { ids: ids.toReversed(), action: 'hide' }),
  ])
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 409])
  expect(replies.find(({ status }) => status === 409)?.body).toMatchObject({
    detail: deskListingMessages.doneAlready,
  })
  expect(await noticesOf(ann)).toHaveLength(1)
})

test('a corrected category is in the lists and matched, the owner is told, and undoing brings back the old one', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  const { id } = await ann.call(createListing, {
    body: { title: 'Skirret', price: 2, category_id: categories.produce },
  })
  await bob.call(createWant, { body: { title: 'Skirret', category_id: categories.plants } })
  await world.jobsDone()
  const matched = async () => (await bob.call(listMatches, { query: {} })).length
  const inPlants = async () =>
    (await bob.call(listListings, { query: { category_id: categories.plants, user_id: ann.id } })).length
  expect([await matched(), await inPlants()]).toEqual([0, 0])

  const correct = { ids: [id], action: 'categorize' as const, category_id: categories.plants }
  expect((await act(maud, { ...correct, reason: 'It has roots' })).status).toBe(200)
  await world.jobsDone()
  expect([await matched(), await inPlants()]).toEqual([1, 1])
  expect(await noticesOf(ann)).toMatchObject([
    {
      kind: 'listing_categorized',
      listings: [{ title: 'Skirret', category: { from: categories.produce, to: categories.plants } }],
      rule: null,
      text: 'It has roots',
    },
  ])
  expect((await act(olga, correct)).status).toBe(409)

  const query = { action: 'listing_categorized', target_id: id } as const
  const [entry] = await maud.call(listAuditLog, { query })
  const undo = { params: { id: entry?.id ?? 0 }, body: { reason: 'It is pulled' } }
  expect((await olga.try(undoAction, undo)).status).toBe(204)
  expect(await olga.try(undoAction, undo)).toMatchObject({
    status: 409,
    body: { detail: caseMessages.alreadyUndone },
  })
  await world.jobsDone()
  expect((await ann.call(getListing, { params: { id } })).category_id).toBe(categories.produce)
  expect(await inPlants()).toBe(0)
  expect(await maud.call(listAuditLog, { query })).toMatchObject([
    { undoes: entry?.id, reason: 'It is pulled', actor: { username: 'olga' } },
    { id: entry?.id, is_undone: true },
  ])
})

test('the mail of corrected categories names the old and the new one in the language of the owner', async () => {
  const [ann] = await world.uniqueMembers('ann')
  await world.confirm(ann)
  await ann.call(updateProfile, { body: { language: 'de' } })
  const [pot = 0] = await post(ann, 'Pot')
  const { id } = await ann.call(createListing, {
    body: { title: 'Kale', price: 2, category_id: categories.produce },
  })
  const mailOf = async (ids: number[], category_id: CategoryId | null) => {
    await act(maud, { ids, action: 'categorize', category_id })
    await world.jobsDone()
    return world.mailTo(ann).at(-1)
  }
  expect(await mailOf([pot, id], categories.seeds)).toMatchObject({
    subject: 'Die Kategorien von 2 deiner Angebote wurden berichtigt',
    text: expect.stringContaining('Pot: Samen statt ohne Kategorie\nKale: Samen statt Ernte\n'),
  })
  expect(await mailOf([pot], null)).toMatchObject({
    subject: 'Die Kategorie deines Angebots „Pot“ wurde berichtigt',
    text: expect.stringContaining('Pot: ohne Kategorie statt Samen\n'),
  })
})

test('a notice that the previous release has stored names its listing', async () => {
  const [ann] = await world.uniqueMembers('ann')
  await act(maud, { ids: await post(ann, 'Pot'), action: 'hide' })
  await world.db.updateTable('notices').set({ listings: null }).where('user_id', '=', ann.id).execute()
  expect(await noticesOf(ann)).toMatchObject([{ listings: [{ title: 'Pot', category: null }] }])
})

test('an action has listings, a reason, and the rule or the category that it needs', async () => {
  const [ann] = await world.uniqueMembers('ann')
  const [pot = 0] = await post(ann, 'Pot')
  const errorOf = async (body: Parameters<typeof act>[1]) => {
    const { status, body: problem } = await act(maud, body)
    return { status, errors: 'errors' in problem ? problem.errors : undefined }
  }
  const refused = (field: string, message: string) => ({ status: 422, errors: [{ field, message }] })
  const many = Array.from({ length: 51 }, (_, index) => index + 1)
  const ids = [pot]
  for (const wrong of [[], many])
    expect(await errorOf({ ids: wrong, action: 'hide' })).toMatchObject(
      refused('ids', 'Please choose from 1 to 50 listings'),
    )
  expect(await errorOf({ ids, action: 'show', reason: ' ' })).toMatchObject(
    refused('reason', 'Please say why'),
  )
  expect(await errorOf({ ids, action: 'hide', rule: undefined })).toMatchObject(
    refused('rule', deskListingMessages.ruleNeeded),
  )
  expect(await errorOf({ ids, action: 'categorize' })).toMatchObject(
    refused('category_id', deskListingMessages.categoryNeeded),
  )
  expect(await noticesOf(ann)).toEqual([])
})

test('the lists read their indexes', async () => {
  for (const hidden of ['true', 'false']) {
    const nodes = await postgres.planNodes(() => maud.call(listDeskListings, { query: { hidden } }))
    const names = nodes.map(({ 'Index Name': index }) => index)
    expect(names).toContain(hidden === 'true' ? 'listings_hidden' : 'listings_pkey')
    expect(nodes.filter(({ 'Node Type': type }) => type === 'Sort')).toEqual([])
  }
})
