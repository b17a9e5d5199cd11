import { afterAll, expect, test } from 'vitest'
import { getProfile, logIn } from '#contract/auth.ts'
import { types } from '#contract/constants.ts'
import { createListing } from '#contract/listings.ts'
import { listInterested, listMatches, previewMatchMail } from '#contract/matches.ts'
import { listNotifications } from '#contract/notifications.ts'
import { exportProfile, updateProfile } from '#contract/profile.ts'
import { subscribeToPush } from '#contract/push.ts'
import { acceptTrade, changePickup, createTrade, getPickupCalendar } from '#contract/trades.ts'
import { createWant } from '#contract/wants.ts'
import type { Actor } from '#test/actor.ts'
import { startPushService } from '#test/push-service.ts'
import { connectSocket } from '#test/socket-client.ts'
import { zoneWhereItIs } from '#test/time-zones.ts'
import { newWorld } from '#test/world.ts'

const push = await startPushService()
const world = await newWorld({ config: { push: push.settings } })
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await push.stop()
})

async function spanishMember(username: string): Promise<Actor> {
  const member = await world.member({ username, first_name: 'Inés' })
  await world.confirm(member)
  await member.call(updateProfile, { body: { language: 'es' } })
  await world.db
    .updateTable('users')
    .set({ time_zone: zoneWhereItIs(12) })
    .where('id', '=', member.id)
    .execute()
  return member
}

test('a member changes the language in the profile; the next login and the export have it', async () => {
  const [ann] = await world.members('ann')
  expect((await ann.call(getProfile)).language).toBeNull()
  expect(await ann.call(updateProfile, { body: { language: 'es' } })).toMatchObject({ language: 'es' })

  const { user } = await ann.call(logIn, { body: { username: ann.email, password: ann.password } })
  expect(user.language).toBe('es')
  expect(await ann.call(exportProfile)).toMatchObject({ users: [{ language: 'es' }] })
})

test('a member without a language takes that of the browser at a login, and keeps it at later ones', async () => {
  const [bea] = await world.uniqueMembers('bea')
  const logInWith = (language: string) =>
    world.guest().send<{ user: { language: string } }>('POST', '/api/auth/login', {
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'accept-language': language },
      body: new URLSearchParams({ username: bea.email, password: bea.password }).toString(),
    })

  expect((await logInWith('fr')).body.user.language).toBeNull()
  expect((await logInWith('es-MX,en;q=0.5')).body.user.language).toBe('es')
  expect((await logInWith('en')).body.user.language).toBe('es')
  expect((await bea.call(getProfile)).language).toBe('es')
})

test.each(['xx', '', null, 'ES', 'constructor'])('the language %j is refused', async (language) => {
  const [bob] = await world.uniqueMembers('bob')
  expect(
    await bob.send('PUT', '/api/auth/profile', {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ language }),
    }),
  ).toMatchObject({ status: 422, body: { detail: 'Please choose one of the languages of this site' } })
})

test('a match is told in the language of its reader: reason, notification, event, push and mail', async () => {
  const [ines, owner] = [await spanishMember('ines'), await world.member({ username: 'owner' })]
  const browser = push.browser()
  await ines.call(subscribeToPush, { body: browser.subscription })
  await ines.call(createWant, { body: { title: 'courgettes' } })
  using socket = await connectSocket(ines)

  const { id } = await owner.call(createListing, {
    body: { title: 'Zucchini', type_id: types.sell, price: 3.5 },
  })
  await world.passMinutes(2)

  const reason = 'zucchini es otro nombre de courgette'
  expect(await ines.call(listMatches, { query: {} })).toMatchObject([{ reason }])
  expect(await ines.call(listNotifications, { query: {} })).toMatchObject([{ match: { reason } }])
  expect(socket.received('notification')).toMatchObject([{ match: { reason } }])
  expect(browser.shown).toMatchObject([
    { title: 'Zucchini', body: 'Zucchini es otro nombre de courgette. De owner.' },
  ])
  expect(await owner.call(listInterested, { params: { id }, query: {} })).toMatchObject([
    { reason: 'zucchini is another name for courgette' },
  ])

  const { subject, text, html } = await ines.call(previewMatchMail)
  expect(subject).toBe('Una coincidencia para tu lista de deseos: Zucchini')
  expect(text).toContain('Hola, Inés:\nbuscas “courgettes”. Zucchini es otro nombre de courgette.')
  expect(text).toContain('Tipo: venta\nPrecio: $3.50')
  expect(text).toContain('¿Preguntas? Escribe a ')
  expect(html).toContain('<html lang="es" dir="ltr">')
})

test('the steps of a trade are mailed, and its pickup is written, in the language of each party', async () => {
  const [giver, taker] = [await spanishMember('rosa'), await world.member({ username: 'tom' })]
  await world.confirm(taker)
  const { id: listing_id } = await giver.call(createListing, {
    body: { title: 'Plums', type_id: types.giveaway },
  })
  const { id } = await taker.call(createTrade, { body: { listing_id } })
  await world.passMinutes(10)
  expect(world.mailTo(giver).map(({ subject }) => subject)).toContain('tom quiere “Plums”')
  expect(world.mailTo(giver).at(-1)?.text).toContain(
    'Nada queda apartado hasta que aceptes. La solicitud espera 7 días.',
  )

  await giver.call(acceptTrade, { params: { id } })
  await world.passMinutes(10)
  expect(world.mailTo(taker).at(-1)?.subject).toBe('“Plums” is promised to you')

  const start = Date.now() + 86_400_000
  const span = {
    starts_at: new Date(start).toISOString(),
    ends_at: new Date(start + 3_600_000).toISOString(),
  }
  await taker.call(changePickup, { params: { id }, body: span })
  await giver.call(changePickup, { params: { id }, body: { accept: true } })
  const calendar = async (member: Actor) => (await member.fetch(getPickupCalendar, { params: { id } })).text()
  expect(await calendar(giver)).toContain('SUMMARY:Entrega con tom: Plums')
  expect(await calendar(taker)).toContain('SUMMARY:Pickup with rosa: Plums')
})
