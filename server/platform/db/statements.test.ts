import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { getOwnAvatar, getProfile, logIn, logOut, uploadProfileImage } from '#contract/auth.ts'
import { categories, types } from '#contract/constants.ts'
import { createListing, getListing, listListings, setVisibility } from '#contract/listings.ts'
import { getPublicMember } from '#contract/members.ts'
import { photo } from '#test/pictures.ts'
import { recordStatements } from '#test/statements.ts'
import { newWorld, type World } from '#test/world.ts'

const oneConnection = { url: undefined, pool: 1, statementTimeoutMs: 5000 }

/** Everything that members do, well and badly. */
async function journey(world: World, username: string) {
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
  await ann.try(getListing, { params: { id: 987_654_321 } })
  await ann.call(logOut)
  await world.jobsDone()
}

test('every statement that members cause is prepared, once, under a name, or says that it is not', async () => {
  await using world = await newWorld({ rateLimits: true })
  using statements = recordStatements()
  await journey(world, 'ann')
  const prepared = () => statements.sent().filter(({ text }) => !text.startsWith('/* unprepared */'))
  const once = prepared()
  await journey(world, 'bob')
  const twice = prepared()

  expect(once.length).toBeGreaterThan(40)
  expect(twice.filter(({ name }) => name === undefined)).toEqual([])
  const names = (sent: typeof once) => new Set(sent.map(({ name }) => name)).size
  expect(names(twice)).toBe(names(once))
  expect(new Set(twice.map(({ text }) => text)).size).toBe(names(twice))
})

test('one connection is enough: nothing waits for a second one while it holds the first', async () => {
  await using world = await newWorld({ config: { database: oneConnection } })
  await Promise.all([journey(world, 'ann'), journey(world, 'bob'), journey(world, 'cas')])
  const { rows } = await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(
    world.db,
  )

  expect(rows.map(({ statement }) => statement)).toContainEqual(
    expect.stringContaining('from sessions where token_hash'),
  )
})

test('a connection has its time limits, and speaks UTC', async () => {
  await using world = await newWorld({ config: { database: { ...oneConnection, statementTimeoutMs: 1500 } } })
  const { rows } = await sql<Record<string, string>>`
    select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
      current_setting('idle_in_transaction_session_timeout') as idle, current_setting('timezone') as zone`.execute(
    world.db,
  )

  expect(rows).toEqual([{ statement: '1500ms', lock: '1500ms', idle: '10s', zone: 'UTC' }])
})

test('a statement that takes longer than it may is ended', async () => {
  await using world = await newWorld({ config: { database: { ...oneConnection, statementTimeoutMs: 100 } } })

  await expect(sql`select pg_sleep(20)`.execute(world.db)).rejects.toThrow('statement timeout')
  expect((await sql`select 1 as one`.execute(world.db)).rows).toEqual([{ one: 1 }])
})
