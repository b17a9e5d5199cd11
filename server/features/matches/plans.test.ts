import { afterAll, expect, test } from 'vitest'
import { types } from '#contract/constants.ts'
import { createListing, updateListing } from '#contract/listings.ts'
import {
  countInterested,
  countInterestedIn,
  countTold,
  dismissMatch,
  listInterested,
  listMatches,
  previewMatchMail,
  restoreMatch,
} from '#contract/matches.ts'
import { countUnreadNotifications, listNotifications } from '#contract/notifications.ts'
import { updatePreferences, updateProfile } from '#contract/profile.ts'
import { createWant, listWants, renameWant, searchWants } from '#contract/wants.ts'
import { remindOwnersJob } from '#server/features/listing-reminders/jobs.ts'
import { endExpiredListings } from '#server/features/listings/jobs.ts'
import { deliverDue } from '#server/features/notifications/scheduling.ts'
import { planner } from '#test/plans.ts'
import { newWorld } from '#test/world.ts'

const world = await newWorld()
const postgres = await planner(world.databaseUrl)
afterAll(async () => {
  await postgres[Symbol.asyncDispose]()
  await world[Symbol.asyncDispose]()
})
const [ann, bob] = await world.members('ann', 'bob')
await ann.call(updateProfile, { body: { zip_code: '97214' } })

// A thousand members with wants, listings and matches.
await postgres.client.query(`
  insert into users (username, email, password_hash, first_name, last_name, postal_code_id)
  select 'member_' || n, 'member' || n || '@example.com', 'x', 'Member', 'Gardener', 97202 from generate_series(1, 1000) n;
  insert into listings (owner_id, title, description, price, is_active, is_public, type_id, state_id, category_id, index_version, search)
  select 2 + n % 1000, 'Crop ' || n % 125, 'Words', 0, true, n % 10 <> 0, 2 + n % 2, 1, null, 99,
    array_to_tsvector(array['=crop', '=#crop-' || n % 125, '=#group:vegetables']) from generate_series(1, 5000) n;
  insert into wants (user_id, title, terms_version) select 2 + n % 1000, 'Crop ' || n % 125, 99 from generate_series(1, 5000) n;
  insert into want_terms (term, want_id, wanted, user_id)
  select t.term, w.id, t.wanted, w.user_id from wants w cross join lateral (
    values ('crop', false), ('#crop-' || w.id % 125, true)) t (term, wanted);
  insert into matches (want_id, listing_id, user_id, owner_id, kind, reason, is_swap, mail_pending)
  select w.id, l.id, w.user_id, l.owner_id, 'same', 'it is on your list', w.id % 7 = 0, w.id % 50 = 0
  from wants w join listings l on l.id % 125 = w.id % 125 and (l.id + w.id) % 16 = 0 where l.owner_id <> w.user_id;
  insert into notifications (user_id, from_id, kind, want_id, listing_id)
  select user_id, owner_id, 'match', want_id, listing_id from matches where id % 10 = 0 on conflict do nothing;
  insert into notification_schedule (user_id, channel, due_at) select id, 'mail', now() + interval '1 day' from users;
  insert into deliveries (user_id, channel, topic, due_at) select id, 'mail', 'matches', now() + interval '1 day' from users;
  insert into /* test */ threads (member_id, partner_id, last_message_id) select id, id + 1, 1 from users;
  update users set mail_matches = 'never';
  update listings set expires_at = now() + id * interval '1 minute', remind_at = now() + id * interval '1 minute'`)
for (const table of ['users', 'listings', 'wants', 'want_terms', 'matches', 'notifications'])
  await postgres.client.query(`vacuum analyze ${table}`)
await postgres.client.query('vacuum analyze deliveries, notification_schedule, threads')

const want = await ann.call(createWant, { body: { title: 'okra' } })
const listing = await bob.call(createListing, { body: { title: 'Okra', type_id: types.exchange } })
await world.jobsDone()
const { id } = listing

test.each<[name: string, call: () => Promise<unknown>]>([
  ['the matches', () => ann.call(listMatches, { query: {} })],
  ['the matches of one want', () => ann.call(listMatches, { query: { want_id: want.id } })],
  ['the interested members of a listing', () => bob.call(listInterested, { params: { id }, query: {} })],
  ['the interest counts of all own listings', () => bob.call(countInterested, { query: {} })],
  ['the members told of a listing', () => bob.call(countTold, { params: { id } })],
  ['the interest count of a title', () => ann.call(countInterestedIn, { body: { title: 'Okra' } })],
  ['the wants with their match counts', () => ann.call(listWants, { query: {} })],
  ['a search of wants', () => ann.call(searchWants, { query: { q: 'okra crops' } })],
  ['a search of wants by a half word', () => ann.call(searchWants, { query: { q: 'okra cro' } })],
  ['the newest wants', () => ann.call(searchWants, { query: {} })],
  ['the notifications', () => ann.call(listNotifications, { query: {} })],
  ['the count of unread notifications', () => ann.call(countUnreadNotifications)],
  ['the match mail', () => ann.call(previewMatchMail)],
  ['a new want', () => ann.call(createWant, { body: { title: 'ladies fingers' } })],
  ['a renamed want', () => ann.call(renameWant, { params: { id: want.id }, body: { title: 'gumbo' } })],
  [
    'a new listing and its matches',
    async () => {
      await bob.call(createListing, { body: { title: 'More okra', type_id: types.exchange } })
      await world.jobsDone()
    },
  ],
  [
    'a listing that becomes friends-only',
    async () => {
      await bob.call(updateListing, { params: { id }, body: { is_public: false } })
      await world.jobsDone()
    },
  ],
  [
    'changed mail preferences',
    () => ann.call(updatePreferences, { body: { mail_matches: 'daily' } }).then(world.jobsDone),
  ],
  ['the end of listings', () => world.runJob(endExpiredListings)],
  ['reminders of listings that end', () => world.runJob(remindOwnersJob)],
  ['the dispatch of notifications', () => world.runJob(deliverDue)],
  [
    'dismissing and restoring a match',
    async () => {
      await bob.call(updateListing, { params: { id }, body: { is_public: true } })
      await world.jobsDone()
      const [match] = await ann.call(listMatches, { query: {} })
      const params = { want_id: match?.want.id ?? 0, listing_id: match?.listing.id ?? 0 }
      await ann.call(dismissMatch, { params })
      await ann.call(restoreMatch, { params })
    },
  ],
])('%s uses no sequential scan', async (_, call) => {
  const nodes = await postgres.planNodes(call)
  expect(nodes.filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([])
})

test('matches within a radius use no sequential scan', async () => {
  await ann.call(updatePreferences, { body: { match_radius: 100 } })
  await world.jobsDone()
  const nodes = await postgres.planNodes(() => ann.call(listMatches, { query: {} }))
  expect(nodes.filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([])
})
