import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { getProfile, logIn } from '#contract/auth.ts'
import { categories } from '#contract/constants.ts'
import { listAreas, listListings } from '#contract/listing-queries.ts'
import { getListing } from '#contract/listings.ts'
import { getPublicMember } from '#contract/members.ts'
import { listWants } from '#contract/wants.ts'
import { nextOf } from '#test/actor.ts'
import { planner } from '#test/plans.ts'
import { newWorld } from '#test/world.ts'
import { reindexListings } from './indexing.ts'
import { refreshSearchTerms } from './search-queries.ts'

const world = await newWorld()
const postgres = await planner(world.databaseUrl)
afterAll(async () => {
  await postgres[Symbol.asyncDispose]()
  await world[Symbol.asyncDispose]()
})
const [ann] = await world.members('ann')

await sql`
  insert into users (username, email, password_hash, first_name, last_name)
  select 'member_' || n, 'member' || n || '@example.com', 'x', 'Member', 'Gardener' from generate_series(1, 500) n`.execute(
  world.db,
)
await sql`
  insert into listings (owner_id, title, description, price, is_active, is_public, type_id, state_id, category_id)
  select 2 + n % 500, 'Listing ' || n, 'Words', 0, n % 20 <> 0, n % 4 <> 0, 3, 1, nullif(n % 4, 0)
  from generate_series(1, 2000) n`.execute(world.db)
// Every member has about twenty friends and a session.
await sql`
  insert into friendships (low_id, high_id, requester_id, status)
  select n, n + k * k, n, 'accepted' from generate_series(1, 490) n, generate_series(1, 10) k
  where n + k * k <= 501`.execute(world.db)
await sql`
  insert into sessions (token_hash, user_id, expires_at)
  select sha256(n::text::bytea), n, now() + interval '7 days' from generate_series(1, 500) n`.execute(
  world.db,
)
// All members have postal codes around Portland, and a third of the listings is for sale.
await sql`update users set zip_code = (97200 + id % 60)::text, postal_code_id = 97200 + id % 60`.execute(
  world.db,
)
await sql`update users set zip_code = '97214', postal_code_id = 97214 where id = ${ann.id}`.execute(world.db)
await sql`update listings l set price = 1 + l.id % 40, type_id = 1 where l.id % 3 = 0`.execute(world.db)
await sql`update listings l set postal_code_id = u.postal_code_id from users u where u.id = l.owner_id`.execute(
  world.db,
)
await reindexListings(world.db)
await refreshSearchTerms(world.db)
await sql`vacuum listings`.execute(world.db)
await sql`
  insert into wants (user_id, title, category_id)
  select 1 + n % 500, 'Listing ' || n, 1 + n % 3 from generate_series(1, 2500) n`.execute(world.db)
await sql`analyze users, listings, search_terms, wants, friendships, sessions, images`.execute(world.db)

const isSlow = (node: string) =>
  /^Seq Scan (listings|search_terms|wants|users|sessions|friendships)|^Sort/.test(node)

/** Returns the nodes that scan a whole table or sort rows, by plan. */
async function slowNodesOf(call: () => Promise<unknown>): Promise<{ text: string; nodes: string[] }[]> {
  const plans = await postgres.plansOf(call)
  return plans.map(({ text, nodes }) => ({
    text,
    nodes: nodes.map((node) => `${node['Node Type']} ${node['Relation Name'] ?? ''}`.trim()).filter(isSlow),
  }))
}

const page = (query: Parameters<typeof ann.call<typeof listListings>>[1]['query']) => () =>
  ann.call(listListings, { query: { limit: 24, ...query } })
const category_id = categories.seeds

test.each<[name: string, call: () => Promise<unknown>]>([
  ['the public list', page({ public: 'true' })],
  ['the areas of the public list', () => ann.call(listAreas, { query: { public: 'true', category_id } })],
  ['the public list of a category', page({ public: 'true', category_id })],
  [
    'a later page of the public list',
    async () => ann.send('GET', nextOf(await ann.send('GET', '/api/listings?public=true')) ?? ''),
  ],
  ["one's own list", page({ mine: 'true' })],
  ["one's own list of a category", page({ mine: 'true', category_id })],
  ["a member's list", page({ user_id: 70 })],
  ["a member's list of a category", page({ user_id: 70, category_id })],
  ['the public list, oldest first', page({ public: 'true', sort: 'oldest' })],
  ['the public list, highest price first', page({ public: 'true', sort: 'highest' })],
  ['the public list, lowest price first', page({ public: 'true', sort: 'lowest', max_price: 20 })],
  ['the public list of a type', page({ public: 'true', type_id: 3 })],
  ['the public list in a range of prices', page({ public: 'true', min_price: 5, max_price: 15 })],
  ["one's own list, oldest first", page({ mine: 'true', sort: 'oldest' })],
  ['a listing by its id', () => ann.try(getListing, { params: { id: 777 } })],
  ["a member's own profile", () => ann.call(getProfile)],
  ["a member's want list", () => ann.call(listWants, { query: { user_id: 77 } })],
  ["a member's public profile", () => ann.call(getPublicMember, { params: { id: 77 } })],
  ['a login', () => world.guest().call(logIn, { body: { username: ann.email, password: ann.password } })],
])('%s uses ordered index scans only', async (_, call) => {
  for (const { text, nodes } of await slowNodesOf(call)) expect({ text, nodes }).toEqual({ text, nodes: [] })
})

// These lists are short, so their plans may sort.
test.each<[name: string, call: () => Promise<unknown>]>([
  ['all visible listings', page({})],
  ['all visible listings of a category', page({ category_id })],
  ['all visible listings, lowest price first', page({ sort: 'lowest' })],
  ['the public list, nearest first', page({ public: 'true', sort: 'nearest' })],
  ['the public list of a type, nearest first', page({ public: 'true', sort: 'nearest', type_id: 3 })],
  ["a member's list, highest price first", page({ user_id: 70, sort: 'highest' })],
  ['nearby listings, lowest price first', page({ public: 'true', near: 25, sort: 'lowest' })],
  ["the friends' list", page({ friends: 'true' })],
  ["the friends' list of a category", page({ friends: 'true', category_id })],
  ["the friends' list, lowest price first", page({ friends: 'true', sort: 'lowest' })],
  ["a word in the friends' list", page({ friends: 'true', q: 'listing' })],
  ['a common word', page({ public: 'true', q: 'listing' })],
  ['a rare word', page({ public: 'true', q: '777' })],
  ['a word of an invisible listing', page({ public: 'true', q: '1776' })],
  ['a common word, lowest price first', page({ public: 'true', q: 'listing', sort: 'lowest' })],
  ['a rare word, lowest price first', page({ public: 'true', q: '777', sort: 'lowest' })],
  ['a common word nearby', page({ public: 'true', q: 'listing', near: 25 })],
  ['a rare word nearby', page({ public: 'true', q: '777', near: 25 })],
  ["one's own want list with its matches", () => ann.call(listWants, { query: {} })],
])('%s uses index scans and may sort', async (_, call) => {
  for (const { text, nodes } of await slowNodesOf(call))
    expect({ text, scans: nodes.filter((node) => node !== 'Sort') }).toEqual({ text, scans: [] })
})
