import { afterAll, expect, test } from 'vitest'
import {
  getFriendStatus,
  listFriendRequests,
  listFriends,
  requestFriend,
  respondToFriend,
} from '#contract/friends.ts'
import { listListings } from '#contract/listing-queries.ts'
import { getListing } from '#contract/listings.ts'
import { getPublicMember } from '#contract/members.ts'
import { countUnreadNotifications, listNotifications, readNotifications } from '#contract/notifications.ts'
import { planner } from '#test/plans.ts'
import { newWorld } from '#test/world.ts'

const world = await newWorld()
const { client, planNodes, ...plans } = await planner(world.databaseUrl)
afterAll(async () => {
  await plans[Symbol.asyncDispose]()
  await world[Symbol.asyncDispose]()
})
const [ann] = await world.members('ann')

// Two thousand members. Each has about twenty friends and a few requests, notifications and listings, like members of
// a much larger site.
await client.query(`
  insert into users (username, email, password_hash, first_name, last_name)
  select 'member_' || n, 'member' || n || '@example.com', 'x', 'Member', 'Gardener' from generate_series(1, 2000) n;
  insert into friendships (low_id, high_id, requester_id, status)
  select n, n + k * k, n, case when k = 11 then 'pending' else 'accepted' end
  from generate_series(1, 1850) n, generate_series(1, 11) k;
  insert into notifications (user_id, from_id, kind, read_at)
  select n, n + k, 'friend_request', case when k > 2 then now() end
  from generate_series(1, 1900) n, generate_series(1, 5) k;
  insert into listings (owner_id, title, description, price, is_active, is_public, type_id, state_id, category_id)
  select 2 + n % 2000, 'Listing ' || n, 'Words', 0, true, n % 4 <> 0, 3, 1, null from generate_series(1, 8000) n`)
for (const table of ['users', 'friendships', 'notifications', 'listings'])
  await client.query(`vacuum analyze ${table}`)

const friend = ann.id + 9
const { rows: listings } = await client.query<{ id: number }>(
  'select id::int from listings where owner_id = $1 and not is_public',
  [friend],
)

test.each<[name: string, call: () => Promise<unknown>]>([
  ["the friends tab's query", () => ann.call(listListings, { query: { friends: 'true', limit: 24 } })],
  ['the friendship check of a listing', () => ann.call(getListing, { params: { id: listings[0]?.id ?? 0 } })],
  [
    "the friendship check of a member's listings",
    () => ann.call(listListings, { query: { user_id: friend } }),
  ],
  ['the count of friends', () => ann.call(getPublicMember, { params: { id: friend } })],
  ['the list of friends', () => ann.call(listFriends, { query: {} })],
  ['the list of friends by a word', () => ann.call(listFriends, { query: { q: 'member_1' } })],
])('%s uses index-only scans of friendships', async (_, call) => {
  const nodes = await planNodes(call)
  const ofFriendships = nodes.filter((node) => node['Relation Name'] === 'friendships')
  expect(ofFriendships.length).toBeGreaterThan(0)
  for (const node of ofFriendships) {
    expect(node).toMatchObject({
      'Node Type': 'Index Only Scan',
      'Index Name': expect.stringMatching(/^friendships_accepted_(low|high)$/),
    })
  }
  expect(nodes.filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([])
})

test.each<[name: string, call: () => Promise<unknown>]>([
  ['the status of a friendship', () => ann.call(getFriendStatus, { params: { id: friend } })],
  ['the requests', () => ann.call(listFriendRequests, { query: {} })],
  ['sending and accepting a request', requestAndAccept],
  ['the notifications', () => ann.call(listNotifications, { query: {} })],
  ['the count of unread notifications', () => ann.call(countUnreadNotifications)],
  ['marking all notifications read', () => ann.call(readNotifications, { body: {} })],
])('%s uses no sequential scan and no sort', async (_, call) => {
  const nodes = await planNodes(call)
  const slow = nodes.filter((node) => node['Node Type'] === 'Seq Scan' || node['Node Type'] === 'Sort')
  // The statement that locks two members sorts them by id, and a trade has at most four legs.
  const isShort = (name: string | undefined) => name === 'users' || name === 'trade_legs'
  expect(slow.filter((node) => !node.Plans?.some((child) => isShort(child['Relation Name'])))).toEqual([])
})

async function requestAndAccept() {
  const [bob] = await world.members('bob')
  const { request_id } = await bob.call(requestFriend, { body: { friend_id: ann.id } })
  await ann.call(respondToFriend, { body: { request_id: request_id ?? 0, accept: true } })
}
