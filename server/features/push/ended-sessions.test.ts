import { afterAll, expect, test } from 'vitest'
import { logIn, logOut, requestPasswordReset, resetPassword } from '#contract/auth.ts'
import { types } from '#contract/constants.ts'
import { createListing } from '#contract/listings.ts'
import { updatePreferences, updateProfile } from '#contract/profile.ts'
import { subscribeToPush } from '#contract/push.ts'
import { createWant } from '#contract/wants.ts'
import { hashOfToken } from '#server/features/auth/tokens.ts'
import { jobKind } from '#server/platform/jobs.ts'
import type { Actor } from '#test/actor.ts'
import { tokenIn } from '#test/links.ts'
import { startPushService } from '#test/push-service.ts'
import { zoneWhereItIs } from '#test/time-zones.ts'
import { newWorld } from '#test/world.ts'
import { tellEndedBrowsers } from './jobs.ts'

const push = await startPushService()
const world = await newWorld({ config: { push: push.settings } })
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await push.stop()
})
const lister = await world.member({ username: 'lister' })
const newPassword = 'walls-of-jericho-3'

async function secondSession(member: Actor, password = member.password): Promise<Actor> {
  const other = member.at(world.url)
  const body = { username: member.email, password }
  other.token = (await world.guest().call(logIn, { body })).access_token
  return other
}

async function reset({ email }: Actor) {
  await world.guest().call(requestPasswordReset, { body: { email } })
  await world.jobsDone()
  const token = tokenIn(world.mailTo({ email }).findLast(({ text }) => text.includes('reset-password')))
  const body = { token, new_password: newPassword, confirm_password: newPassword }
  await world.guest().call(resetPassword, { body })
}

async function expire({ token = '' }: Actor) {
  const expires_at = new Date(Date.now() - 1).toISOString()
  await world.db
    .updateTable('sessions')
    .set({ expires_at })
    .where('token_hash', '=', hashOfToken(token))
    .execute()
}

test.each<[string, string, string, (thief: Actor, owner: Actor) => Promise<unknown>]>([
  ['a logout', 'ann', 'plum-crumble-42', (thief) => thief.call(logOut)],
  ['a password reset', 'bob', newPassword, (_, owner) => reset(owner)],
  [
    'a new password, set in another session,',
    'cas',
    newPassword,
    (_, owner) => owner.call(updateProfile, { body: { password: newPassword } }),
  ],
  ['the expiry of a session', 'dea', 'plum-crumble-42', (thief) => expire(thief)],
])(
  '%s ends the push subscriptions of the session, which the browser is told',
  async (_, username, password, end) => {
    const owner = await world.member({ username })
    await owner.call(updatePreferences, { body: { time_zone: zoneWhereItIs(12) } })
    await owner.call(createWant, { body: { title: 'rhubarb' } })
    const thief = await secondSession(owner)
    const [thiefs, owners] = [push.browser(), push.browser()]
    await thief.call(subscribeToPush, { body: thiefs.subscription })
    await end(thief, owner)

    const again = await secondSession(owner, password)
    await again.call(subscribeToPush, { body: owners.subscription })
    await lister.call(createListing, {
      body: { title: `Rhubarb, ${username} has it`, type_id: types.giveaway },
    })
    await world.jobsDone()
    expect(owners.shown).toMatchObject([{ title: `Rhubarb, ${username} has it` }])
    expect(thiefs.shown).toEqual([])

    await world.runJob(jobKind('clean-up-logins'))
    for (let times = 0; times < 2; times += 1) await world.runJob(tellEndedBrowsers)
    expect(thiefs.shown).toEqual([
      {
        category: 'login',
        title: 'Notifications have stopped on this device',
        body: 'Your login here has ended. Log in to get them again.',
        path: '/login',
        tag: 'login',
      },
    ])
    expect(owners.shown).toHaveLength(1)
  },
)

test('a browser that subscribes again after the end of its session is not told of it', async () => {
  const owner = await world.member({ username: 'eve' })
  const [before, browser] = [await secondSession(owner), push.browser()]
  await before.call(subscribeToPush, { body: browser.subscription })
  await before.call(logOut)
  const again = await secondSession(owner)
  await again.call(subscribeToPush, { body: browser.subscription })
  await world.runJob(tellEndedBrowsers)
  expect(browser.shown).toEqual([])
})
