import { afterAll, expect, test } from 'vitest'
import { confirmEmail, register, requestPasswordReset, resetPassword } from '#contract/auth.ts'
import { invite, stopInvitations } from '#contract/invitations.ts'
import { registrationOf } from '#test/actor.ts'
import { tokenIn } from '#test/links.ts'
import { newWorld } from '#test/world.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())

/** Sends a mail whose acceptance the server learns of at the third attempt only. Returns the three mails that were accepted. */
async function sentThrice(send: () => Promise<unknown>) {
  await world.jobsDone()
  const before = world.mails.length
  world.mailServer.loseReplies(2)
  await send()
  await world.retryJobs()
  await world.retryJobs()
  const mails = world.mails.slice(before)
  expect(mails).toHaveLength(3)
  return mails
}

const idsOf = (mails: readonly { headers: ReadonlyMap<string, string> }[]) =>
  new Set(mails.map(({ headers }) => headers.get('message-id')))

test('all attempts to send a confirmation have one Message-ID, and their links work', async () => {
  const mails = await sentThrice(() =>
    world.guest().call(register, { body: registrationOf({ username: 'ann' }) }),
  )
  expect(idsOf(mails).size).toBe(1)
  expect([...idsOf(mails)][0]).toMatch(/^<[\w-]{36}@rhubarb\.test>$/)
  for (const mail of mails)
    expect((await world.guest().try(confirmEmail, { body: { token: tokenIn(mail) } })).status).toBe(200)
})

test('the link of any attempt to send a password reset works, and ends the others', async () => {
  const [bob] = await world.members('bob')
  const [first, second, third] = await sentThrice(() =>
    world.guest().call(requestPasswordReset, { body: { email: bob.email } }),
  )
  expect(idsOf([first, second, third].filter((mail) => mail !== undefined)).size).toBe(1)
  const reset = async (mail: typeof first) => {
    const passwords = { new_password: 'walls-of-jericho-3', confirm_password: 'walls-of-jericho-3' }
    return (await world.guest().try(resetPassword, { body: { token: tokenIn(mail), ...passwords } })).status
  }
  expect([await reset(first), await reset(second), await reset(third)]).toEqual([200, 400, 400])
})

test('another request for a password reset ends the links of all attempts of the one before', async () => {
  const [cat] = await world.members('cat')
  const request = () => world.guest().call(requestPasswordReset, { body: { email: cat.email } })
  const mails = await sentThrice(request)
  await request()
  await world.jobsDone()
  for (const mail of mails) {
    const body = {
      token: tokenIn(mail),
      new_password: 'jericho-3-walls',
      confirm_password: 'jericho-3-walls',
    }
    expect((await world.guest().try(resetPassword, { body })).status).toBe(400)
  }
})

test('all attempts to send an invitation have one Message-ID and one link to stop them', async () => {
  const [dan] = await world.members('dan')
  const mails = await sentThrice(() => dan.call(invite, { body: { email: 'neighbor@example.com' } }))
  expect(idsOf(mails).size).toBe(1)
  const tokens = new Set(mails.map(tokenIn))
  expect(tokens.size).toBe(1)
  const [token = ''] = tokens
  expect((await world.guest().try(stopInvitations, { query: { token } })).status).toBe(200)
})
