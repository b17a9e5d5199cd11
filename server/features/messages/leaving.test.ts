import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { listMessages, sendMessage } from '#contract/messages.ts'
import { deleteProfile } from '#contract/profile.ts'
import { report } from '#contract/reports.ts'
import type { Actor } from '#test/actor.ts'
import { connectTo } from '#test/database.ts'
import { newWorld } from '#test/world.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())

const leave = (member: Actor) => member.call(deleteProfile, { body: { password: member.password } })

/** Returns the conversations of a member who may be deleted, as pairs of member and partner. */
const threadsOf = async (member: Actor) => {
  const rows = await world.db
    .selectFrom('threads')
    .select(['member_id', 'partner_id'])
    .where(({ eb, or }) => or([eb('member_id', '=', member.id), eb('partner_id', '=', member.id)]))
    .execute()
  return rows.map(({ member_id, partner_id }) => [member_id, partner_id])
}

test('a conversation stays for the other side, and is deleted with the last of the two, also from reports', async () => {
  const [ann, bob, cat] = await world.members('ann', 'bob', 'cat')
  const { id } = await ann.call(sendMessage, { body: { receiver_id: bob.id, content: 'Plums?' } })
  await bob.call(sendMessage, { body: { receiver_id: cat.id, content: 'Figs?' } })
  await bob.call(report, { body: { message_id: id, reason: 'Rude' } })
  await leave(ann)
  expect(await threadsOf(ann)).toEqual([[bob.id, ann.id]])
  expect(await bob.call(listMessages, { params: { id: ann.id }, query: {} })).toHaveLength(1)
  const reported = () => world.db.selectFrom('reports').select('message_id').execute()
  expect(await reported()).toEqual([{ message_id: id }])

  await leave(bob)
  expect(await threadsOf(bob)).toEqual([[cat.id, bob.id]])
  const left = await world.db.selectFrom('messages').select('content').execute()
  expect(left).toEqual([{ content: 'Figs?' }])
  expect(await reported()).toEqual([{ message_id: null }])
})

test('a thread that a message stores for a receiver who is being deleted is deleted by a job', async () => {
  const [dan, eve] = await world.members('dan', 'eve')
  const operator = await connectTo(world.databaseUrl)
  // The message has found its receiver and waits for its conversation, which the operator locks.
  await operator.query('begin')
  await operator.query(
    'select pg_advisory_xact_lock(hashint8extended(least($1::bigint, $2), greatest($1, $2)))',
    [dan.id, eve.id],
  )
  const sent = dan.try(sendMessage, { body: { receiver_id: eve.id, content: 'Too late' } })
  await expect.poll(() => world.waitingForLocks()).toBe(1)
  await leave(eve)
  await operator.query('rollback')
  await operator.end()
  await sent
  expect((await threadsOf(eve)).toSorted()).toEqual([
    [dan.id, eve.id],
    [eve.id, dan.id],
  ])

  await sql`update jobs.job set start_after = now() where state = 'created'`.execute(world.db)
  await world.jobsDone()
  expect(await threadsOf(eve)).toEqual([[dan.id, eve.id]])
})
