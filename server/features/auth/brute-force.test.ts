import { afterAll, expect, test } from 'vitest'
import { deleteProfile } from '#contract/profile.ts'
import { type Actor, json } from '#test/actor.ts'
import { newWorld } from '#test/world.ts'

const maxAttempts = 10
const ownerAddress = '203.0.113.1'

const world = await newWorld({ rateLimits: true, config: { trustedProxies: ['127.0.0.1'] } })
const other = await world.node()
afterAll(async () => {
  await other[Symbol.asyncDispose]()
  await world[Symbol.asyncDispose]()
})

/** Logs in through a trusted proxy. The proxy appends `address` to the addresses that the client itself claims. */
async function logInFrom(
  address: string,
  guest: Actor,
  credentials: { password: string; username: string },
  claimed = '',
) {
  const body = new URLSearchParams(credentials)
  const headers = {
    'x-forwarded-for': claimed ? `${claimed}, ${address}` : address,
    'x-real-ip': claimed,
    forwarded: `for=${claimed}`,
  }
  return (await guest.send('POST', '/api/auth/login', { body, headers })).status
}

const count = (statuses: readonly number[], status: number) =>
  statuses.filter((each) => each === status).length

test('limits guesses at one account to ten across nodes and claimed addresses', async () => {
  const [ann] = await world.members('ann')
  const login = { username: ann.email, password: ann.password }
  expect(await logInFrom(ownerAddress, world.guest(), login)).toBe(200)

  const spellings = [ann.email, ann.email.toUpperCase(), ` ${ann.email} `, 'Ann@Example.com']
  const claims = [
    ownerAddress,
    '127.0.0.1',
    '::1',
    '198.51.100.200',
    `${ownerAddress}, ${ownerAddress}`,
    'nonsense',
    '',
  ]
  const guesses = Array.from({ length: 80 }, (_, index) => {
    const guest = index % 2 === 0 ? world.guest() : other.guest()
    const username = spellings[index % spellings.length] ?? ''
    const claimed = claims[index % claims.length]
    return logInFrom(`198.51.100.${index % 9}`, guest, { username, password: `guess-${index}` }, claimed)
  })
  const statuses = await Promise.all(guesses)

  expect(count(statuses, 401)).toBe(maxAttempts)
  expect(count(statuses, 429)).toBe(80 - maxAttempts)
  // The right password is refused too, except from an address where the owner has logged in before.
  expect(await logInFrom('198.51.100.1', other.guest(), login, ownerAddress)).toBe(429)
  expect(await logInFrom(ownerAddress, other.guest(), login)).toBe(200)
})

test('counts password guesses at login and with a stolen token together', async () => {
  const [bob] = await world.members('bob')
  const thief = other.as(bob)
  const guess = async (index: number) => {
    if (index % 2 === 0)
      return (await thief.try(deleteProfile, { body: { password: `guess-${index}` } })).status
    return logInFrom('127.0.0.1', world.guest(), { username: bob.email, password: `guess-${index}` })
  }
  const statuses: number[] = []
  for (let index = 0; index < 30; index += 1) statuses.push(await guess(index))

  expect(count(statuses, 401) + count(statuses, 422)).toBe(maxAttempts)
  expect(count(statuses, 429)).toBe(30 - maxAttempts)
  expect(await thief.try(deleteProfile, { body: { password: bob.password } })).toMatchObject({ status: 429 })
})

test('limits changes of the e-mail address to twenty, but not other changes of the profile', async () => {
  const [cem] = await world.members('cem')
  const statuses: number[] = []
  for (let index = 0; index < 25; index += 1) {
    const email = index % 5 === 4 ? 'ann@example.com' : `stranger-${index}@example.net`
    statuses.push((await cem.send('PUT', '/api/auth/profile', json({ email }))).status)
  }

  expect(statuses.slice(0, 20).filter((status) => status !== 200 && status !== 409)).toEqual([])
  expect(count(statuses, 429)).toBe(5)
  expect((await cem.send('PUT', '/api/auth/profile', json({ city: 'Ghent' }))).status).toBe(200)
})

test('limits the listings that a member posts in a day', async () => {
  const [dee] = await world.members('dee')
  const post = () => dee.send('POST', '/api/listings', json({ title: 'Beans', type_id: 3 }))
  expect((await post()).status).toBe(201)
  await world.db.updateTable('rate_limits').set({ points: 200 }).where('key', 'like', 'listings:%').execute()
  const refused = await post()

  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(80_000)
})
