import { afterAll, expect, test } from 'vitest'
import { getSuspicious } from '#contract/desk-suspicious.ts'
import { admin } from '#test/admin.ts'
import { planner } from '#test/plans.ts'
import { newWorld } from '#test/world.ts'

const world = await newWorld()
const { client, planNodes, ...plans } = await planner(world.databaseUrl)
afterAll(async () => {
  await plans[Symbol.asyncDispose]()
  await world[Symbol.asyncDispose]()
})
const [maud] = await world.members('maud')
await admin(world, 'grant', 'maud', 'moderator')

// A site with more than a year of members, listings and messages, of which the last day and week are a small part.
await client.query(`
  insert into users (username, email, password_hash, first_name, last_name, created_at)
  select 'member_' || n, 'member' || n || '@mail' || n % 50 || '.example', 'x', 'Member', 'Gardener', now() - (20000 - n) * interval '30 minutes'
  from generate_series(1, 20000) n;
  insert into registration_networks (user_id, network, created_at)
  select id, '203.0.113.' || id % 200, created_at from users where created_at > now() - interval '30 days';
  insert into listings (owner_id, title, description, price, is_active, is_public, type_id, state_id, category_id, created_at)
  select 2 + n % 2000, 'Listing ' || n, 'Words', 0, true, true, 3, 1, null, now() - (20000 - n) * interval '15 minutes'
  from generate_series(1, 20000) n;
  insert into messages (low_id, high_id, sender_id, receiver_id, content, client_id, created_at)
  select least(s, r), greatest(s, r), s, r, 'Message ' || n, gen_random_uuid(), now() - (120000 - n) * interval '2 minutes'
  from (select n, 2 + n % 500 as s, 3000 + n * 7 % 1500 as r from generate_series(1, 120000) n) pairs order by n`)
for (const table of ['users', 'registration_networks', 'listings', 'messages', 'bans', 'pauses'])
  await client.query(`vacuum analyze ${table}`)

test('what is suspicious is found by indexes, without a scan of a whole table', async () => {
  const nodes = await planNodes(() => maud.call(getSuspicious))
  const scans = nodes.filter((node) => node['Node Type'] === 'Seq Scan')
  expect(
    scans.map((node) => node['Relation Name']).filter((name) => name !== 'bans' && name !== 'pauses'),
  ).toEqual([])
  const indexes = new Set(nodes.map((node) => node['Index Name']))
  for (const index of [
    'messages_pkey',
    'messages_pair',
    'listings_created',
    'users_created',
    'registration_networks_created',
  ])
    expect([...indexes]).toContain(index)
})
