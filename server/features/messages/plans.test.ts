import { afterAll, expect, test } from 'vitest'
import {
  countUnreadMessages,
  listMessages,
  listThreadMembers,
  listThreads,
  markThreadRead,
  sendMessage,
} from '#contract/messages.ts'
import { deliverDue } from '#server/features/notifications/scheduling.ts'
import { type PlanNode, planner } from '#test/plans.ts'
import { newWorld } from '#test/world.ts'

const world = await newWorld()
const { client, planNodes, pagesOf, ...plans } = await planner(world.databaseUrl)
afterAll(async () => {
  await plans[Symbol.asyncDispose]()
  await world[Symbol.asyncDispose]()
})
const [ann, bob] = await world.members('ann', 'bob')
for (let nth = 0; nth < 5; nth += 1) {
  await ann.call(sendMessage, { body: { receiver_id: bob.id, content: 'Hello' } })
  await bob.call(sendMessage, { body: { receiver_id: ann.id, content: 'Hello' } })
}
await client.query('vacuum analyze')

const list = () => ann.call(listThreads, { query: {} })
const count = () => ann.call(countUnreadMessages)
const talk = () => ann.call(listMessages, { params: { id: bob.id }, query: {} })
const pagesBefore = { list: await pagesOf(list), count: await pagesOf(count), talk: await pagesOf(talk) }

// Ann and bob have ten thousand messages, other members five thousand. Some are unread.
await client.query(`
  insert into users (username, email, password_hash, first_name, last_name)
  select 'member_' || n, 'member' || n || '@example.com', 'x', 'Member', 'Gardener' from generate_series(1, 2000) n;
  insert into blocks (blocker_id, blocked_id) select 10 + n, 1010 + k from generate_series(1, 900) n, generate_series(1, 5) k;
  insert into messages (sender_id, receiver_id, content, client_id)
  select case when n % 2 = 0 then ${ann.id} else ${bob.id} end, case when n % 2 = 0 then ${bob.id} else ${ann.id} end,
    'Words ' || n, gen_random_uuid() from generate_series(1, 10000) n;
  insert into messages (sender_id, receiver_id, content, client_id)
  select 10 + n % 1000, 1010 + n % 990, 'Words ' || n, gen_random_uuid() from generate_series(1, 5000) n;
  insert into /* test */ threads (member_id, partner_id, last_message_id, unread_count, unread_since)
  select side.me, side.other, max(m.id), count(*) filter (where side.me = m.receiver_id),
    now() - case when side.me = 100 then interval '1 hour' else interval '1 minute' end
  from messages m
  cross join lateral (values (m.sender_id, m.receiver_id), (m.receiver_id, m.sender_id)) side (me, other)
  where m.sender_id > ${bob.id} group by 1, 2;
  update /* test */ threads set last_message_id = (select max(id) from messages where sender_id = ${bob.id}), unread_count = 5000
  where member_id in (${ann.id}, ${bob.id})`)
await client.query('vacuum analyze')
const {
  rows: [middle],
} = await client.query<{ id: number }>('select max(id)::int / 3 as id from messages')
const edge = middle?.id ?? 0

const tables = ['messages', 'threads', 'users', 'blocks']
const isSeqScan = (node: PlanNode) =>
  node['Node Type'] === 'Seq Scan' && tables.includes(node['Relation Name'] ?? '')

test.each<[name: string, call: () => Promise<unknown>]>([
  ['the latest messages of a conversation', talk],
  [
    'the messages before one',
    () => ann.call(listMessages, { params: { id: bob.id }, query: { before: edge } }),
  ],
  [
    'the messages after one',
    () => ann.call(listMessages, { params: { id: bob.id }, query: { after: edge, limit: 100 } }),
  ],
  ['the threads', list],
  ['the threads with a word', () => ann.call(listThreads, { query: { q: 'bob' } })],
  ['the partners', () => ann.call(listThreadMembers, { query: {} })],
  ['the count of unread messages', count],
  ['marking a thread read', () => bob.call(markThreadRead, { params: { id: ann.id } })],
  ['sending', () => ann.call(sendMessage, { body: { receiver_id: bob.id, content: 'Hello' } })],
  ['the job for mails about unread messages', () => world.runJob(deliverDue)],
])('%s uses no sequential scan', async (_, call) => {
  const scans = (await planNodes(call)).filter(isSeqScan)
  expect(scans.map((node) => node['Relation Name'])).toEqual([])
})

test.each<[name: string, call: () => Promise<unknown>]>([
  ['the latest messages of a conversation', talk],
  [
    'the messages after one',
    () => ann.call(listMessages, { params: { id: bob.id }, query: { after: edge } }),
  ],
  ['the threads', list],
  ['the partners', () => ann.call(listThreadMembers, { query: {} })],
])('%s sorts no rows', async (_, call) => {
  const sorts = (await planNodes(call)).filter((node) => node['Node Type'] === 'Sort')
  expect(sorts).toHaveLength(0)
})

test('reading among ten thousand messages touches few more pages than among ten', async () => {
  // The indexes are one level deeper and the rows are on more pages. A snapshot of another test may keep those from being all-visible: then
  // a later vacuum marks them.
  const pagesAfterVacuum = async (call: () => Promise<unknown>) => {
    await client.query('vacuum messages, threads')
    return pagesOf(call)
  }
  const timeout = 10_000
  await expect.poll(() => pagesAfterVacuum(list), { timeout }).toBeLessThanOrEqual(pagesBefore.list + 10)
  await expect.poll(() => pagesAfterVacuum(count), { timeout }).toBeLessThanOrEqual(pagesBefore.count + 10)
  await expect.poll(() => pagesAfterVacuum(talk), { timeout }).toBeLessThanOrEqual(pagesBefore.talk + 60)
})
