import { afterAll, expect, test } from 'vitest'
import { register } from '#contract/auth.ts'
import { addBan } from '#contract/bans.ts'
import { getFriendStatus } from '#contract/friends.ts'
import { getInvitationLink, invitationMessages, replaceInvitationLink } from '#contract/invitations.ts'
import { deleteProfile } from '#contract/profile.ts'
import { getSiteSettings, type RegistrationMode, saveSiteSettings } from '#contract/site-settings.ts'
import { type Actor, json, registrationOf } from '#test/actor.ts'
import { admin } from '#test/admin.ts'
import { newWorld } from '#test/world.ts'

const world = await newWorld()
const elsewhere = await world.node()
afterAll(async () => {
  await elsewhere[Symbol.asyncDispose]()
  await world[Symbol.asyncDispose]()
})
const [olga, ann, bob, cat] = await world.members('olga', 'ann', 'bob', 'cat')
await admin(world, 'grant', 'olga', 'operator')

async function letRegister(registration: RegistrationMode) {
  const { version } = await olga.call(getSiteSettings)
  await olga.call(saveSiteSettings, { body: { version, registration } })
}
const inviteOf = async (member: Actor) =>
  new URL((await member.call(getInvitationLink)).url).searchParams.get('invite') ?? ''
const join = (username: string, invitation?: string, node: Pick<typeof world, 'guest'> = world) =>
  node.guest().try(register, { body: { ...registrationOf({ username }), invitation } })
const refused = { status: 403, body: { detail: invitationMessages.needed } }
const isMember = async (username: string) =>
  (await world.db.selectFrom('users').select('id').where('username', '=', username).execute()).length > 0

test('a site that nobody has changed lets everybody register, and ignores an invitation that is not valid', async () => {
  expect((await olga.call(getSiteSettings)).settings.registration).toBe('open')
  expect(await join('open_a')).toMatchObject({ status: 201 })
  expect(await join('open_b', '1.forged')).toMatchObject({ status: 201 })
})

test('a site by invitation needs the link of a member, whose friend request then waits', async () => {
  await letRegister('invitation')
  expect(await join('dora')).toMatchObject(refused)
  expect(await isMember('dora')).toBe(false)
  const invite = await inviteOf(ann)
  const { status, body: dora } = await join('dora', invite)
  expect(status).toBe(201)
  expect(await ann.call(getFriendStatus, { params: { id: 'id' in dora ? dora.id : 0 } })).toMatchObject({
    status: 'pending',
  })
  // The link of a member invites all whom they show it.
  expect(await join('dirk', invite)).toMatchObject({ status: 201 })
})

test('another node follows, and lets everybody register again once the site is open', async () => {
  await letRegister('invitation')
  await expect.poll(async () => (await join('emil', undefined, elsewhere)).status).toBe(403)
  await letRegister('open')
  await expect.poll(async () => (await join('emil', undefined, elsewhere)).status).toBe(201)
})

test('refuses links that are forged, replaced, or of a member who is suspended or has left', async () => {
  await letRegister('invitation')
  const [replaced, suspended, left] = [await inviteOf(ann), await inviteOf(bob), await inviteOf(cat)]
  await ann.call(replaceInvitationLink)
  await admin(world, 'suspend', 'bob')
  await cat.call(deleteProfile, { body: { password: cat.password } })
  const forged = (await inviteOf(ann)).replace(/^\d+/, String(olga.id))
  for (const invite of ['', '1', '1.', 'x.y', '999999999999999.x', forged, replaced, suspended, left])
    expect([invite, await join('fay', invite)]).toMatchObject([invite, refused])
  expect(await isMember('fay')).toBe(false)
  expect(await join('fay', await inviteOf(ann))).toMatchObject({ status: 201 })
})

test('without an invitation, nobody learns whether a username or an e-mail is taken', async () => {
  await letRegister('invitation')
  expect(await join('olga')).toMatchObject(refused)
  expect(await join('olga', await inviteOf(ann))).toMatchObject({ status: 409 })
})

test('refuses an invitation of another form with a sentence, and other faults before it', async () => {
  await letRegister('invitation')
  const send = (changes: object) =>
    world
      .guest()
      .send('POST', '/api/auth/register', json({ ...registrationOf({ username: 'gus' }), ...changes }))
  for (const invitation of [7, {}, [], 'x'.repeat(201), 'a\u0000b'])
    expect([invitation, (await send({ invitation })).status]).toEqual([invitation, 422])
  expect((await send({ email: 'gus' })).body.errors).toMatchObject([{ field: 'email' }])
})

test('an invitation does not lift a ban', async () => {
  await letRegister('invitation')
  await olga.call(addBan, {
    body: { kind: 'domain', value: 'spam.example', reason: 'Advertising', days: null },
  })
  const person = registrationOf({ username: 'hal', email: 'hal@spam.example' })
  const { status, body } = await world
    .guest()
    .try(register, { body: { ...person, invitation: await inviteOf(ann) } })
  expect([status, body]).toMatchObject([422, { errors: [{ field: 'email' }] }])
})

test('registrations without an invitation count for the limits', async () => {
  await using limited = await newWorld({ rateLimits: true, config: { registrationsPerHour: 2 } })
  const [otto] = await limited.members('otto')
  await admin(limited, 'grant', 'otto', 'operator')
  const invitation = await inviteOf(otto)
  await otto.call(saveSiteSettings, { body: { version: 0, registration: 'invitation' } })
  const statuses = []
  for (const username of ['ida', 'ivo', 'ian'])
    statuses.push((await join(username, username === 'ian' ? invitation : undefined, limited)).status)
  expect(statuses).toEqual([403, 403, 429])
})

test('refuses a mode that does not exist', async () => {
  const { version, settings } = await olga.call(getSiteSettings)
  const { status, body } = await olga.send(
    'POST',
    '/api/desk/site',
    json({ version, registration: 'closed' }),
  )
  expect([status, body]).toMatchObject([
    422,
    { errors: [{ field: 'registration', message: 'Please choose who can register' }] },
  ])
  expect((await olga.call(getSiteSettings)).settings.registration).toBe(settings.registration)
})
