import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { getOwnAvatar, getProfile, logIn, logOut, uploadProfileImage } from '#contract/auth.ts'
import { categories, types } from '#contract/constants.ts'
import type { CallInput } from '#contract/endpoint.ts'
import { listListings } from '#contract/listing-queries.ts'
import { createListing, getListing, setVisibility, updateListing } from '#contract/listings.ts'
import { getPublicMember } from '#contract/members.ts'
import { updatePreferences, updateProfile } from '#contract/profile.ts'
import { photo } from '#test/pictures.ts'
import { recordStatements } from '#test/statements.ts'
import { newWorld, type World } from '#test/world.ts'
import { inLongTransaction } from './database.ts'

const oneConnection = {
  url: undefined,
  directUrl: undefined,
  readUrl: undefined,
  pool: 1,
  statementTimeoutMs: 5000,
}

/** Fields that a member changes. */
interface Changes {
  readonly listing: CallInput<typeof updateListing>['body']
  readonly profile: CallInput<typeof updateProfile>['body']
  readonly preferences: CallInput<typeof updatePreferences>['body']
  readonly personalInfo: CallInput<typeof uploadProfileImage>['body']
}

const titleAndNames: Changes = {
  listing: { title: 'Peas' },
  profile: { first_name: 'Ann' },
  preferences: { mail_unread: false, mail_listings: false },
  personalInfo: { city: 'Ghent' },
}
const otherFields: Changes = {
  listing: { description: 'Young', open_to_rings: false },
  profile: { last_name: 'Bee', city: 'Bruges' },
  preferences: { mail_trades: false, mail_matches: 'never' },
  personalInfo: { state: 'Flanders', address: 'Lane 1' },
}

/** Calls most endpoints as one member. */
async function callEndpoints(world: World, username: string, changes = titleAndNames) {
  const ann = await world.member({ username })
  await world.guest().try(logIn, { body: { username: ann.email, password: 'wrong' } })
  await ann.call(uploadProfileImage, { body: { city: 'Ghent' }, file: await photo() })
  await ann.call(uploadProfileImage, { body: { city: 'Ghent' }, file: await photo() })
  await ann.call(getOwnAvatar)
  await ann.call(getProfile)
  await ann.call(getPublicMember, { params: { id: ann.id } })
  const body = { title: 'Beans', type_id: types.giveaway }
  const { id } = await ann.call(createListing, { body, file: await photo() })
  await ann.call(createListing, { body })
  for (const list of [
    {},
    { mine: 'true' },
    { friends: 'true' },
    { public: 'true' },
    { user_id: ann.id },
  ] as const) {
    await ann.call(listListings, { query: { ...list, limit: 1 } })
    await ann.call(listListings, { query: { ...list, category_id: categories.seeds } })
  }
  await ann.call(getListing, { params: { id } })
  await ann.call(setVisibility, { params: { id }, body: { is_public: false } })
  await ann.call(updateListing, { params: { id }, body: changes.listing })
  await ann.call(updateProfile, { body: changes.profile })
  await ann.call(updatePreferences, { body: changes.preferences })
  await ann.call(uploadProfileImage, { body: changes.personalInfo })
  await ann.try(getListing, { params: { id: 987_654_321 } })
  await ann.call(logOut)
  await world.jobsDone()
}

test('prepares each statement once under a name, unless it is marked as unprepared', async () => {
  await using world = await newWorld({ rateLimits: true })
  using statements = recordStatements()
  await callEndpoints(world, 'ann')
  const prepared = () => statements.sent().filter(({ text }) => !text.startsWith('/* unprepared */'))
  const first = prepared()
  await callEndpoints(world, 'bob', otherFields)
  const all = prepared()

  expect(first.length).toBeGreaterThan(40)
  expect(all.filter(({ name }) => name === undefined)).toEqual([])
  const names = (sent: typeof first) => new Set(sent.map(({ name }) => name)).size
  expect(names(all)).toBe(names(first))
  expect(new Set(all.map(({ text }) => text)).size).toBe(names(all))
})

test('no request needs a second connection while it holds one', async () => {
  await using world = await newWorld({ config: { database: oneConnection } })
  await Promise.all([callEndpoints(world, 'ann'), callEndpoints(world, 'bob'), callEndpoints(world, 'cas')])
  const { rows } = await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(
    world.db,
  )

  expect(rows.map(({ statement }) => statement)).toContainEqual(
    expect.stringContaining('from sessions where token_hash'),
  )
})

test('connections have timeouts and the time zone UTC, and stay usable after a statement timeout', async () => {
  await using world = await newWorld({ config: { database: { ...oneConnection, statementTimeoutMs: 100 } } })
  const { rows } = await sql<Record<string, string>>`
    select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
      current_setting('idle_in_transaction_session_timeout') as idle, current_setting('timezone') as zone`.execute(
    world.db,
  )

  expect(rows).toEqual([{ statement: '100ms', lock: '100ms', idle: '10s', zone: 'UTC' }])

  await expect(sql`select pg_sleep(20)`.execute(world.db)).rejects.toThrow('statement timeout')
  expect((await sql`select 1 as one`.execute(world.db)).rows).toEqual([{ one: 1 }])

  // Longer than the client waits for other statements.
  const slow = await inLongTransaction(world.db, 5000, (tx) => sql`select pg_sleep(1.2)`.execute(tx))
  expect(slow.rows).toHaveLength(1)
  const endless = inLongTransaction(world.db, 200, (tx) => sql`select pg_sleep(20)`.execute(tx))
  await expect(endless).rejects.toThrow('statement timeout')
})
