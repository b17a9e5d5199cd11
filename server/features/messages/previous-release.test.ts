import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { listMessages, listThreads, sendMessage } from '#contract/messages.ts'
import { newToken } from '#server/features/auth/tokens.ts'
import { migrations } from '#server/migrations-folder.ts'
import { listMigrations, migrate } from '#server/platform/db/migrate.ts'
import { Actor } from '#test/actor.ts'
import { newDatabase, newWorld } from '#test/world.ts'

const world = await newWorld()
const database = await newDatabase('template0')
const { node, client, members } = await upgrade()
afterAll(async () => {
  await client.end()
  await node[Symbol.asyncDispose]()
  await database.drop()
  await world[Symbol.asyncDispose]()
})

/** Creates a database of the previous release with two members and a message, and starts a node of this one on it. */
async function upgrade() {
  const before = (await listMigrations(migrations)).findLast((name) => name < '0037')
  await migrate(database.url, migrations, { upTo: before })
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const logins = [newToken(), newToken()]
  for (const [index, { hash }] of logins.entries())
    await client.query(
      `with member as (
         insert into users (username, email, password_hash, first_name, last_name)
         values ($1::text, $1::text || '@example.com', 'x', 'Old', 'Gardener') returning id
       ) insert into sessions (token_hash, user_id, expires_at) select $2, id, now() + interval '1 day' from member`,
      [`old_${index}`, hash],
    )
  const { rows } = await client.query<{ id: string }>('select id from users order by id')
  const ids = rows.map(({ id }) => Number(id))
  await send(client, ids, 'Before the upgrade')
  const node = await world.node({}, database.url)
  const members = logins.map(({ token }, index) => {
    const actor = new Actor(node.url)
    actor.token = token
    return { actor, id: ids[index] ?? 0 }
  })
  return { node, client, members }
}

/** Stores a message from the second member to the first as the previous release does. */
async function send(
  client: pg.Client,
  [receiver, sender]: readonly number[],
  content: string,
  client_id = randomUUID(),
) {
  await client.query(
    `with stored as (
       insert into messages (sender_id, receiver_id, content, client_id) values ($1, $2, $3, $4)
       on conflict (sender_id, client_id) do nothing returning id
     ) insert into threads (member_id, partner_id, last_message_id, unread_count)
     select $1, $2, id, 0 from stored union all select $2, $1, id, 1 from stored
     on conflict (member_id, partner_id) do update
     set last_message_id = excluded.last_message_id, unread_count = threads.unread_count + excluded.unread_count`,
    [sender, receiver, content, client_id],
  )
}

const [ann, bob] = members
if (!ann || !bob) throw new Error('There are no members')
const contents = async () =>
  (await ann.actor.call(listMessages, { params: { id: bob.id }, query: {} })).map(({ content }) => content)

test('shows messages from before the upgrade and of nodes of the previous release', async () => {
  expect(await contents()).toEqual(['Before the upgrade'])
  const client_id = randomUUID()
  for (const _ of [1, 2]) await send(client, [ann.id, bob.id], 'Beside the upgrade', client_id)
  await ann.actor.call(sendMessage, { body: { receiver_id: bob.id, content: 'After the upgrade' } })
  expect(await contents()).toEqual(['Before the upgrade', 'Beside the upgrade', 'After the upgrade'])
  expect(await ann.actor.call(listThreads, { query: {} })).toMatchObject([
    { unread_count: 2, last_message: { content: 'After the upgrade' } },
  ])
})

test('keeps the index by which the previous release reads a conversation', async () => {
  await client.query('set enable_seqscan = off')
  const { rows } = await client.query(
    `explain select * from messages where least(sender_id, receiver_id) = 1 and greatest(sender_id, receiver_id) = 2
     order by id desc limit 50`,
  )
  expect(JSON.stringify(rows)).toContain('messages_conversation')
})

test('a node of the previous release deletes a member with their threads', async () => {
  await client.query('delete from users where id = $1', [bob.id])
  const { rows } = await client.query('select member_id::int, partner_id::int from threads')
  expect(rows).toEqual([{ member_id: ann.id, partner_id: bob.id }])
})
