import { afterAll, expect, test } from 'vitest'
import { register } from '#contract/auth.ts'
import { types } from '#contract/constants.ts'
import { invite } from '#contract/invitations.ts'
import { listListings } from '#contract/listing-queries.ts'
import { createListing, setVisibility } from '#contract/listings.ts'
import { sendMessage } from '#contract/messages.ts'
import { report } from '#contract/reports.ts'
import { createWant, searchWants } from '#contract/wants.ts'
import { newWorld } from '#test/world.ts'

const world = await newWorld({ registration: true })
afterAll(() => world[Symbol.asyncDispose]())

const markup = '"><img src=x onerror=alert(1)></a><script>alert(1)</script>'
const template = '{{constructor}}#{7*7}<%= 7*7 %>%MAIL%$&$1'
const words = `${markup} ${template}`

test('escapes text of members in mails and keeps it out of headers', async () => {
  const mallory = await world.member({
    username: 'mallory',
    first_name: markup.slice(0, 60),
    last_name: template,
    city: words,
  } as never)
  const [ann] = await world.members('ann')
  await world.confirm(ann)

  await ann.call(createWant, { body: { title: 'figs' } })
  await mallory.call(createListing, {
    body: { title: `Figs ${words}`.slice(0, 120), description: words, price: 1 },
  })
  await mallory.call(sendMessage, {
    body: { receiver_id: ann.id, content: `${words}\r\nBcc: everyone@example.com` },
  })
  await mallory.call(invite, { body: { email: 'newcomer@example.net' } })
  await mallory.call(report, {
    body: { user_id: ann.id, reason: `${words}\r\n\r\n.\r\nMAIL FROM:<x@example.com>` },
  })
  await world.passMinutes(60)

  const kinds = new Set(world.mails.map(({ subject }) => subject))
  expect(kinds.size).toBeGreaterThanOrEqual(4)
  for (const { to, from, subject, html, headers } of world.mails) {
    expect(to).toHaveLength(1)
    expect(from).toBe('hello@rhubarb.example')
    expect(subject).not.toMatch(/[\r\n]/)
    expect(headers.has('bcc')).toBe(false)
    expect(html).not.toMatch(/<img src=x|<script|onerror=alert\(1\)>(?!&)/)
    expect(html).not.toContain('javascript:')
  }
  expect(world.mails.some(({ html }) => html.includes('&lt;script&gt;alert(1)'))).toBe(true)
  expect(world.mails.some(({ html }) => html.includes('{{constructor}}#{7*7}&lt;%= 7*7 %&gt;'))).toBe(true)
})

test.each([
  'ann@example.com\r\nBcc: everyone@example.com',
  'ann@example.com, bob@example.com',
  'ann@example.com bob@example.com',
  '"ann\r\n"@example.com',
  '<ann@example.com>',
  'ann@example.com%0d%0aBcc:x@example.com\r\n.',
])('refuses an e-mail with several addresses or line breaks: %j', async (email) => {
  const person = { username: 'crlf', first_name: 'C', last_name: 'R', password: 'plum-crumble-42' }
  expect(await world.guest().try(register, { body: { ...person, email } })).toMatchObject({ status: 422 })
})

test('posts and finds long words of letters that take two UTF-16 units', async () => {
  const [ann, bob] = await world.members('gothic_ann', 'gothic_bob')
  const word = `a${'\u{10330}'.repeat(16)}`
  const { id } = await ann.call(createListing, {
    body: { title: word, description: word, type_id: types.giveaway, is_public: false },
  })
  await ann.call(setVisibility, { params: { id }, body: { is_public: true } })
  await ann.call(createWant, { body: { title: word } })
  expect(await bob.call(listListings, { query: { q: word } })).toMatchObject([{ id }])
  expect(await bob.call(searchWants, { query: { q: word } })).toMatchObject([{ title: word }])
})
