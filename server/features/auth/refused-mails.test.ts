import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { confirmEmail, getProfile, requestPasswordReset, resendConfirmation } from '#contract/auth.ts'
import { invite } from '#contract/invitations.ts'
import { updateProfile } from '#contract/profile.ts'
import type { Actor } from '#test/actor.ts'
import { tokenIn } from '#test/links.ts'
import { metricsOf } from '#test/metrics.ts'
import { newWorld } from '#test/world.ts'

const world = await newWorld({ config: { metrics: { host: '127.0.0.1', port: 0 } } })
afterAll(() => world[Symbol.asyncDispose]())

const noMailbox = { code: 550, text: '5.1.1 No such mailbox' }

/** Asks for a password reset, which is mailed to any address, and waits for the first attempt. */
async function mailTo({ email }: { email: string }) {
  await world.guest().call(requestPasswordReset, { body: { email } })
  await world.jobsDone()
}

const outcomes = ['sent', 'failed', 'deferred', 'refused'] as const

async function mailsBy(outcome: string): Promise<number> {
  const [, count] =
    new RegExp(`rhubarb_mails_total\\{outcome="${outcome}"\\} (\\d+)`).exec(await metricsOf(world)) ?? []
  return Number(count)
}

async function jobsIn(state: 'retry' | 'failed'): Promise<number> {
  const { rows } = await sql<{
    count: number
  }>`select count(*)::integer from jobs.job where state = ${state}`.execute(world.db)
  return rows[0]?.count ?? -1
}

const stateOf = async (member: Actor) => {
  const { email_confirmed, email_refused } = await member.call(getProfile)
  return { email_confirmed, email_refused }
}

test('a node has a count of each outcome before its first mail', async () => {
  for (const outcome of outcomes) expect(await mailsBy(outcome)).toBe(0)
})

test('a mail that the mailbox refuses for good is counted once and never tried again', async () => {
  const [ann] = await world.members('ann')
  await world.confirm(ann)
  world.mailServer.answer(ann.email, noMailbox)
  const refusedBefore = await mailsBy('refused')
  await mailTo(ann)
  expect((await mailsBy('refused')) - refusedBefore).toBe(1)
  expect([await jobsIn('retry'), await jobsIn('failed'), await mailsBy('failed')]).toEqual([0, 0, 0])
  expect(await stateOf(ann)).toEqual({ email_confirmed: false, email_refused: true })
})

test('the member confirms a refused address again once its mailbox takes mail', async () => {
  const [bob] = await world.members('bob')
  await world.confirm(bob)
  world.mailServer.answer(bob.email, noMailbox)
  await mailTo(bob)
  world.mailServer.answer(bob.email, undefined)
  await bob.call(resendConfirmation)
  await world.jobsDone()
  expect(await stateOf(bob)).toEqual({ email_confirmed: false, email_refused: true })
  const token = tokenIn(world.mailTo(bob).at(-1))
  await world.guest().call(confirmEmail, { body: { token } })
  expect(await stateOf(bob)).toEqual({ email_confirmed: true, email_refused: false })
})

test('another address has not refused anything', async () => {
  const [cat] = await world.members('cat')
  world.mailServer.answer(cat.email, noMailbox)
  await mailTo(cat)
  expect(await stateOf(cat)).toMatchObject({ email_refused: true })
  await cat.call(updateProfile, { body: { email: 'cat.new@example.com', current_password: cat.password } })
  await world.jobsDone()
  expect(await stateOf(cat)).toEqual({ email_confirmed: false, email_refused: false })
})

test.each([
  ['a full mailbox', { code: 552, text: '5.2.2 Mailbox full' }, 'refused'],
  ['an unknown mailbox without an enhanced code', { code: 550, text: 'No such user here' }, 'refused'],
  ['an address of another domain', { code: 551, text: '5.1.6 Moved' }, 'refused'],
  ['a policy', { code: 550, text: '5.7.1 Relaying denied' }, 'failed'],
  ['a failed check of the sender', { code: 550, text: '5.7.26 Unauthenticated' }, 'failed'],
  ['a bad sender', { code: 553, text: '5.1.8 Bad sender' }, 'failed'],
  ['a malformed sender', { code: 550, text: '5.1.7 Bad sender' }, 'failed'],
  ['a missing login', { code: 530, text: 'Authentication required' }, 'failed'],
  ['a mailbox that is busy', { code: 450, text: '4.2.0 Greylisted' }, 'deferred'],
  ['a mailbox that is full for now', { code: 452, text: '4.2.2 Over quota' }, 'deferred'],
  ['a busy mailbox without an enhanced code', { code: 450, text: 'Try again later' }, 'deferred'],
  ['a policy for now', { code: 450, text: '4.7.1 Too many mails from you' }, 'failed'],
  ['a mail server out of order', { code: 451, text: '4.3.0 Queue file write error' }, 'failed'],
  ['a full mail server', { code: 452, text: '4.3.1 Insufficient system storage' }, 'failed'],
] as const)(
  'after %s the mail counts by its reason, and the address is marked only if it is refused',
  async (_, reply, outcome) => {
    const isMarked = outcome === 'refused'
    const [dan] = await world.uniqueMembers('dan')
    await world.confirm(dan)
    world.mailServer.answer(dan.email, reply)
    const before = await Promise.all(outcomes.map(mailsBy))
    await mailTo(dan)
    expect(await stateOf(dan)).toEqual({ email_confirmed: !isMarked, email_refused: isMarked })
    const after = await Promise.all(outcomes.map(mailsBy))
    expect(outcomes.filter((_outcome, at) => after[at] !== before[at])).toEqual([outcome])
    world.mailServer.answer(dan.email, undefined)
    await world.retryJobs()
    expect(world.mailTo(dan)).toHaveLength(isMarked ? 0 : 1)
  },
)

test('the last attempt of a mail to one receiver leaves no dead letter', async () => {
  const [eve] = await world.members('eve')
  world.mailServer.answer(eve.email, { code: 450, text: '4.2.1 Try later' })
  await mailTo(eve)
  await sql`update jobs.job set retry_count = retry_limit - 1 where state = 'retry'`.execute(world.db)
  await world.retryJobs()
  expect([await jobsIn('retry'), await jobsIn('failed')]).toEqual([0, 0])
  expect(await stateOf(eve)).toMatchObject({ email_refused: false })
})

test('an address that has refused an invitation gets no other one', async () => {
  const [fay, gil] = await world.members('fay', 'gil')
  const email = 'nobody@example.com'
  world.mailServer.answer(email, noMailbox)
  await fay.call(invite, { body: { email } })
  await world.jobsDone()
  world.mailServer.answer(email, undefined)
  await gil.call(invite, { body: { email } })
  await gil.call(invite, { body: { email: 'somebody@example.com' } })
  await world.jobsDone()
  expect(world.mailTo({ email })).toEqual([])
  expect(world.mailTo({ email: 'somebody@example.com' })).toHaveLength(1)
})
