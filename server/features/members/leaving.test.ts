import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { getProfile, requestPasswordReset, uploadProfileImage } from '#contract/auth.ts'
import { types } from '#contract/constants.ts'
import { invite } from '#contract/invitations.ts'
import { createListing } from '#contract/listings.ts'
import { blockMember } from '#contract/members.ts'
import { sendMessage } from '#contract/messages.ts'
import { deleteProfile, exportProfile, updateProfile } from '#contract/profile.ts'
import { report } from '#contract/reports.ts'
import { acceptTrade, createTrade, handOverTrade, thankForTrade } from '#contract/trades.ts'
import { createWant } from '#contract/wants.ts'
import { hashOfToken } from '#server/features/auth/tokens.ts'
import { giveRole } from '#server/features/desk/roles.ts'
import { exportRules } from '#server/features/export/export.ts'
import { connectTo } from '#test/database.ts'
import { photo } from '#test/pictures.ts'
import { newWorld } from '#test/world.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())
const { ann, bob, cat, dan } = await createMembersWithRows()

/** Creates members with rows in every table that refers to members, in both roles. */
async function createMembersWithRows() {
  const [bob, ann, cat, dan] = await world.members('bob', 'ann', 'cat', 'dan')
  await ann.call(uploadProfileImage, {
    body: { city: 'Anntown', state: 'OR', postcode: '97214', address: '1 Ann Street', apt: '7' },
    file: await photo(),
  })
  for (const username of ['annabel', 'ann']) await ann.call(updateProfile, { body: { username } })
  await ann.call(createListing, { body: { title: 'Anns kale', price: 2 }, file: await photo() })
  const { id: want_id } = await ann.call(createWant, { body: { title: 'Anns figs' } })
  const { id: listing_id } = await bob.call(createListing, { body: { title: 'Figs', price: 2 } })
  const match = { kind: 'same', reason: 'figs is on your list', user_id: ann.id, owner_id: bob.id } as const
  await world.db
    .insertInto('matches')
    .values({ want_id, listing_id, ...match })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await world.db
    .insertInto('notification_schedule')
    .values({ user_id: ann.id, channel: 'mail' })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const ring = await world.db
    .insertInto('rings')
    .values({ listing_ids: [listing_id], size: 3, miles: 1 })
    .returning('id')
    .executeTakeFirstOrThrow()
  await world.db
    .insertInto('ring_legs')
    .values({ ring_id: ring.id, place: 1, want_id, listing_id, giver_id: ann.id, taker_id: bob.id })
    .execute()
  const browser = { endpoint: 'https://push.example/ann', p256dh: 'BAnns', auth: 'Anns' }
  await world.db
    .insertInto('push_subscriptions')
    .values({ user_id: ann.id, session_hash: hashOfToken(ann.token ?? ''), ...browser })
    .execute()
  await ann.call(invite, { body: { email: 'a.neighbor@example.com' } })
  await ann.call(blockMember, { params: { id: cat.id } })
  await cat.call(blockMember, { params: { id: ann.id } })
  await world.befriend(ann, bob)
  await world.befriend(ann, dan)
  await giveRole(world.db, null, { username: ann.username, role: 'moderator' })
  await world.db
    .insertInto('suspensions')
    .values({ user_id: ann.id, rule: 'other', reason: 'Anns suspension' })
    .execute()
  await world.db
    .insertInto('registration_networks')
    .values({ user_id: ann.id, network: '203.0.113.7' })
    .execute()
  await world.db.insertInto('pauses').values({ user_id: ann.id, ends_at: '2026-01-01' }).execute()
  await world.db.insertInto('notices').values({ user_id: ann.id, kind: 'restored' }).execute()
  await world.db.insertInto('unheld_members').values({ user_id: ann.id, listing_id: 1 }).execute()
  await ann.call(report, { body: { user_id: bob.id, reason: 'Anns reason' } })
  await bob.call(report, { body: { user_id: ann.id, reason: 'Bobs reason' } })
  await ann.call(sendMessage, { body: { receiver_id: bob.id, content: 'Anns message' } })
  await bob.call(sendMessage, { body: { receiver_id: ann.id, content: 'Bobs reply' } })
  const quinces = await dan.call(createListing, { body: { title: 'Quinces', type_id: types.giveaway } })
  const { id: trade_id } = await ann.call(createTrade, { body: { listing_id: quinces.id } })
  await dan.call(acceptTrade, { params: { id: trade_id } })
  await dan.call(handOverTrade, { params: { id: trade_id }, body: {} })
  await ann.call(thankForTrade, { params: { id: trade_id }, body: { text: 'Anns thanks' } })
  await dan.call(thankForTrade, { params: { id: trade_id }, body: { text: 'Dans thanks' } })
  await ann.call(updateProfile, { body: { password: 'walls-of-jericho-3' } })
  await world.jobsDone()
  await ann.call(updateProfile, { body: { email: 'ann@elsewhere.example' } })
  await ann.call(requestPasswordReset, { body: { email: 'ann@elsewhere.example' } })
  await world.jobsDone()
  return { ann, bob, cat, dan }
}

/** Returns all columns with a foreign key to `users`. */
async function columnsNamingMembers(): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select c.conrelid::regclass || '.' || a.attname as name
    from pg_constraint c
    join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any (c.conkey)
    where c.contype = 'f' and c.confrelid = 'users'::regclass`.execute(world.db)
  return rows.map(({ name }) => name)
}

/** Columns without a foreign key whose rows are deleted with the member. */
const withoutForeignKeys = ['threads.member_id']

/** Columns that keep the id of a deleted member for the conversations and trades of others. */
const keepDeletedMembers = [
  'messages.sender_id',
  'messages.receiver_id',
  'threads.partner_id',
  'trades.requester_id',
  'trade_legs.giver_id',
  'trade_legs.taker_id',
  'trade_parties.member_id',
]

/** Returns the tables with a row that contains the word. */
async function tablesContaining(word: string): Promise<string[]> {
  const { rows: tables } = await sql<{ name: string }>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname in ('public', 'jobs')`.execute(world.db)
  const containing: string[] = []
  for (const { name } of tables) {
    const { rows } = await sql<{ found: boolean }>`
      select exists (select from ${sql.raw(name)} t where t::text ilike ${`%${word}%`}) as found`.execute(
      world.db,
    )
    if (rows[0]?.found) containing.push(name)
  }
  return containing
}

test('the export has a rule for every column that refers to a member', async () => {
  const withRules = Object.keys(exportRules).filter((name) => name !== 'users.id')
  const columns = [...(await columnsNamingMembers()), ...withoutForeignKeys, ...keepDeletedMembers]
  expect(columns.sort()).toEqual(withRules.sort())
})

test('the export contains all rows of a large table', async () => {
  const [eve] = await world.members('eve')
  await sql`insert into wants (user_id, title)
    select ${eve.id}, 'squash ' || n from generate_series(1, 2500) n`.execute(world.db)
  const { wants } = (await eve.call(exportProfile)) as { wants: { title: string }[] }

  expect(new Set(wants.map(({ title }) => title)).size).toBe(2500)
})

test('at most two slow exports run at a time, and other requests are served', async () => {
  const [fay, gus, hal] = await world.members('fay', 'gus', 'hal')
  const operator = await connectTo(world.databaseUrl)
  await operator.query('begin; lock table wants in access exclusive mode')
  const exports = [fay, gus].flatMap((member) =>
    Array.from({ length: 4 }, async () => (await member.try(exportProfile)).status),
  )
  await expect.poll(() => world.waitingForLocks()).toBeGreaterThan(1)

  expect((await hal.try(getProfile)).status).toBe(200)
  expect(await world.waitingForLocks()).toBe(2)
  await operator.query('commit')
  await operator.end()
  expect(new Set(await Promise.all(exports))).toEqual(new Set([200]))
})

test('the export contains every table that refers to the member and no secrets', async () => {
  const response = await ann.try(exportProfile)
  const exported = response.body as Record<string, Record<string, unknown>[]>
  const text = JSON.stringify(exported)

  const tables = Object.entries(exportRules).flatMap(([name, rule]) =>
    rule === 'not exported' ? [] : [name.split('.')[0]],
  )
  expect(Object.keys(exported).sort()).toEqual([...new Set(tables)].sort())
  for (const [table, rows] of Object.entries(exported)) expect([table, rows.length]).not.toEqual([table, 0])
  expect(text).toContain('1 Ann Street')
  expect(text).toContain('Anns kale')
  expect(text).toContain('Anns figs')
  expect(text).toContain('Anns reason')
  expect(text).toContain('Anns message')
  expect(text).toContain('Bobs reply')
  expect(text).not.toMatch(/argon2|token_hash|password_hash|Bobs reason|bob@example|cat@example/)
  const { friendships, blocks } = exported
  expect(friendships?.map(({ low_id, high_id }) => [low_id, high_id])).toEqual(
    expect.arrayContaining([
      [bob.id, ann.id],
      [ann.id, dan.id],
    ]),
  )
  expect(blocks?.map(({ blocker_id, blocked_id }) => [blocker_id, blocked_id])).toEqual([[ann.id, cat.id]])
  expect(response.headers.get('content-disposition')).toMatch(/^attachment/)
  expect(response.headers.get('cache-control')).toBe('private, no-store')
})

test("deleting an account deletes all of the member's rows and files, except the photos in reports of it", async () => {
  const images = join(world.dataDir, 'images')
  const files = async () =>
    (await readdir(images, { recursive: true })).filter((file) => file.endsWith('.webp'))
  expect(await files()).not.toEqual([])
  const kept = await world.db.selectFrom('kept_photos').select('name').execute()
  expect(kept).toHaveLength(1)

  await ann.call(deleteProfile, { body: { password: 'walls-of-jericho-3' } })
  await world.jobsDone()

  const left = await files()
  expect(left.filter((file) => kept.some(({ name }) => file.includes(name)))).toEqual(left)
  for (const word of [
    'annabel',
    'ann@example.com',
    'ann@elsewhere.example',
    'Anntown',
    '1 Ann Street',
    'Anns kale',
    'Anns figs',
    'Anns thanks',
  ]) {
    expect([word, await tablesContaining(word)]).toEqual([word, []])
  }
  for (const name of [...(await columnsNamingMembers()), ...withoutForeignKeys]) {
    const [table = '', column = ''] = name.split('.')
    const { rows } = await sql<{ left: number }>`
      select count(*) as left from ${sql.table(table)} where ${sql.ref(column)} = ${ann.id}`.execute(world.db)
    expect([name, rows[0]?.left]).toEqual([name, 0])
  }
  expect((await bob.send('GET', `/api/auth/users/${ann.id}/public`)).status).toBe(404)
})
