import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { listMessages, listThreads, markThreadRead, sendMessage } from '#contract/messages.ts'
import { exportProfile } from '#contract/profile.ts'
import { admin } from '#test/admin.ts'
import { newWorld } from '#test/world.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())
const [ann, bob, cat] = await world.members('ann', 'bob', 'cat')
const before = { receiver_id: bob.id, content: 'Before', client_id: randomUUID() }
await ann.call(sendMessage, { body: before })

const distribute = () => admin(world, 'distribute-messages')

/** Returns the unique keys, foreign keys, triggers and identity columns of the distributed tables. */
async function constraints() {
  const { rows } = await sql<{ unique_keys: string[]; others: number }>`
    select array(select pg_get_indexdef(indexrelid) from pg_index
        where indrelid in ('messages'::regclass, 'threads'::regclass) and indisunique order by 1) as unique_keys,
      (select count(*) from pg_constraint where contype = 'f' and 'messages'::regclass in (conrelid, confrelid))
      + (select count(*) from pg_constraint where contype = 'f' and 'threads'::regclass in (conrelid, confrelid))
      + (select count(*) from pg_trigger where tgrelid in ('messages'::regclass, 'threads'::regclass) and not tgisinternal)
      + (select count(*) from pg_attribute where attrelid = 'messages'::regclass and attidentity <> '') as others`.execute(
    world.db,
  )
  return rows[0]
}

test('without Citus the command says what to install, and changes nothing', async () => {
  const keys = await constraints()
  const { code, output } = await distribute()
  expect({ code, output }).toMatchObject({ code: 1, output: expect.stringContaining('Install Citus 14') })
  expect(await constraints()).toEqual(keys)
})

test('without workers the command says how to add them, and changes nothing', async () => {
  // Stands for Citus, which no test has: the tables stay where they are.
  for (const statement of [
    'create table pg_dist_node (isactive boolean, shouldhaveshards boolean)',
    'create table pg_dist_partition (logicalrelid regclass)',
    `create function create_distributed_table(name regclass, key text) returns void language sql
     as 'insert into pg_dist_partition values (name)'`,
    `create function truncate_local_data_after_distributing_table(name regclass) returns void language sql as ''`,
  ])
    await sql.raw(statement).execute(world.db)
  const keys = await constraints()
  const { code, output } = await distribute()
  expect({ code, output }).toMatchObject({ code: 1, output: expect.stringContaining('citus_add_node') })
  expect(await constraints()).toEqual(keys)
})

test('gives the tables the keys of a cluster, and changes nothing when it runs again', async () => {
  await sql`insert into pg_dist_node values (true, true), (true, true), (true, false)`.execute(world.db)
  expect(await distribute()).toEqual({
    code: 0,
    output: 'Distributed 1 messages by low_id and 2 threads by member_id over 2 workers.\n',
  })
  const keys = await constraints()
  expect(keys?.others).toBe(0)
  for (const key of keys?.unique_keys ?? []) expect(key).toMatch(/\((low_id|member_id), /)
  expect(keys?.unique_keys).toHaveLength(3)
  expect(await distribute()).toEqual({
    code: 0,
    output: 'Messages and threads are distributed already. Nothing was changed.\n',
  })
  expect(await constraints()).toEqual(keys)
})

test('with the keys of a cluster messages are sent, repeated, read and exported as before', async () => {
  expect((await ann.try(sendMessage, { body: before })).status).toBe(200)
  expect((await ann.try(sendMessage, { body: { ...before, content: 'Other' } })).status).toBe(409)
  const reply = await bob.call(sendMessage, { body: { receiver_id: ann.id, content: 'After' } })
  await cat.call(sendMessage, { body: { receiver_id: ann.id, content: 'Figs?' } })
  const page = await ann.call(listMessages, { params: { id: bob.id }, query: {} })
  expect(page.map(({ content }) => content)).toEqual(['Before', 'After'])
  expect(page[1]).toMatchObject({ id: reply.id })
  expect(await ann.call(markThreadRead, { params: { id: bob.id } })).toEqual({ updated: 1 })
  const threads = await ann.call(listThreads, { query: {} })
  expect(threads.map(({ user_id, unread_count }) => [user_id, unread_count])).toEqual([
    [cat.id, 1],
    [bob.id, 0],
  ])
  const { messages } = (await ann.call(exportProfile)) as { messages: { content: string }[] }
  expect(messages.map(({ content }) => content).sort()).toEqual(['After', 'Before', 'Figs?'])
})
