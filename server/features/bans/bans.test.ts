import { afterAll, expect, test } from 'vitest'
import { addBan, type BanKind, banMessages, liftBan, listBans } from '#contract/bans.ts'
import { listAuditLog } from '#contract/desk.ts'
import { invite } from '#contract/invitations.ts'
import { createListing } from '#contract/listings.ts'
import { updateProfile } from '#contract/profile.ts'
import { caseMessages, undoAction } from '#contract/report-cases.ts'
import { forgetNetworks } from '#server/features/bans/jobs.ts'
import { type Actor, json, registrationOf } from '#test/actor.ts'
import { admin } from '#test/admin.ts'
import { newWorld } from '#test/world.ts'

const trustedProxies = ['127.0.0.1', '10.0.0.0/8', '2001:db8:ff::1']
const world = await newWorld({ config: { trustedProxies } })
afterAll(() => world[Symbol.asyncDispose]())
const [maud, olga, oli] = await world.members('maud', 'olga', 'oli')
await admin(world, 'grant', 'maud', 'moderator')
for (const operator of ['olga', 'oli']) await admin(world, 'grant', operator, 'operator')

const ban = (kind: BanKind, value: string, days?: number, by: Actor = olga) =>
  by.try(addBan, { body: { kind, value, reason: 'Spam', days } })
const activeOf = async (value: string) => (await maud.call(listBans)).find((one) => one.value === value)

let count = 0
/** Registers a new member from an address, through a trusted proxy. */
function join(email: string, address = '198.51.100.1') {
  count += 1
  const { headers, body } = json(registrationOf({ username: `visitor_${count}`, email }))
  return world.guest().send('POST', '/api/auth/register', {
    body,
    headers: { ...headers, 'x-forwarded-for': address },
  })
}
const newestEntry = async (action: 'ban_added' | 'ban_lifted') =>
  (await maud.call(listAuditLog, { query: { action } }))[0]

const network = { status: 403, body: { detail: banMessages.network } }
const domain = { status: 422, body: { errors: [{ field: 'email', message: banMessages.domain }] } }

test('nobody registers from a banned network, and everybody from others', async () => {
  await ban('network', '203.0.113.7')
  await ban('network', '2001:DB8:0:1::9')
  expect(await join('a@one.example', '203.0.113.7')).toMatchObject(network)
  expect(await join('a@one.example', '::ffff:203.0.113.7')).toMatchObject(network)
  expect(await join('a@one.example', '2001:db8:0:1:ffff::1')).toMatchObject(network)
  expect((await join('a@one.example', '203.0.113.8')).status).toBe(201)
  expect((await join('b@one.example', '2001:db8:0:2::9')).status).toBe(201)
})

test.each([
  ['spam.example', 'a@spam.example', 'b@sub.SPAM.example', 'c@notspam.example'],
  ['@Bücher.example', 'a@bücher.example', 'b@xn--bcher-kva.example', 'c@bucher.example'],
  ['Deep.mail.example.', 'a@deep.mail.example', 'b@very.deep.mail.example', 'c@mail.example'],
])('a ban of %s covers %s and %s, but not %s', async (value, one, sub, other) => {
  expect((await ban('domain', value)).status).toBe(201)
  expect(await join(one)).toMatchObject(domain)
  expect(await join(sub)).toMatchObject(domain)
  expect((await join(other)).status).toBe(201)
})

test('members of a banned domain stay, but nobody changes to it and no invitation is sent to it', async () => {
  const [ann, bob] = [
    await world.member({ username: 'ann', email: 'ann@gone.example' }),
    await world.member({ username: 'bob' }),
  ]
  await ban('domain', 'gone.example')
  expect((await ann.try(createListing, { body: { title: 'Kale', price: 2 } })).status).toBe(201)
  expect(
    (await ann.try(updateProfile, { body: { email: 'ANN@gone.example', first_name: 'Anna' } })).status,
  ).toBe(200)
  const change = { email: 'bob@mail.gone.example', current_password: bob.password }
  expect(await bob.try(updateProfile, { body: change })).toMatchObject(domain)
  await bob.call(invite, { body: { email: 'cat@gone.example' } })
  await bob.call(invite, { body: { email: 'cat@welcome.example' } })
  await world.jobsDone()
  expect(world.mailTo({ email: 'cat@gone.example' })).toEqual([])
  expect(world.mailTo({ email: 'cat@welcome.example' })).toHaveLength(1)
})

test.each([
  ['network', '127.0.0.1', banMessages.protected],
  ['network', '127.3.2.1', banMessages.protected],
  ['network', '::1', banMessages.protected],
  ['network', '::ffff:127.0.0.1', banMessages.protected],
  ['network', '10.20.30.40', banMessages.protected],
  ['network', '2001:db8:ff::7', banMessages.protected],
  ['network', '203.0.113.0/24', banMessages.notNetwork],
  ['network', '0.0.0.0/0', banMessages.notNetwork],
  ['network', "' or 1=1", banMessages.notNetwork],
  ['domain', 'com', banMessages.notDomain],
  ['domain', '.com', banMessages.notDomain],
  ['domain', '@com.', banMessages.notDomain],
  ['domain', '203.0.113.7', banMessages.notDomain],
  ['domain', '*.example', banMessages.notDomain],
  ['domain', 'mail.example/path', banMessages.notDomain],
  ['domain', '%', banMessages.notDomain],
  ['domain', '', banMessages.notDomain],
] as const)('a ban of the %s “%s” is refused with a sentence', async (kind, value, detail) => {
  expect(await ban(kind, value)).toMatchObject({ status: 422, body: { detail } })
})

test.each([[0], [-1], [1.5], [4000], ['3'], [{}]])(
  'a ban for %j days is refused with a sentence',
  async (days) => {
    const sent = json({ kind: 'domain', value: 'days.example', reason: 'Spam', days })
    expect(await olga.send('POST', '/api/desk/bans', sent)).toMatchObject({
      status: 422,
      body: { detail: banMessages.days },
    })
  },
)

test('a ban needs a reason, and has it with its actor and its end', async () => {
  const body = { kind: 'domain', value: 'why.example', reason: '' } as const
  expect((await olga.try(addBan, { body })).status).toBe(422)
  expect(await ban('domain', 'why.example', 3)).toMatchObject({
    status: 201,
    body: { kind: 'domain', value: 'why.example', reason: 'Spam', actor: { username: 'olga' } },
  })
  const end = Date.parse((await activeOf('why.example'))?.ends_at ?? '')
  expect(Math.round((end - Date.now()) / 86_400_000)).toBe(3)
})

test('a ban ends by itself, and can be given again', async () => {
  await ban('domain', 'short.example', 1)
  await world.db
    .updateTable('bans')
    .set({ ends_at: '2026-11-01' })
    .where('value', '=', 'short.example')
    .execute()
  expect(await activeOf('short.example')).toBeUndefined()
  expect((await join('a@short.example')).status).toBe(201)
  expect((await ban('domain', 'short.example')).status).toBe(201)
  expect(await join('b@short.example')).toMatchObject(domain)
})

test('two operators ban and lift once at the same time', async () => {
  const added = await Promise.all([olga, oli].map((by) => ban('domain', 'twice.example', undefined, by)))
  expect(added.map(({ status }) => status).sort()).toEqual([201, 409])
  expect(added.find(({ status }) => status === 409)?.body).toMatchObject({ detail: banMessages.banned })
  const id = (await activeOf('twice.example'))?.id ?? 0
  const lift = (by: Actor) => by.try(liftBan, { params: { id }, body: { reason: 'A mistake' } })
  const lifted = await Promise.all([olga, oli].map(lift))
  expect(lifted.map(({ status }) => status).sort()).toEqual([204, 409])
  expect(lifted.find(({ status }) => status === 409)?.body).toMatchObject({ detail: banMessages.over })
  expect((await join('a@twice.example')).status).toBe(201)
})

test('the audit log has bans by their value and undoes them, for operators only', async () => {
  await ban('domain', 'undo.example')
  const added = await newestEntry('ban_added')
  expect(added).toMatchObject({ target_type: 'ban', target_name: 'undo.example', reason: 'Spam' })
  const undo = (by: Actor, id = 0) => by.try(undoAction, { params: { id }, body: { reason: 'A mistake' } })
  expect(await undo(maud, added?.id)).toMatchObject({
    status: 403,
    body: { detail: caseMessages.onlyOperators },
  })
  const undone = await Promise.all([undo(olga, added?.id), undo(oli, added?.id)])
  expect(undone.map(({ status }) => status).sort()).toEqual([204, 409])
  expect((await join('a@undo.example')).status).toBe(201)

  const lifted = await newestEntry('ban_lifted')
  expect((await undo(olga, lifted?.id)).status).toBe(204)
  expect(await join('b@undo.example')).toMatchObject(domain)
})

test('the undo of a lifted ban is refused if the value is banned anew', async () => {
  await ban('domain', 'anew.example')
  const id = (await activeOf('anew.example'))?.id ?? 0
  await olga.call(liftBan, { params: { id }, body: { reason: 'A mistake' } })
  const lifted = await newestEntry('ban_lifted')
  await ban('domain', 'anew.example')
  const undo = { params: { id: lifted?.id ?? 0 }, body: { reason: 'No mistake' } }
  expect(await olga.try(undoAction, undo)).toMatchObject({
    status: 409,
    body: { detail: banMessages.banned },
  })
})

test('the networks of registrations are deleted after 30 days, and bans half a year after their end', async () => {
  const emails = ['a@kept.example', 'b@kept.example']
  for (const [nth, email] of emails.entries()) await join(email, `192.0.2.${nth + 1}`)
  const networksOf = async () => {
    const rows = world.db
      .selectFrom('registration_networks')
      .innerJoin('users', 'users.id', 'user_id')
      .select('network')
      .where('email', 'in', emails)
    return (await rows.orderBy('network').execute()).map((row) => row.network)
  }
  expect(await networksOf()).toEqual(['192.0.2.1', '192.0.2.2'])
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
  await world.db
    .updateTable('registration_networks')
    .set({ created_at: daysAgo(31) })
    .where('network', '=', '192.0.2.2')
    .execute()
  for (const [value, days] of [
    ['half.example', 181],
    ['fresh.example', 179],
  ] as const) {
    await ban('domain', value)
    await world.db
      .updateTable('bans')
      .set({ lifted_at: daysAgo(days) })
      .where('value', '=', value)
      .execute()
  }
  await world.runJob(forgetNetworks)
  expect(await networksOf()).toEqual(['192.0.2.1'])
  const left = world.db
    .selectFrom('bans')
    .select('value')
    .where('value', 'in', ['half.example', 'fresh.example'])
  expect(await left.execute()).toEqual([{ value: 'fresh.example' }])
})
