import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { logOut } from '#contract/auth.ts'
import { notificationTimes, types } from '#contract/constants.ts'
import { createListing } from '#contract/listings.ts'
import { blockMember } from '#contract/members.ts'
import { markThreadRead } from '#contract/messages.ts'
import { deleteProfile, exportProfile, updatePreferences } from '#contract/profile.ts'
import { subscribeToPush } from '#contract/push.ts'
import { createTrade } from '#contract/trades.ts'
import { deliverDue } from '#server/features/notifications/scheduling.ts'
import type { Actor } from '#test/actor.ts'
import { write } from '#test/conversations.ts'
import { startPushService } from '#test/push-service.ts'
import { zoneWhereItIs } from '#test/time-zones.ts'
import { newWorld } from '#test/world.ts'

const push = await startPushService()
const world = await newWorld({ config: { push: push.settings } })
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await push.stop()
})

let members = 0
/** Registers a member in a time zone where it is noon, with a subscribed browser. */
async function subscriber() {
  members += 1
  const member = await world.member({ username: `subscriber_${members}` })
  await member.call(updatePreferences, { body: { time_zone: zoneWhereItIs(12) } })
  const browser = push.browser()
  await member.call(subscribeToPush, { body: browser.subscription })
  return { member, browser }
}

async function writer(): Promise<Actor> {
  members += 1
  return world.member({ username: `writer_${members}` })
}

const now = () => new Date().toISOString()

/** Moves all scheduled pushes back by an hour and runs the job. */
async function passAnHour() {
  await world.passMinutes(60)
}

/** Returns the seconds from the newest message of a conversation, or from its last push, to the next push. */
async function secondsUntilPush(member: Actor, partner: Actor, since: 'message' | 'push' = 'message') {
  const { rows } = await sql<{ message: number; push: number }>`
    with t as materialized (
      select member_id, partner_id, last_message_id, push_due_at, pushed_at from threads
      where member_id = ${member.id} and partner_id = ${partner.id}
    ), m as materialized (
      select m.created_at from t
      join messages m on m.low_id = least(t.member_id, t.partner_id) and m.id = t.last_message_id
    )
    select extract(epoch from t.push_due_at - m.created_at)::float as message,
      extract(epoch from t.push_due_at - t.pushed_at)::float as push
    from t cross join m`.execute(world.db)
  return Math.round(rows[0]?.[since] ?? 0)
}

/** Returns whether a job is queued for the time when the member's next push is due. */
async function isScheduled(member: Actor) {
  const { rows } = await sql`
    with t as materialized (select push_due_at from threads where member_id = ${member.id})
    select from t join jobs.job j on j.name = ${deliverDue.name} and j.state = 'created' and j.start_after >= t.push_due_at`.execute(
    world.db,
  )
  return rows.length > 0
}

test('pushes the unread messages of a conversation as one replaceable notification', async () => {
  const { member, browser } = await subscriber()
  const [ann, bob] = [await writer(), await writer()]
  await write(ann, member, 'Eggs?')
  await write(ann, member, 'Still <b>fresh</b>')
  await write(bob, member, 'Plums?')
  await write(member, ann, 'What do they cost?')
  await passAnHour()
  const message = {
    category: 'message',
    title: `${ann.username} sent you 2 messages`,
    body: 'Still <b>fresh</b>',
    path: `/messages/${ann.id}`,
    tag: `messages-${ann.id}`,
  }
  expect(browser.shown).toHaveLength(2)
  expect(browser.shown).toContainEqual(message)
  expect(browser.shown).toContainEqual({
    category: 'message',
    title: `${bob.username} wrote to you`,
    body: 'Plums?',
    path: `/messages/${bob.id}`,
    tag: `messages-${bob.id}`,
  })

  await passAnHour()
  expect(browser.shown).toHaveLength(2)
  await write(ann, member, 'Hello?')
  await passAnHour()
  expect(browser.shown).toHaveLength(3)
  expect(browser.shown.at(-1)).toEqual({
    ...message,
    title: `${ann.username} sent you 3 messages`,
    body: 'Hello?',
  })
})

test('delays a push after the message and after the previous push', async () => {
  const { member, browser } = await subscriber()
  const ann = await writer()
  await write(ann, member, 'One')
  await expect.poll(() => isScheduled(member)).toBe(true)
  expect(await secondsUntilPush(member, ann)).toBe(notificationTimes.pushDelaySeconds)
  await passAnHour()
  expect(browser.shown).toHaveLength(1)
  await world.db.updateTable('threads').set({ pushed_at: now() }).where('member_id', '=', member.id).execute()
  await write(ann, member, 'Two')
  expect(await secondsUntilPush(member, ann, 'push')).toBe(notificationTimes.pauseMinutes.push * 60)
})

test('schedules the push of a message whose sender has no session any more at its commit', async () => {
  await using other = await world.node()
  const { member } = await subscriber()
  const ann = await writer()
  await sql`delete from jobs.job where name = ${deliverDue.name} and state = 'created'`.execute(world.db)
  // A logout can take effect between the commit of the message and the transaction that schedules its push.
  await sql`create function end_session() returns trigger language plpgsql as
    $$ begin delete from sessions where user_id = new.sender_id; return null; end $$`.execute(world.db)
  await sql`create trigger end_session after insert on messages
    for each row execute function end_session()`.execute(world.db)
  try {
    await write(other.as(ann), member, 'Goodbye')
  } finally {
    await sql`drop function end_session cascade`.execute(world.db)
  }

  await expect.poll(() => isScheduled(member)).toBe(true)
})

test('schedules no push for a member without a subscribed browser', async () => {
  const [ann, bob] = [await writer(), await writer()]
  await write(ann, bob, 'Hello')
  const thread = await world.db
    .selectFrom('threads')
    .select('push_due_at')
    .where('member_id', '=', bob.id)
    .executeTakeFirst()
  expect(thread).toEqual({ push_due_at: null })
})

test('shortens a long message', async () => {
  const { member, browser } = await subscriber()
  await write(await writer(), member, '🍅'.repeat(2000))
  await passAnHour()
  expect(browser.shown).toMatchObject([{ body: `${'🍅'.repeat(200)}…` }])
})

test('delays a push at night until eight in the morning', async () => {
  const { member, browser } = await subscriber()
  const ann = await writer()
  const night = zoneWhereItIs(23)
  await member.call(updatePreferences, { body: { time_zone: night } })
  await write(ann, member, 'Hello')
  await passAnHour()
  expect(browser.shown).toEqual([])
  const thread = await world.db
    .selectFrom('threads')
    .select('push_due_at')
    .where('member_id', '=', member.id)
    .executeTakeFirst()
  const due = new Date(thread?.push_due_at ?? '')
  expect(due.toLocaleTimeString('en-GB', { timeZone: night, timeStyle: 'short' })).toBe('08:00')

  await member.call(updatePreferences, { body: { time_zone: zoneWhereItIs(8) } })
  await world.db
    .updateTable('threads')
    .set({ push_due_at: now() })
    .where('member_id', '=', member.id)
    .execute()
  await world.runJob(deliverDue)
  expect(browser.shown).toMatchObject([{ body: 'Hello' }])
})

test('retries a push when the push service is busy', async () => {
  const { member, browser } = await subscriber()
  push.answerWith(503)
  await write(await writer(), member, 'Hello')
  await passAnHour()
  expect(browser.shown).toEqual([])
  push.answerWith(201)
  await world.retryJobs()
  expect(browser.shown).toMatchObject([{ body: 'Hello' }])
})

test('the export does not contain the time of the next push', async () => {
  const { member } = await subscriber()
  await write(await writer(), member, 'Hello')
  const { threads } = await member.call(exportProfile)
  expect(threads).toHaveLength(1)
  expect(Object.keys((threads as object[])[0] ?? {})).not.toContain('push_due_at')
})

test('a shown push spares the mail about the same messages for eight hours; without one they are mailed after 15 minutes', async () => {
  const mailsTo = (member: Actor) => world.mailTo(member).map(({ subject }) => subject)
  const [told, untold] = [await subscriber(), await subscriber()]
  const ann = await writer()
  for (const { member } of [told, untold]) await world.confirm(member)
  await write(ann, told.member, 'Plums?')
  await world.passMinutes(1)
  expect(told.browser.shown).toHaveLength(1)
  push.answerWith(503)
  await write(ann, untold.member, 'Plums?')
  await world.passMinutes(15)
  push.answerWith(201)
  const subject = `${ann.username} wrote to you`
  expect([mailsTo(told.member), mailsTo(untold.member)]).toEqual([[], [subject]])

  await world.passMinutes(notificationTimes.mailAfterShownPushHours * 60 - 16)
  expect(mailsTo(told.member)).toEqual([])
  await world.passMinutes(1)
  expect(mailsTo(told.member)).toEqual([subject])
})

test('a shown push of a trade spares its mail, which comes later if it stays unread', async () => {
  const { member, browser } = await subscriber()
  await world.confirm(member)
  const ann = await writer()
  const { id: listing_id } = await member.call(createListing, {
    body: { title: 'Plums', type_id: types.giveaway },
  })
  const { id } = await ann.call(createTrade, { body: { listing_id } })
  await world.passMinutes(1)
  expect(browser.shown).toMatchObject([{ path: `/trades/${id}` }])
  await world.passMinutes(60)
  const mails = () => world.mailTo(member).map(({ subject }) => subject)
  expect(mails()).toEqual([])
  await world.passMinutes(notificationTimes.mailAfterShownPushHours * 60)
  expect(mails()).toEqual([`${ann.username} would like “Plums”`])
})

describe('sends no push', () => {
  test.each<[string, (receiver: Actor, sender: Actor) => Promise<unknown>]>([
    [
      'after the message is read',
      (receiver, sender) => receiver.call(markThreadRead, { params: { id: sender.id } }),
    ],
    [
      'if the receiver has blocked the sender',
      (receiver, sender) => receiver.call(blockMember, { params: { id: sender.id } }),
    ],
    [
      'if the sender has blocked the receiver',
      (receiver, sender) => sender.call(blockMember, { params: { id: receiver.id } }),
    ],
    ['if the sender is suspended', (_, sender) => world.suspend(sender)],
    ['if the receiver is suspended', (receiver) => world.suspend(receiver)],
    [
      'if the sender has deleted the account',
      (_, sender) => sender.call(deleteProfile, { body: { password: sender.password } }),
    ],
    ['after a logout', (receiver) => receiver.call(logOut)],
  ])('%s', async (_, end) => {
    const { member, browser } = await subscriber()
    const { member: other, browser: others } = await subscriber()
    const ann = await writer()
    await write(ann, member, 'Hello')
    await write(await writer(), other, 'Hello')
    await end(member, ann)
    await passAnHour()
    expect(others.shown).toHaveLength(1)
    expect(browser.shown).toEqual([])
  })
})
