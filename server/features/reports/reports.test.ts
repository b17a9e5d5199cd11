import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { authMessages, getProfile, logIn } from '#contract/auth.ts'
import type { CallInput } from '#contract/endpoint.ts'
import { listListings } from '#contract/listing-queries.ts'
import { createListing, deleteListing, getListing } from '#contract/listings.ts'
import { getPublicMember } from '#contract/members.ts'
import { sendMessage } from '#contract/messages.ts'
import { report, reportMessages } from '#contract/reports.ts'
import type { Actor } from '#test/actor.ts'
import { admin, adminProcess } from '#test/admin.ts'
import { longTest } from '#test/long.ts'
import { newWorld } from '#test/world.ts'

const world = await newWorld({ rateLimits: true })
afterAll(() => world[Symbol.asyncDispose]())

/** Returns the mails to the operator about reports of a member. */
const mailsAbout = ({ username }: Actor) =>
  world
    .mailTo({ email: 'hello@rhubarb.example' })
    .filter(({ text = '' }) => text.includes(`${username} reports`))

/** Returns the titles of the owner's listings that `reader` sees in each list that can contain them. */
async function titlesIn(reader: Actor, owner: Actor) {
  const lists = [{ public: 'true' }, { friends: 'true' }, { user_id: owner.id }, {}] as const
  return Promise.all(
    lists.map(async (query) => {
      const listings = await reader.call(listListings, { query })
      return listings.filter(({ owner_id }) => owner_id === owner.id).map(({ title }) => title)
    }),
  )
}

/** Returns the same titles for each of the four lists of `titlesIn`. */
const inEachList = (titles: string[]) => [titles, titles, titles, titles]

test('lists reports for the operator newest first', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  expect(await admin(world, 'reports')).toMatchObject({ code: 0, output: 'No reports.\n' })
  for (const reason of ['First word', 'Second word'])
    await ann.call(report, { body: { user_id: bob.id, reason } })
  const { output } = await admin(world, 'reports')
  expect(output.match(/\w+ word/g)).toEqual(['Second word', 'First word'])
})

test('stores a report of a listing and mails it to the operator', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  const { id } = await bob.call(createListing, { body: { title: 'Not kale', price: 9 } })
  const response = await ann.try(report, { body: { listing_id: id, reason: 'This is no plant.\nAt all.' } })
  expect([response.status, response.body]).toEqual([202, { message: reportMessages.received }])
  await world.jobsDone()

  const [mail, ...others] = mailsAbout(ann)
  expect(others).toEqual([])
  expect(mail?.text).toContain(`${ann.username} reports listing`)
  expect(mail?.text).toContain('This is no plant.')
  expect(mail?.text).toContain(`npm run admin -- hide ${id}`)
  expect(await admin(world, 'reports')).toMatchObject({
    code: 0,
    output: expect.stringContaining(`${ann.username} on listing`),
  })
})

test('a report of a listing names its owner to the operator after the listing is deleted', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  const { id } = await bob.call(createListing, { body: { title: 'Not kale', price: 9 } })
  await ann.call(report, { body: { listing_id: id, reason: 'This is no plant.' } })
  await bob.call(deleteListing, { params: { id } })
  const { output } = await admin(world, 'reports')
  expect(output).toContain(`${ann.username} on member ${bob.username}`)
})

test('mails a report of a member to the operator only', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  await ann.call(report, { body: { user_id: bob.id, reason: 'Rude' } })
  await world.jobsDone()
  expect(mailsAbout(ann)).toMatchObject([
    { text: expect.stringContaining(`npm run admin -- suspend ${bob.username}`) },
  ])
  expect([ann, bob].flatMap((member) => world.mailTo(member))).toEqual([])
})

test('limits each member to 20 reports a day', async () => {
  const [ann, bob, cat] = await world.uniqueMembers('ann', 'bob', 'cat')
  const statuses = []
  for (let round = 0; round < 21; round += 1) {
    statuses.push((await ann.try(report, { body: { user_id: bob.id, reason: 'Rude' } })).status)
  }
  expect(statuses).toEqual([...Array(20).fill(202), 429])
  expect((await cat.try(report, { body: { user_id: bob.id, reason: 'Rude' } })).status).toBe(202)
})

test('a report of a message shows its text to the operator', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  const { id } = await bob.call(sendMessage, { body: { receiver_id: ann.id, content: 'Send me money' } })
  const response = await ann.try(report, { body: { message_id: id, reason: 'A swindler' } })
  expect(response.status).toBe(202)
  await world.jobsDone()

  const [mail] = mailsAbout(ann)
  for (const words of [
    `${ann.username} reports a message from ${bob.username}`,
    'A swindler',
    'Send me money',
    `admin -- suspend ${bob.username}`,
  ])
    expect(mail?.text).toContain(words)
  const { output } = await admin(world, 'reports')
  expect(output).toContain(`${ann.username} on message from ${bob.username}`)
  expect(output).toContain('Send me money')
})

test('a report that is sent twice within a day, also at the same time, is stored and mailed once', async () => {
  const [ann, bob, cat] = await world.uniqueMembers('ann', 'bob', 'cat')
  const { id } = await bob.call(createListing, { body: { title: 'Not kale', price: 9 } })
  const send = (member: Actor, body: CallInput<typeof report>['body']) => member.try(report, { body })
  const sold = { listing_id: id, reason: 'No plant' }
  const operator = new pg.Client(world.databaseUrl)
  await operator.connect()
  // All four look for the same report before one can be stored.
  await operator.query('begin; lock table reports in exclusive mode')
  const sending = Promise.all(Array.from({ length: 4 }, () => send(ann, sold)))
  await expect.poll(() => world.waitingForLocks()).toBe(4)
  await operator.end()
  expect((await sending).map(({ status }) => status)).toEqual(Array(4).fill(202))
  await send(ann, { user_id: bob.id, reason: 'No plant' })
  await send(ann, { listing_id: id, reason: 'No plant at all' })
  await send(cat, sold)
  await world.jobsDone()
  expect([mailsAbout(ann).length, mailsAbout(cat).length]).toEqual([3, 1])

  await world.db
    .updateTable('reports')
    .set({ created_at: new Date(Date.now() - 86_400_000).toISOString() })
    .where('reporter_id', '=', ann.id)
    .execute()
  await send(ann, sold)
  await world.jobsDone()
  expect(mailsAbout(ann)).toHaveLength(4)
})

test('refuses reports without a reason or of zero or several things', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob', 'cat')
  const cases: [object, string][] = [
    [{ message_id: 1, user_id: 1, reason: 'Hm hm' }, reportMessages.oneThing],
    [{ reason: 'Hm hm' }, reportMessages.oneThing],
    [{ listing_id: 1, user_id: 1, reason: 'Hm hm' }, reportMessages.oneThing],
    [{ user_id: bob.id, reason: '  ' }, reportMessages.reasonNeeded],
    [{ user_id: bob.id, reason: 'x'.repeat(1001) }, 'Please say it in at most 1000 characters'],
  ]
  for (const [body, message] of cases) {
    const response = await ann.try(report, { body: body as never })
    expect([response.status, response.body.detail]).toEqual([422, message])
  }
})

test('a hidden listing is visible to its owner only until the operator shows it again', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  await world.befriend(ann, bob)
  const { id } = await bob.call(createListing, { body: { title: 'Not kale', price: 9 } })
  await bob.call(createListing, { body: { title: 'Kale', price: 2 } })
  const statusFor = async (member: typeof ann) => (await member.try(getListing, { params: { id } })).status

  expect(await admin(world, 'hide', String(id))).toMatchObject({ code: 0 })
  expect([await statusFor(ann), await statusFor(bob)]).toEqual([404, 200])
  expect(await titlesIn(ann, bob)).toEqual(inEachList(['Kale']))
  expect((await bob.call(listListings, { query: { mine: 'true' } })).length).toBe(2)
  expect(await admin(world, 'show', String(id))).toMatchObject({ code: 0 })
  expect(await statusFor(ann)).toBe(200)
  expect(await titlesIn(ann, bob)).toEqual(inEachList(['Kale', 'Not kale']))
  expect(await admin(world, 'hide', '999999')).toMatchObject({ code: 1, output: 'Listing not found\n' })
})

test('a suspended member is logged out, can not log in and is hidden until restored', async () => {
  const [ann, bob, cat] = await world.uniqueMembers('ann', 'bob', 'cat')
  await world.befriend(ann, bob)
  const { id } = await bob.call(createListing, { body: { title: 'Kale', price: 9 } })
  expect(await titlesIn(ann, bob)).toEqual(inEachList(['Kale']))

  // Chat programs put invisible characters around what is copied from them.
  expect(await admin(world, 'suspend', `\u2068${bob.username.toUpperCase()}\u200b`)).toMatchObject({
    code: 0,
  })
  await expect.poll(async () => (await bob.try(getProfile)).status).toBe(401)
  const right = await world.guest().try(logIn, { body: { username: bob.email, password: bob.password } })
  expect([right.status, right.body.detail]).toEqual([403, authMessages.suspended])
  const wrong = await world
    .guest()
    .try(logIn, { body: { username: bob.email, password: 'not the password' } })
  expect([wrong.status, wrong.body.detail]).toEqual([401, authMessages.incorrectLogin])
  expect((await ann.try(getListing, { params: { id } })).status).toBe(404)
  expect(await titlesIn(ann, bob)).toEqual(inEachList([]))
  expect((await ann.try(getPublicMember, { params: { id: bob.id } })).status).toBe(404)
  expect([(await ann.try(getProfile)).status, (await cat.try(getProfile)).status]).toEqual([200, 200])
  expect((await ann.try(getPublicMember, { params: { id: cat.id } })).status).toBe(200)

  expect(await admin(world, 'restore', bob.username)).toMatchObject({ code: 0 })
  expect(
    (await world.guest().try(logIn, { body: { username: bob.email, password: bob.password } })).status,
  ).toBe(200)
  expect((await ann.try(getListing, { params: { id } })).status).toBe(200)
  expect(await titlesIn(ann, bob)).toEqual(inEachList(['Kale']))
  expect((await bob.try(getProfile)).status).toBe(401)
})

test('the administration command prints its usage for invalid arguments', async () => {
  for (const words of [['nonsense'], ['hide', 'x'], ['suspend']]) {
    expect(await admin(world, ...words)).toMatchObject({
      code: 1,
      output: expect.stringContaining('npm run admin -- COMMAND'),
    })
  }
})

longTest('the process of the administration command exits with 1 after an error', {}, async () => {
  expect(await adminProcess(world, 'suspend', 'nobody')).toEqual({ code: 1, output: 'User not found\n' })
})

longTest('the process of the administration command suspends a member', {}, async () => {
  const [ann] = await world.uniqueMembers('ann')
  expect(await adminProcess(world, 'suspend', ann.username)).toEqual({
    code: 0,
    output: `${ann.username} is suspended and logged out.\n`,
  })
  await expect.poll(async () => (await ann.try(getProfile)).status).toBe(401)
})
