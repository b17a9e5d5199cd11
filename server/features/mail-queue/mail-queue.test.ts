import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { listAuditLog } from '#contract/desk.ts'
import { invite } from '#contract/invitations.ts'
import { dropJobs, getMailQueue, mailQueueMessages, retryJobs, sendTestMail } from '#contract/mail-queue.ts'
import { sendConfirmationMail, sendPasswordChangedMail } from '#server/features/auth/job-kinds.ts'
import { admin } from '#test/admin.ts'
import { addFailedJob } from '#test/failed-jobs.ts'
import { newWorld } from '#test/world.ts'

const world = await newWorld({ registration: true, rateLimits: true })
afterAll(() => world[Symbol.asyncDispose]())
const olga = await world.member({ username: 'olga' })
await admin(world, 'grant', 'olga', 'operator')
const queue = () => olga.call(getMailQueue)

const failedJob = (member: number) => addFailedJob(world.db, member)

async function logged() {
  return (await olga.call(listAuditLog, { query: { target_type: 'site' } })).map(
    ({ action, actor, reason }) => ({
      action,
      by: actor?.username,
      reason,
    }),
  )
}

test('the queue has the jobs by kind and state, and the errors of those that failed', async () => {
  const [ann] = await world.members('ann')
  await world.confirm(ann)
  const id = await failedJob(ann.id)
  world.mailServer.refuseNext(Number.POSITIVE_INFINITY)
  await world.addJob(sendPasswordChangedMail, { user_id: ann.id })
  await expect.poll(async () => (await queue()).retrying).toHaveLength(1)

  const { counts, failed, retrying } = await queue()
  world.mailServer.refuseNext(0)
  const kind = sendPasswordChangedMail.name
  expect(counts).toContainEqual({ kind, state: 'failed', count: 1, oldest_at: expect.any(String) })
  expect(counts).toContainEqual({ kind, state: 'retrying', count: 1, oldest_at: expect.any(String) })
  const member = { id: ann.id, username: 'ann' }
  expect(failed).toEqual([{ id, kind, tries: 31, at: expect.any(String), error: '550 No such user', member }])
  expect(retrying).toMatchObject([
    { kind, tries: expect.any(Number), error: expect.stringContaining('Try again later'), member },
  ])
})

test('an operator retries or drops one failed job, or all, which the audit log has', async () => {
  const [bob] = await world.members('bob')
  await world.confirm(bob)
  await olga.call(dropJobs, { body: {} })
  const first = await failedJob(bob.id)
  const mailsBefore = world.mailTo(bob).length
  expect(await olga.call(retryJobs, { body: { id: first } })).toEqual({ count: 1 })
  await expect.poll(() => world.mailTo(bob).length).toBe(mailsBefore + 1)
  const again = await olga.try(retryJobs, { body: { id: first } })
  expect(again).toMatchObject({ status: 404, body: { detail: mailQueueMessages.noSuchJob } })

  const [second, third] = [await failedJob(bob.id), await failedJob(bob.id)]
  expect(await olga.call(dropJobs, { body: { id: second } })).toEqual({ count: 1 })
  expect((await queue()).failed.map(({ id }) => id)).toEqual([third])
  await failedJob(bob.id)
  expect(await olga.call(dropJobs, { body: {} })).toEqual({ count: 2 })
  expect((await queue()).failed).toEqual([])
  expect((await logged()).slice(0, 3)).toEqual([
    { action: 'jobs_dropped', by: 'olga', reason: 'send-password-changed-mail: 2' },
    { action: 'jobs_dropped', by: 'olga', reason: 'send-password-changed-mail: 1' },
    { action: 'jobs_retried', by: 'olga', reason: 'send-password-changed-mail: 1' },
  ])
})

test('a test mail goes to an address, and the log does not name it', async () => {
  const to = 'somebody@example.com'
  expect(await olga.call(sendTestMail, { body: { email: to } })).toEqual({
    message: mailQueueMessages.testSent,
  })
  await world.jobsDone()
  expect(world.mailTo({ email: to })).toMatchObject([{ subject: 'Test mail of Rhubarb' }])
  expect((await logged())[0]).toEqual({ action: 'test_mail_sent', by: 'olga', reason: null })
  for (let count = 1; count < 20; count += 1) await olga.call(sendTestMail, { body: { email: to } })
  expect((await olga.try(sendTestMail, { body: { email: to } })).status).toBe(429)
  expect((await olga.try(sendTestMail, { body: { email: 'nobody' } })).status).toBe(422)
})

test('refused addresses and members without a confirmed one are listed, newest first', async () => {
  const [cat, dan, eve, fay, gil] = await world.members('cat', 'dan', 'eve', 'fay', 'gil', 'hub')
  for (const member of [cat, dan, gil]) await world.confirm(member)
  const refusal = { code: 550, text: '5.1.1 No such user' }
  world.mailServer.answer('friend@example.com', refusal)
  for (const member of [gil, cat]) {
    world.mailServer.answer(member.email, refusal)
    await world.addJob(sendPasswordChangedMail, { user_id: member.id })
    await world.jobsDone()
  }
  for (const email of ['friend@example.com', 'other@example.com']) await dan.call(invite, { body: { email } })
  // A mail that waits for the confirmation, and a second link to confirm.
  await world.addJob(sendPasswordChangedMail, { user_id: eve.id })
  await sql`update email_confirmations set created_at = created_at - interval '2 days' where user_id = ${eve.id}`.execute(
    world.db,
  )
  await world.addJob(sendConfirmationMail, { user_id: eve.id })
  // The owner of the address has disowned the account.
  await world.db.updateTable('users').set({ email: null }).where('id', '=', fay.id).execute()
  await world.jobsDone()

  const { refused, refused_invitations, unconfirmed } = await queue()
  expect(refused).toEqual(
    [cat, gil].map(({ email: address, username }) => ({ address, username, refused_at: expect.any(String) })),
  )
  expect(refused_invitations).toBe(1)
  const names = unconfirmed.members.map(({ username }) => username)
  expect(names.filter((name) => ['dan', 'eve', 'fay', 'hub'].includes(name))).toEqual(['hub', 'eve'])
  expect(unconfirmed.count).toBe(names.length)
  const waiting = unconfirmed.members.find(({ username }) => username === 'eve')
  expect(waiting).toMatchObject({
    registered_at: expect.any(String),
    asked_at: expect.any(String),
    waiting: 1,
  })
  expect(Date.parse(waiting?.asked_at ?? '')).toBeGreaterThan(Date.now() - 24 * 60 * 60 * 1000)
})
