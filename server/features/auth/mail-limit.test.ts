import { afterAll, expect, test } from 'vitest'
import { confirmEmail, requestPasswordReset } from '#contract/auth.ts'
import { invitationMessages, invite } from '#contract/invitations.ts'
import { updateProfile } from '#contract/profile.ts'
import { tokenIn } from '#test/links.ts'
import { newWorld } from '#test/world.ts'

const maxMails = 10

const world = await newWorld({ rateLimits: true, registration: true })
afterAll(() => world[Symbol.asyncDispose]())

/** Returns the mails to an address, with any tag (`name+tag@`). */
function mailsToMailbox(name: string) {
  return world.mails.filter(({ to }) => to.some((address) => new RegExp(`^${name}[+@]`, 'i').test(address)))
}

test('limits mails to an unconfirmed address to ten a day', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  const stranger = 'stranger@example.com'
  const mails = () => mailsToMailbox('stranger')
  const changeEmail = async (email: string) => {
    const { status, body } = await ann.try(updateProfile, { body: { email } })
    expect([status, body.email]).toEqual([200, email])
    await world.jobsDone()
  }
  await bob.call(invite, { body: { email: stranger } })
  await world.jobsDone()
  for (let count = 0; count < 4; count += 1) {
    await changeEmail(stranger)
    await changeEmail(ann.email)
  }
  expect(mails()).toHaveLength(9)

  await changeEmail('stranger+1@example.com')
  await changeEmail('Stranger@Example.com')
  const invited = await bob.try(invite, { body: { email: 'stranger+2@example.com' } })
  expect([invited.status, invited.body]).toEqual([202, { message: invitationMessages.onItsWay }])
  await world.jobsDone()
  expect(mails()).toHaveLength(maxMails)
})

test('limits password resets to an unconfirmed address to ten a day, apart from other mails', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  const mails = () => mailsToMailbox(ann.username)
  for (let count = 0; count < maxMails; count += 1) {
    await bob.call(updateProfile, { body: { email: `${ann.username}+${count}@example.com` } })
    await world.jobsDone()
  }
  expect(mails()).toHaveLength(maxMails)

  const reset = async (email: string) => {
    await world.guest().call(requestPasswordReset, { body: { email } })
    await world.jobsDone()
  }
  await reset(ann.email)
  expect(mails()).toHaveLength(maxMails + 1)
  expect(mails().at(-1)).toMatchObject({ to: [ann.email], text: expect.stringContaining('token=') })

  // An account may be reset five times an hour, so three accounts are needed.
  const [cas] = await world.uniqueMembers('cas')
  await cas.call(updateProfile, { body: { email: `${ann.username}+cas@example.com` } })
  for (const email of [ann.email, `${ann.username}+9@example.com`, `${ann.username}+cas@example.com`])
    for (let count = 0; count < 4; count += 1) await reset(email)
  expect(mails()).toHaveLength(2 * maxMails)
})

test('a confirmation mail that the limit suppresses leaves the previous link valid', async () => {
  const [ann] = await world.uniqueMembers('ann')
  // Otherwise the welcome mail may go to the new address.
  await world.jobsDone()
  const address = `${ann.username}@elsewhere.example`
  for (let count = 0; count < 6; count += 1) {
    await ann.call(updateProfile, { body: { email: address } })
    await world.jobsDone()
    if (count < 5) await ann.call(updateProfile, { body: { email: ann.email } })
    await world.jobsDone()
  }
  const mails = world.mailTo({ email: address })
  expect(mails).toHaveLength(maxMails)
  const token = tokenIn(mails.findLast(({ text }) => text.includes('token=')))
  expect(await ann.try(confirmEmail, { body: { token } })).toMatchObject({ status: 200 })
})

test('does not limit mails to a confirmed address', async () => {
  const [ann] = await world.uniqueMembers('ann')
  await world.confirm(ann)
  for (let count = 0; count < maxMails; count += 1)
    await ann.call(updateProfile, { body: { password: `walls-of-jericho-${count}` } })
  await world.guest().call(requestPasswordReset, { body: { email: ann.email } })
  await world.jobsDone()
  expect(world.mailTo(ann)).toHaveLength(1 + maxMails + 1)
})

test('does not count mails that the mail server refuses', async () => {
  const [ann] = await world.uniqueMembers('ann')
  const email = `${ann.username}@elsewhere.example`
  await world.jobsDone()
  world.mailServer.refuseNext(1)
  for (let count = 0; count < maxMails / 2; count += 1) {
    await ann.call(updateProfile, { body: { email } })
    await world.retryJobs()
    expect(world.mailTo({ email })).toHaveLength(2 * count + 1)
    await ann.call(updateProfile, { body: { email: ann.email } })
    await world.jobsDone()
  }
  expect(world.mailTo({ email })).toHaveLength(maxMails)
})
