import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import {
  getFriendStatus,
  listFriendRequests,
  listFriends,
  requestFriend,
  respondToFriend,
} from '#contract/friends.ts'
import { getListing, listListings } from '#contract/listings.ts'
import { getPublicMember } from '#contract/members.ts'
import { countUnreadNotifications, listNotifications, readNotifications } from '#contract/notifications.ts'
import { recordStatements } from '#test/statements.ts'
import { newWorld } from '#test/world.ts'

const world = await newWorld()
const client = new pg.Client({ connectionString: world.databaseUrl })
await client.connect()
afterAll(async () => {
  await client.end()
  await world[Symbol.asyncDispose]()
})
const [ann] = await world.members('ann')

// A town of five thousand with fifty thousand friendships, as wide as a country with a million is deep: everyone has
// some twenty friends, ann among them, and a few requests, notifications and listings.
await client.query(`
  insert into users (username, email, password_hash, first_name, last_name)
  select 'member_' || n, 'member' || n || '@example.com', 'x', 'Member', 'Gardener' from generate_series(1, 5000) n;
  insert into friendships (low_id, high_id, requester_id, status)
  select n, n + k * k, n, case when k = 11 then 'pending' else 'accepted' end
  from generate_series(1, 4850) n, generate_series(1, 11) k;
  insert into notifications (user_id, from_id, kind, read_at)
  select n, n + k, 'friend_request', case when k > 2 then now() end
  from generate_series(1, 4900) n, generate_series(1, 5) k;
  insert into listings (owner_id, title, description, price, is_active, is_public, type_id, state_id, category_id)
  select 2 + n % 5000, 'Listing ' || n, 'Words', 0, true, n % 4 <> 0, 3, 1, null from generate_series(1, 20000) n`)
for (const table of ['users', 'friendships', 'notifications', 'listings'])
  await client.query(`vacuum analyze ${table}`)

const friend = ann.id + 9
const { rows: listings } = await client.query<{ id: number }>(
  'select id::int from listings where owner_id = $1 and not is_public',
  [friend],
)

interface Step {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly Plans?: readonly Step[]
}
type Explained = { 'QUERY PLAN': [{ Plan: Step }] }

function steps(step: Step): Step[] {
  return [step, ...(step.Plans ?? []).flatMap(steps)]
}

/** How PostgreSQL goes about what is asked: with the values, and (as it may come to do) for any values. */
async function stepsOf(ask: () => Promise<unknown>): Promise<Step[]> {
  using statements = recordStatements()
  await ask()
  const sent = statements.sent().filter(({ text }) => /^\s*(select|update)/i.test(text))
  const found: Step[] = []
  for (const { text, values } of sent) {
    const real = await client.query<Explained>(`explain (format json) ${text}`, [...values])
    const any = await client.query<Explained>(`explain (generic_plan, format json) ${text}`)
    for (const { rows } of [real, any])
      found.push(...rows.flatMap(({ 'QUERY PLAN': [{ Plan }] }) => steps(Plan)))
  }
  expect(found.length).toBeGreaterThan(0)
  return found
}

test.each<[name: string, ask: () => Promise<unknown>]>([
  ["the friends tab's query", () => ann.call(listListings, { query: { friends: 'true', limit: 24 } })],
  ['the friendship check of a listing', () => ann.call(getListing, { params: { id: listings[0]?.id ?? 0 } })],
  [
    "the friendship check of a member's listings",
    () => ann.call(listListings, { query: { user_id: friend } }),
  ],
  ['the count of friends', () => ann.call(getPublicMember, { params: { id: friend } })],
  ['the list of friends', () => ann.call(listFriends, { query: {} })],
  ['a word in the list of friends', () => ann.call(listFriends, { query: { q: 'member_1' } })],
])('%s reads friendships from their indexes alone', async (_, ask) => {
  const found = await stepsOf(ask)
  const ofFriendships = found.filter((step) => step['Relation Name'] === 'friendships')
  expect(ofFriendships.length).toBeGreaterThan(0)
  for (const step of ofFriendships) {
    expect(step).toMatchObject({
      'Node Type': 'Index Only Scan',
      'Index Name': expect.stringMatching(/^friendships_accepted_(low|high)$/),
    })
  }
  expect(found.filter((step) => step['Node Type'] === 'Seq Scan')).toEqual([])
})

test.each<[name: string, ask: () => Promise<unknown>]>([
  ['how one stands with a member', () => ann.call(getFriendStatus, { params: { id: friend } })],
  ['the requests', () => ann.call(listFriendRequests, { query: {} })],
  ['asking and answering', askAndAnswer],
  ['the notifications', () => ann.call(listNotifications, { query: {} })],
  ['the count of those unread', () => ann.call(countUnreadNotifications)],
  ['the reading of all', () => ann.call(readNotifications, { body: {} })],
])('%s goes through no whole table, and puts nothing in order', async (_, ask) => {
  const found = await stepsOf(ask)
  const detours = found.filter((step) => step['Node Type'] === 'Seq Scan' || step['Node Type'] === 'Sort')
  // Two members are locked in the order of their ids.
  expect(detours.filter((step) => !step.Plans?.some((below) => below['Relation Name'] === 'users'))).toEqual(
    [],
  )
})

async function askAndAnswer() {
  const [bob] = await world.members('bob')
  const { request_id } = await bob.call(requestFriend, { body: { friend_id: ann.id } })
  await ann.call(respondToFriend, { body: { request_id: request_id ?? 0, accept: true } })
}
