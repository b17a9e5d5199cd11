import { domainToASCII } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import {
  confirmEmail,
  getProfile,
  logIn,
  register,
  requestPasswordReset,
  resetPassword,
  uploadProfileImage,
} from '#contract/auth.ts'
import { types } from '#contract/constants.ts'
import { getInviter, invite } from '#contract/invitations.ts'
import { listListings } from '#contract/listing-queries.ts'
import { createListing } from '#contract/listings.ts'
import { searchMembers } from '#contract/members.ts'
import { updateProfile } from '#contract/profile.ts'
import { registrationOf } from '#test/actor.ts'
import { tokenIn } from '#test/links.ts'
import { newWorld } from '#test/world.ts'

const world = await newWorld({ registration: true })
afterAll(() => world[Symbol.asyncDispose]())

/** The characters around text that is copied from chat programs and office documents. */
const marks = ['\u200b', '\u200e', '\u2068', '\u2069', '\ufeff', '\u202a', '\u00ad', '\u2060', '\ufe0f']
const pasted = (text: string) =>
  `${marks.join('')}\u00a0${text.slice(0, 3)}\u200d${text.slice(3)}${marks.join('')}\n`
const inDigits = (zero: string) => (text: string) =>
  text.replaceAll(/\d/g, (digit) => String.fromCodePoint((zero.codePointAt(0) ?? 0) + Number(digit)))
const [fullWidth, arabicIndic, persian, devanagari] = ['\uff10', '\u0660', '\u06f0', '\u0966'].map(inDigits)

test('ignores invisible characters around an e-mail address, a username and the tokens of mails', async () => {
  const guest = world.guest()
  const person = registrationOf({ username: 'pasted_paula' })
  const { email, password } = person
  const registered = await guest.call(register, {
    body: { ...person, email: pasted(email), username: pasted(person.username) },
  })
  expect(registered).toMatchObject({ username: 'pasted_paula', email })
  await world.jobsDone()
  await guest.call(confirmEmail, { body: { token: pasted(tokenIn(world.mailTo(person)[0])) } })
  await guest.call(logIn, { body: { username: pasted(email), password } })

  await guest.call(requestPasswordReset, { body: { email: pasted(email) } })
  await world.jobsDone()
  const token = pasted(tokenIn(world.mailTo(person).at(-1)))
  const new_password = 'walls-of-jericho-3'
  await guest.call(resetPassword, { body: { token, new_password, confirm_password: new_password } })
  await guest.call(logIn, { body: { username: email, password: new_password } })
})

test('ignores invisible characters around an invited address, an invitation and a searched username', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  await ann.call(invite, { body: { email: pasted('neighbor@example.net') } })
  await world.jobsDone()
  const [mail] = world.mailTo({ email: 'neighbor@example.net' })
  const [, invitation = ''] = /[?&]invite=([\w.-]+)/.exec(mail?.text ?? '') ?? []
  expect(await world.guest().call(getInviter, { query: { invite: pasted(invitation) } })).toMatchObject({
    id: ann.id,
  })
  expect(await ann.call(searchMembers, { query: { q: pasted(bob.username) } })).toMatchObject([
    { id: bob.id },
  ])
})

test.each([
  ['full-width', fullWidth],
  ['Arabic-Indic', arabicIndic],
  ['Persian', persian],
  ['Devanagari', devanagari],
])('reads %s digits in postal codes, prices, usernames and addresses', async (_, convert = String) => {
  const [ann] = await world.uniqueMembers('ann')
  const body = { city: 'Portland', state: 'OR', postcode: pasted(convert('97214\u20131234')) }
  expect(await ann.call(uploadProfileImage, { body })).toMatchObject({ zip_code: '97214-1234' })
  expect(await ann.call(updateProfile, { body: { zip_code: convert('97202') } })).toMatchObject({
    zip_code: '97202',
  })
  await ann.call(listListings, { query: { near: convert('5') as never } })

  const form = new FormData()
  for (const [name, text] of Object.entries({
    title: 'Figs',
    price: pasted(convert('4.50')),
    type_id: String(types.sell),
  }))
    form.append(name, text)
  expect((await ann.send<{ price: number }>('POST', '/api/listings', { body: form })).body).toMatchObject({
    price: 4.5,
  })
  await ann.call(createListing, { body: { title: 'Plums', price: 9 } })
  const between = { user_id: ann.id, min_price: convert('4'), max_price: convert('5') }
  expect(await ann.call(listListings, { query: between as never })).toMatchObject([{ title: 'Figs' }])

  const email = `${ann.username}9@example.com`
  expect(
    await ann.call(updateProfile, {
      body: { email: convert(email), username: convert(`${ann.username}_9`) },
    }),
  ).toMatchObject({ email, username: `${ann.username}_9` })
})

test.each([
  ['ann@gärtnerei.de', 'ann@xn--grtnerei-0za.de'],
  ['ann@GÄRTNEREI.de', 'ann@xn--grtnerei-0za.de'],
  ['ann@ga\u0308rtnerei.de', 'ann@xn--grtnerei-0za.de'],
  ['ann＠例え。テスト', 'ann@xn--r8jz45g.xn--zckzah'],
  ['ann@faß.example', 'ann@xn--fa-hia.example'],
  ['ann@сад.example', 'ann@xn--80ai1b.example'],
])('stores the domain of %s in ASCII and mails to it', async (typed, email) => {
  const [ann] = await world.uniqueMembers('ann')
  const change = await ann.try(updateProfile, { body: { email: typed.replace('ann', ann.username) } })
  const stored = email.replace('ann', ann.username)
  expect([change.status, (await ann.call(getProfile)).email]).toEqual([200, stored])
  await world.jobsDone()
  // The test's mail server shows the domain in Unicode.
  const inAscii = (address: string) => address.replace(/[^@]+$/, domainToASCII)
  expect(world.mails.map(({ to }) => inAscii(to[0] ?? ''))).toContain(stored)
  const body = { username: typed.replace('ann', ann.username), password: ann.password }
  await world.guest().call(logIn, { body })
})

test.each([
  'ännchen@example.com',
  'ann@gärten',
  'ann@gärten..de',
  'ann@gärten.de/x.example',
  'ann@gärten.de:80',
  'ann@gärten.de#.example',
  'ann@%c3%a4.example',
  'ann@\u{1f512}:x@example.com',
  'ann@é.1',
  'ann@-ä.example-',
])('refuses the address %j', async (email) => {
  const { status, body } = await world
    .guest()
    .try(register, { body: registrationOf({ username: 'nobody', email }) })
  expect([status, body.detail]).toEqual([422, 'Invalid email format'])
})
