import { afterAll, expect, test } from 'vitest'
import { types } from '#contract/constants.ts'
import { listListings } from '#contract/listing-queries.ts'
import { createListing } from '#contract/listings.ts'
import { getPublicMember } from '#contract/members.ts'
import {
  acceptTrade,
  createTrade,
  getTrade,
  handOverTrade,
  listRings,
  listThanks,
  listTrades,
  withdrawTrade,
} from '#contract/trades.ts'
import type { MatchKey } from '#server/features/rings/queries.ts'
import { findRings } from '#server/features/rings/rings.ts'
import { type PlanNode, planner } from '#test/plans.ts'
import { newWorld } from '#test/world.ts'
import { endExpiredListings } from '../listings/jobs.ts'
import { advanceTrades } from './job-kinds.ts'

const world = await newWorld()
const { client, planNodes, ...plans } = await planner(world.databaseUrl)
afterAll(async () => {
  await plans[Symbol.asyncDispose]()
  await world[Symbol.asyncDispose]()
})
const [ann, bob] = await world.members('ann', 'bob')
const give = async (title: string) =>
  (await ann.call(createListing, { body: { title, type_id: types.giveaway } })).id
const [plums, figs, leeks] = [await give('Plums'), await give('Figs'), await give('Leeks')]
const ask = async (listing_id: number) => (await bob.call(createTrade, { body: { listing_id } })).id
const [first, second] = [await ask(plums), await ask(figs)]

await client.query(`
  insert into users (username, email, password_hash, first_name, last_name)
  select 'member_' || n, 'member' || n || '@example.com', 'x', 'Member', 'Gardener' from generate_series(1, 2000) n;
  insert into blocks (blocker_id, blocked_id) select 10 + n, 1010 + k from generate_series(1, 900) n, generate_series(1, 5) k;
  insert into friendships (low_id, high_id, requester_id, status)
  select 10 + n, 1010 + k, 10 + n, 'accepted' from generate_series(1, 900) n, generate_series(6, 15) k;
  insert into messages (sender_id, receiver_id, content, client_id)
  select 10 + n % 1000, 1010 + n % 990, 'Words ' || n, gen_random_uuid() from generate_series(1, 4000) n;
  insert into /* test */ threads (member_id, partner_id, last_message_id)
  select sender_id, receiver_id, max(id) from messages where sender_id > 9 group by 1, 2;
  insert into listings (owner_id, title, description, price, is_active, is_public, type_id, state_id)
  select 10 + n % 1900, 'Seeds ' || n, '', 0, true, true, 3, 1 from generate_series(1, 4000) n;
  insert into wants (user_id, title) select 10 + n % 1900, 'Seeds ' || n from generate_series(1, 2000) n;
  insert into matches (want_id, listing_id, user_id, owner_id, kind, reason)
  select w.id, l.id, w.user_id, l.owner_id, 'same', 'Both are seeds'
  from wants w cross join generate_series(1, 5) k
  join listings l on l.id = 10 + (w.id * 7919 + k * 104729) % 3900 and l.owner_id <> w.user_id on conflict do nothing;
  insert into rings (listing_ids, size, miles) select array[n, n + 1, n + 2], 3, 1 from generate_series(1, 1000) n;
  insert into ring_legs (ring_id, place, want_id, listing_id, giver_id, taker_id)
  select 1 + n / 3, 1 + n % 3, want_id, listing_id, owner_id, user_id
  from (select row_number() over () - 1 as n, * from matches limit 3000) m;
  insert into trades (kind, state, requester_id, expires_at)
  select 'single', case when n % 4 = 0 then 'requested' else 'done' end, 10 + n % 1900,
    case when n % 4 = 0 then now() + interval '3 days' end from generate_series(1, 8000) n;
  insert into trade_legs (trade_id, place, listing_id, giver_id, taker_id, title, type_id, price, drawing, is_requested, accepted, handed_over, status)
  select t.id, 0, l.id, l.owner_id, case when l.owner_id = t.requester_id then t.requester_id + 1 else t.requester_id end, l.title, 3, 0, 'bean',
    true, t.state = 'done', t.state = 'done', case when t.state = 'done' then 'closed' else 'open' end
  from trades t join lateral (select * from listings where id = 10 + t.id % 3900) l on true where t.requester_id > 9;
  insert into trade_parties (trade_id, member_id, is_open)
  select trade_id, member, status <> 'closed' from trade_legs cross join lateral (values (giver_id), (taker_id)) p (member)
  where trade_id > ${second};
  insert into thanks (trade_id, author_id, receiver_id, text, listing_title)
  select trade_id, taker_id, giver_id, 'Thank you', title from trade_legs where handed_over`)
await client.query('vacuum analyze')

const tables = [
  'trades',
  'trade_legs',
  'trade_parties',
  'thanks',
  'listings',
  'users',
  'blocks',
  'friendships',
  'messages',
  'threads',
  'wants',
  'matches',
  'rings',
  'ring_legs',
]
/** Completes a match of the generated data, from which the search goes several steps on. */
async function findRingsOfMatch() {
  const { rows } = await client.query<MatchKey>('select want_id, listing_id from matches limit 1 offset 4000')
  if (rows[0])
    await findRings({ db: world.db, jobs: { add: async () => {} }, realtime: { publish: () => {} } }, rows[0])
}

async function end(listing: number) {
  await client.query(`update listings set expires_at = now() where id = ${listing}`)
  await world.runJob(endExpiredListings)
}

const isWholeTable = (step: PlanNode) =>
  step['Node Type'] === 'Seq Scan' && tables.includes(step['Relation Name'] ?? '')

test.each<[name: string, ask: () => Promise<unknown>]>([
  ["a member's trades", () => ann.call(listTrades, { query: {} })],
  ['the open trades', () => ann.call(listTrades, { query: { state: 'open' } })],
  ['the trades with a member', () => ann.call(listTrades, { query: { with: bob.id } })],
  ['the requests for a listing', () => ann.call(listTrades, { query: { listing_id: plums } })],
  ['one trade', () => ann.call(getTrade, { params: { id: first } })],
  ['a request', () => ask(leeks)],
  ['an acceptance', () => ann.call(acceptTrade, { params: { id: first } })],
  ['the word of the taker', () => bob.call(handOverTrade, { params: { id: first }, body: {} })],
  ['handovers without an answer', () => world.runJob(advanceTrades)],
  ['a handover', () => ann.call(handOverTrade, { params: { id: first }, body: {} })],
  ['a withdrawal', () => bob.call(withdrawTrade, { params: { id: second } })],
  ['the thanks', () => bob.call(listThanks, { params: { id: ann.id }, query: {} })],
  ['a public profile', () => bob.call(getPublicMember, { params: { id: ann.id } })],
  ["one's own listings", () => ann.call(listListings, { query: { mine: 'true' } })],
  ['finding the rings of a match', () => findRingsOfMatch()],
  ["a member's rings", () => ann.call(listRings)],
  ['the job of lapses and reminders', () => world.runJob(advanceTrades)],
  ['the end of a listing', () => end(leeks)],
])('%s reads no whole table', async (_, ask) => {
  const scanned = (await planNodes(ask)).filter(isWholeTable)
  expect(scanned.map((step) => step['Relation Name'])).toEqual([])
})
