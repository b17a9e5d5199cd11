import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { types } from '#contract/constants.ts'
import { createListing } from '#contract/listings.ts'
import { sendMessage } from '#contract/messages.ts'
import { countUnreadNotifications, listNotifications } from '#contract/notifications.ts'
import { createWant } from '#contract/wants.ts'
import { jobKind } from '#server/platform/jobs.ts'
import type { Actor } from '#test/actor.ts'
import { newRequest } from '#test/friendships.ts'
import { newWorld } from '#test/world.ts'
import { deliverDue } from './scheduling.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())

const kindsOf = async (member: Actor) =>
  (await member.call(listNotifications, { query: {} })).map(({ kind, user }) => [kind, user.username])

/** Stores a notification as the previous release does. */
const insertAsBefore = (to: Actor, from: Actor) =>
  sql`insert into notifications (user_id, from_id, kind) values (${to.id}, ${from.id}, 'friend_request')
    on conflict (from_id, user_id, kind, coalesce(listing_id, trade_id, 0))
    do update set id = default, created_at = now(), read_at = null`.execute(world.db)

test('shows notifications that the previous release stores beside this one', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  await insertAsBefore(bob, ann)
  expect([await kindsOf(bob), await bob.call(countUnreadNotifications)]).toEqual([
    [['friend_request', ann.username]],
    1,
  ])
  await newRequest(ann, bob)
  await insertAsBefore(bob, ann)
  expect(await kindsOf(bob)).toEqual([['friend_request', ann.username]])
})

test('completes notifications from before the migration, and replaces one that is not completed yet', async () => {
  const [ann, bob, cat] = await world.uniqueMembers('ann', 'bob', 'cat')
  await sql`alter table notifications disable trigger complete_notification`.execute(world.db)
  for (const from of [ann, cat]) await insertAsBefore(bob, from)
  await sql`alter table notifications enable trigger complete_notification`.execute(world.db)
  await newRequest(ann, bob)
  await world.runJob(deliverDue)
  const rows = await world.db.selectFrom('notifications').selectAll().where('user_id', '=', bob.id).execute()
  expect(rows.map(({ about_type, about_id, data }) => [about_type, about_id, data])).toEqual(
    expect.arrayContaining([ann, cat].map(({ id }) => ['member', id, {}])),
  )
  expect((await kindsOf(bob)).toSorted()).toEqual(
    [
      ['friend_request', ann.username],
      ['friend_request', cat.username],
    ].toSorted(),
  )
})

test('sends what the previous release has scheduled and queued', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  await world.confirm(bob)
  await bob.call(createWant, { body: { title: 'salsify' } })
  await ann.call(createListing, { body: { title: 'Salsify', type_id: types.giveaway } })
  await ann.call(sendMessage, { body: { receiver_id: bob.id, content: 'Salsify?' } })
  await world.jobsDone()
  const subjects = () => world.mailTo(bob).map(({ subject }) => subject)
  expect(subjects()).toEqual(['A match for your wish list: Salsify'])

  await sql`update matches set mail_pending = true where user_id = ${bob.id}`.execute(world.db)
  await sql`insert into notification_schedule (user_id, channel, due_at) values (${bob.id}, 'mail', now())`.execute(
    world.db,
  )
  await world.runJob(deliverDue)
  expect(subjects()).toHaveLength(2)
  const data = { user_id: bob.id, partner_id: ann.id }
  await world.runJobOf(jobKind<typeof data>('send-unread-mail'), data)
  expect(subjects().at(-1)).toBe(`${ann.username} wrote to you`)
})
