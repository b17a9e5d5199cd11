import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { authMessages, logIn } from '#contract/auth.ts'
import { addBan, banMessages, liftBan } from '#contract/bans.ts'
import { listAuditLog } from '#contract/desk.ts'
import { searchDeskMembers } from '#contract/desk-members.ts'
import { getFriendStatus } from '#contract/friends.ts'
import { getInvitationLink } from '#contract/invitations.ts'
import { searchMembers } from '#contract/members.ts'
import { listNotifications, readNotifications } from '#contract/notifications.ts'
import { updateProfile } from '#contract/profile.ts'
import {
  approveRegistration,
  listRegistrationRequests,
  refuseRegistration,
  registrationRequestMessages,
} from '#contract/registration-requests.ts'
import { getSiteSettings, type RegistrationMode, saveSiteSettings } from '#contract/site-settings.ts'
import { type Actor, json, registrationOf } from '#test/actor.ts'
import { admin } from '#test/admin.ts'
import { newWorld } from '#test/world.ts'
import { forgetRequests } from './jobs.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())
const [olga, maud, mona, ann] = await world.members('olga', 'maud', 'mona', 'ann')
await admin(world, 'grant', 'olga', 'operator')
for (const moderator of ['maud', 'mona']) await admin(world, 'grant', moderator, 'moderator')

async function letRegister(registration: RegistrationMode) {
  const { version } = await olga.call(getSiteSettings)
  await olga.call(saveSiteSettings, { body: { version, registration } })
}
beforeEach(async () => {
  await letRegister('approval')
  await world.db.deleteFrom('registration_requests').execute()
})

const ask = (username: string, changes: object = {}, headers: Record<string, string> = {}) => {
  const { body, headers: types } = json({ ...registrationOf({ username }), ...changes })
  return world.guest().send('POST', '/api/auth/register', { body, headers: { ...types, ...headers } })
}
const enter = (username: string, password = registrationOf({ username }).password) =>
  world.guest().try(logIn, { body: { username: `${username}@example.com`, password } })
const waiting = () => maud.call(listRegistrationRequests)
const requestOf = async (username: string) => ({
  id: (await waiting()).find((request) => request.username === username)?.id ?? 0,
})
const approve = async (username: string, by: Actor = maud) =>
  by.try(approveRegistration, { params: await requestOf(username) })
const membersNamed = async (username: string) =>
  world.db.selectFrom('users').select(['id', 'language']).where('username', '=', username).execute()
const answered = { status: 409, body: { detail: registrationRequestMessages.answered } }

test('a registration waits, is visible to nobody but the desk, and cannot log in', async () => {
  expect(await ask('dora')).toMatchObject({ status: 202, body: { message: authMessages.requested } })
  expect(await membersNamed('dora')).toEqual([])
  expect(await waiting()).toMatchObject([{ username: 'dora', email: 'dora@example.com' }])
  expect(JSON.stringify(await waiting())).not.toMatch(/argon|password|network|invitation/)
  expect(await ann.call(searchMembers, { query: { q: 'dora' } })).toEqual([])
  expect(await maud.call(searchDeskMembers, { query: { q: 'dora' } })).toEqual([])
  await world.jobsDone()
  expect(world.mailTo({ email: 'dora@example.com' })).toEqual([])
  expect(await enter('dora')).toMatchObject({ status: 403, body: { detail: authMessages.waiting } })
})

test('only who knows the password learns that a registration waits', async () => {
  await ask('wanda')
  const unknown = await enter('nobody_at_all')
  expect(await enter('wanda', 'wrong-password')).toMatchObject({ status: 401, body: unknown.body })
})

test('a moderator lets somebody in, who gets one mail with links to log in and to confirm', async () => {
  const invitation = new URL((await ann.call(getInvitationLink)).url).searchParams.get('invite')
  await ask('emil', { invitation }, { 'accept-language': 'es' })
  expect((await approve('emil')).status).toBe(204)
  const [emil] = await membersNamed('emil')
  expect(emil?.language).toBe('es')
  expect(await ann.call(getFriendStatus, { params: { id: emil?.id ?? 0 } })).toMatchObject({
    status: 'pending',
  })
  await world.jobsDone()
  const [mail, ...others] = world.mailTo({ email: 'emil@example.com' })
  expect(others).toEqual([])
  expect(mail?.text).toContain('https://rhubarb.test/login')
  expect(mail?.text).toContain('/confirm-email?token=')
  expect(await enter('emil')).toMatchObject({ status: 200, body: { user: { username: 'emil' } } })
  expect(await waiting()).toEqual([])
  expect((await olga.call(listAuditLog, { query: { action: 'registration_approved' } }))[0]).toMatchObject({
    actor: { username: 'maud' },
    target_type: 'member',
    target_name: 'emil',
  })
})

test('a moderator refuses, with or without a reason, and nothing stays', async () => {
  await ask('fay')
  await ask('gus')
  const refuse = async (username: string, reason?: string) =>
    maud.try(refuseRegistration, { params: await requestOf(username), body: { reason } })
  expect((await refuse('fay', 'We are <b>full</b>')).status).toBe(204)
  expect((await refuse('gus')).status).toBe(204)
  await world.jobsDone()
  const [fay] = world.mailTo({ email: 'fay@example.com' })
  expect(fay?.text).toContain('We are <b>full</b>')
  expect(fay?.html).toContain('We are &lt;b&gt;full&lt;/b&gt;')
  expect(world.mailTo({ email: 'gus@example.com' })).toHaveLength(1)
  expect(await waiting()).toEqual([])
  expect((await enter('fay')).status).toBe(401)
  expect(await olga.call(listAuditLog, { query: { action: 'registration_refused' } })).toMatchObject([
    { target_type: 'site', reason: null },
    { target_type: 'site', reason: 'We are <b>full</b>' },
  ])
  expect((await ask('fay')).status).toBe(202)

  // The job queue deletes jobs that ended so many seconds ago.
  const kept = await sql<{ deletion_seconds: number }>`
    select deletion_seconds from jobs.job where data->>'email' = 'fay@example.com'`.execute(world.db)
  expect(kept.rows).toEqual([{ deletion_seconds: 24 * 60 * 60 }])
})

test('of two moderators at once the second is told', async () => {
  await ask('hal')
  const params = await requestOf('hal')
  const both = await Promise.all([
    maud.try(approveRegistration, { params }),
    mona.try(refuseRegistration, { params, body: {} }),
  ])
  expect(both.map(({ status }) => status).sort()).toEqual([204, 409])
  expect(both.find(({ status }) => status === 409)).toMatchObject(answered)
  expect(await maud.try(approveRegistration, { params })).toMatchObject(answered)
})

test('usernames and e-mails are unique among members and who waits, in any case', async () => {
  await ask('ida')
  const username = {
    status: 409,
    body: { detail: authMessages.usernameTaken, errors: [{ field: 'username' }] },
  }
  const email = { status: 409, body: { detail: authMessages.emailTaken, errors: [{ field: 'email' }] } }
  expect(await ask('IDA', { email: 'x@example.com' })).toMatchObject(username)
  expect(await ask('ANN', { email: 'x@example.com' })).toMatchObject(username)
  expect(await ask('iris', { email: 'IDA@example.com' })).toMatchObject(email)
  expect(await ask('iris', { email: 'ANN@example.com' })).toMatchObject(email)
  const raced = await Promise.all(
    ['Jo_1', 'jo_1', 'JO_1'].map((name, nth) => ask(name, { email: `jo${nth}@example.com` })),
  )
  expect(raced.map(({ status }) => status).sort()).toEqual([202, 409, 409])
})

test('the names of who waits are taken for members and for others who register, as long as they wait', async () => {
  await ask('kim_01')
  const username = {
    status: 409,
    body: { detail: authMessages.usernameTaken, errors: [{ field: 'username' }] },
  }
  const email = { status: 409, body: { detail: authMessages.emailTaken, errors: [{ field: 'email' }] } }
  const change = (body: object) => ann.try(updateProfile, { body })
  // It looks the same.
  expect(await change({ username: 'KIMOl' })).toMatchObject(username)
  expect(await change({ email: 'KIM_01@example.com' })).toMatchObject(email)
  expect(await ask('kim_o1', { email: 'other@example.com' })).toMatchObject(username)
  await letRegister('open')
  expect(await ask('kim_o1', { email: 'other@example.com' })).toMatchObject(username)
  expect(await ask('kay', { email: 'KIM_01@example.com' })).toMatchObject(email)

  expect((await approve('kim_01')).status).toBe(204)
  await letRegister('approval')
  await ask('kit')
  await maud.call(refuseRegistration, { params: await requestOf('kit'), body: {} })
  expect((await change({ username: 'kit', email: 'kit@example.com' })).status).toBe(200)
})

test.each(['register', 'rename'] as const)(
  'of a member and somebody who registers with the same name at once, one gets it: %s',
  async (how) => {
    const replies = await Promise.all(
      Array.from({ length: 4 }, async (_, nth) => {
        const [member] = await world.uniqueMembers('race')
        const mail = `race_${how}_${nth}@example.com`
        return how === 'register'
          ? Promise.all([
              ask(`${how}_${nth}`, { email: mail }),
              member.try(updateProfile, { body: { email: mail } }),
            ])
          : Promise.all([
              ask(`${how}_${nth}`, { email: mail }),
              member.try(updateProfile, { body: { username: `${how}_${nth}` } }),
            ])
      }),
    )
    for (const pair of replies) expect(pair.filter(({ status }) => status === 409)).toHaveLength(1)
  },
)

test('the desk is told of the first request, and not again before it has read that', async () => {
  await world.db.deleteFrom('notices').execute()
  const told = async (moderator: Actor) =>
    (await moderator.call(listNotifications, { query: {} })).filter(
      ({ notice }) => notice?.kind === 'registrations_waiting',
    ).length
  await Promise.all([ask('lea'), ask('leo'), ask('lou')])
  expect([await told(maud), await told(olga), await told(ann)]).toEqual([1, 1, 0])
  await world.db.deleteFrom('registration_requests').execute()
  await maud.call(readNotifications, { body: {} })
  await ask('lin')
  expect([await told(maud), await told(olga)]).toEqual([2, 1])
})

test('the desk is told of each request after it has read of the others, also while others wait', async () => {
  await world.db.deleteFrom('notices').execute()
  await ask('lars')
  await maud.call(readNotifications, { body: {} })
  await ask('lena')
  const notices = await maud.call(listNotifications, { query: {} })
  expect(notices.filter(({ notice }) => notice?.kind === 'registrations_waiting')).toHaveLength(2)
})

test.each([
  ['domain', 'banned-later.example'],
  ['network', '198.51.100.7'],
] as const)(
  'a registration is not let in while its %s is banned, and can be refused',
  async (kind, value) => {
    const names = ['otto', 'opal'] as const
    for (const name of names) await ask(name, { email: `${name}@banned-later.example` })
    await world.db.updateTable('registration_requests').set({ network: '198.51.100.7' }).execute()
    const { id } = await olga.call(addBan, { body: { kind, value, reason: 'Spam' } })
    const banned = { status: 409, body: { detail: registrationRequestMessages.banned } }
    expect(await approve('otto')).toMatchObject(banned)
    expect(await approve('opal')).toMatchObject(banned)
    const refusal = { params: await requestOf('opal'), body: {} }
    expect((await maud.try(refuseRegistration, refusal)).status).toBe(204)
    await olga.call(liftBan, { params: { id }, body: { reason: 'A mistake' } })
    expect((await approve('otto')).status).toBe(204)
    await world.db.deleteFrom('users').where('username', 'in', names).execute()
  },
)

test('the network of a registration is kept for 30 days of the registration, not of the answer', async () => {
  await ask('nell')
  await sql`update registration_requests set created_at = now() - interval '20 days'`.execute(world.db)
  expect((await approve('nell')).status).toBe(204)
  const [nell] = await membersNamed('nell')
  const { rows } = await sql<{ days: number }>`
    select extract(day from now() - created_at)::int as days from registration_networks
    where user_id = ${nell?.id}`.execute(world.db)
  expect(rows).toEqual([{ days: 20 }])
})

test('requests stay when the site is open again, and end after 30 days', async () => {
  await ask('mia')
  await ask('max')
  await letRegister('open')
  expect(await ask('moe')).toMatchObject({ status: 201 })
  await sql`update registration_requests set created_at = now() - interval '31 days' where username = 'mia'`.execute(
    world.db,
  )
  await world.runJob(forgetRequests)
  expect(await waiting()).toMatchObject([{ username: 'max' }])
  expect((await approve('max')).status).toBe(204)
})

test('bans, rules of fields and common passwords hold', async () => {
  await olga.call(addBan, { body: { kind: 'domain', value: 'spam.example', reason: 'Spam' } })
  const errors = async (changes: object) => (await ask('ned', changes)).body.errors
  expect(await errors({ email: 'ned@spam.example' })).toMatchObject([{ message: banMessages.domain }])
  expect(await errors({ password: 'password1' })).toMatchObject([{ message: authMessages.commonPassword }])
  expect(await errors({ username: 'n e d' })).toMatchObject([{ field: 'username' }])
  expect(await waiting()).toEqual([])
})
