import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { types } from '#contract/constants.ts'
import { listDeskListings } from '#contract/desk-listings.ts'
import { getImage } from '#contract/images.ts'
import { listListings } from '#contract/listing-queries.ts'
import { createListing, getListing } from '#contract/listings.ts'
import {
  countUnreadMessages,
  listMessages,
  listThreads,
  markThreadRead,
  sendMessage,
} from '#contract/messages.ts'
import { countUnreadNotifications, listNotifications } from '#contract/notifications.ts'
import { createWant } from '#contract/wants.ts'
import { giveRole } from '#server/features/desk/roles.ts'
import { photo } from '#test/pictures.ts'
import { recordStatements } from '#test/statements.ts'
import { newWorld } from '#test/world.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())
const [ann, bob] = await world.members('ann', 'bob')

/** Listings and a want, a thread and a notification, so that no call ends early. */
const title = 'Zucchini'
const offered = { title, type_id: types.exchange }
const { id, featured_image } = await ann.call(createListing, { body: offered, file: await photo() })

beforeAll(async () => {
  // No repeated job may add statements.
  await sql`delete from jobs.schedule`.execute(world.db)
  await bob.call(createWant, { body: { title: 'courgettes', category_id: null } })
  await ann.call(sendMessage, { body: { receiver_id: bob.id, content: 'Hello' } })
  await giveRole(world.db, null, { username: ann.username, role: 'moderator' })
  await world.jobsDone()
})

/** The frequent statements of ARCHITECTURE.md, by the calls that run them. */
const calls: Readonly<Record<string, () => Promise<unknown>>> = {
  'page-of-the-market': () => bob.call(listListings, { query: {} }),
  'page-of-public-listings': () => bob.call(listListings, { query: { public: 'true' } }),
  'page-of-friends': () => bob.call(listListings, { query: { friends: 'true' } }),
  'page-by-price': () => bob.call(listListings, { query: { public: 'true', sort: 'lowest' } }),
  'page-of-a-member': () => bob.call(listListings, { query: { user_id: ann.id } }),
  'one-listing': () => bob.call(getListing, { params: { id } }),
  search: () => bob.call(listListings, { query: { q: 'zuchini green' } }),
  'sending-a-message': () => ann.call(sendMessage, { body: { receiver_id: bob.id, content: 'Hi' } }),
  'page-of-messages': () => bob.call(listMessages, { params: { id: ann.id }, query: {} }),
  threads: () => bob.call(listThreads, { query: {} }),
  'reading-a-thread': () => bob.call(markThreadRead, { params: { id: ann.id } }),
  'unread-messages': () => bob.call(countUnreadMessages),
  notifications: () => bob.call(listNotifications, { query: {} }),
  'page-of-the-desk': () => ann.call(listDeskListings, { query: {} }),
  'page-of-hidden-listings': () => ann.call(listDeskListings, { query: { hidden: 'true' } }),
  'unread-notifications': () => bob.call(countUnreadNotifications),
  photo: () => bob.fetch(getImage, { params: { id: featured_image?.replace('images/', '') ?? '' } }),
  'matching-a-listing': async () => {
    await ann.call(createListing, { body: offered })
    await world.jobsDone()
  },
  'matching-a-want': async () => {
    await bob.call(createWant, { body: { title: 'zucchini', category_id: null } })
    await world.jobsDone()
  },
}

/** Returns whether a text is written as SQL: not by Kysely's builder, which quotes names, and not for the job queue. */
const isSqlText = (text: string) =>
  /^(\/\* unprepared \*\/ ?)?(with|select|insert|update|delete)\b/.test(text) &&
  !/(from|into|update) "|\bjobs\.|pg_notify|set_config/.test(text)

test.each(Object.entries(calls))('the statements of %s are as committed', async (name, call) => {
  using statements = recordStatements()
  await call()
  const texts = [...new Set(statements.sent().map(({ text }) => text.trim()))].filter(isSqlText).toSorted()
  expect(texts.length).toBeGreaterThan(0)
  await expect(`${texts.join(';\n\n')};\n`).toMatchFileSnapshot(`golden/${name}.sql`)
})
