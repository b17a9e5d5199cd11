import { expect, test } from 'vitest'
import { logIn, register } from '#contract/auth.ts'
import { type Actor, json } from '#test/actor.ts'
import { newWorld } from '#test/world.ts'

const perAccount = { login: 10, register: 5 }
const perAddress = { login: 100, register: 20 }

async function logInAs(guest: Actor, username: string, password: string, times = 1) {
  const statuses: number[] = []
  for (let time = 0; time < times; time += 1)
    statuses.push((await guest.try(logIn, { body: { username, password } })).status)
  return statuses
}

const repeat = <Value>(count: number, value: Value): Value[] => Array(count).fill(value)

test('refuses an account after ten wrong passwords, even with the right one', async () => {
  await using world = await newWorld({ rateLimits: true })
  const [ann, bob] = await world.members('ann', 'bob')
  const mallory = world.guest()

  expect(await logInAs(mallory, ann.email, 'wrong', perAccount.login)).toEqual(repeat(perAccount.login, 401))
  const refused = await mallory.try(logIn, { body: { username: 'ANN@example.com', password: ann.password } })

  expect(refused).toMatchObject({
    status: 429,
    body: { status: 429, detail: 'Too many attempts. Please wait a while and try again.' },
  })
  const wait = Number(refused.headers.get('retry-after'))
  expect(wait).toBeGreaterThan(0)
  expect(wait).toBeLessThanOrEqual(15 * 60)
  expect(await logInAs(world.guest(), bob.email, bob.password)).toEqual([200])
})

test('guesses from other addresses do not lock out an address where the owner has logged in', async () => {
  await using world = await newWorld({ rateLimits: true, config: { trustedProxies: ['127.0.0.1'] } })
  const [ann] = await world.members('ann')
  const logInFrom = async (address: string, password: string) => {
    const body = new URLSearchParams({ username: ann.email, password })
    const request = { body, headers: { 'x-forwarded-for': address } }
    return (await world.guest().send('POST', '/api/auth/login', request)).status
  }
  expect(await logInFrom('203.0.113.1', ann.password)).toBe(200)
  const guesses: number[] = []
  for (let index = 1; index <= perAccount.login + 2; index += 1)
    guesses.push(await logInFrom(`198.51.100.${index}`, 'a-guess'))

  expect(guesses).toEqual([...repeat(perAccount.login, 401), 429, 429])
  expect(await logInFrom('198.51.100.99', ann.password)).toBe(429)
  expect(await logInFrom('203.0.113.1', ann.password)).toBe(200)
  expect(await logInFrom('198.51.100.99', ann.password)).toBe(429)
})

test('counts concurrent guesses', async () => {
  await using world = await newWorld({ rateLimits: true })
  const [ann] = await world.members('ann')
  const guesses = await Promise.all(
    repeat(3 * perAccount.login, ann.email).map((email) => logInAs(world.guest(), email, 'wrong')),
  )

  expect(guesses.flat().filter((status) => status === 401)).toHaveLength(perAccount.login)
  expect(guesses.flat().filter((status) => status === 429)).toHaveLength(2 * perAccount.login)
})

test('nodes share the count of attempts', async () => {
  await using world = await newWorld({ rateLimits: true })
  const [ann] = await world.members('ann')
  await using other = await world.node()
  await logInAs(world.guest(), ann.email, 'wrong', perAccount.login)

  expect(await logInAs(other.guest(), ann.email, ann.password)).toEqual([429])
})

test('the right password resets the count of wrong ones', async () => {
  await using world = await newWorld({ rateLimits: true })
  const [ann] = await world.members('ann')
  const guest = world.guest()
  await logInAs(guest, ann.email, 'wrong', perAccount.login - 1)

  expect(await logInAs(guest, ann.email, ann.password)).toEqual([200])
  expect(await logInAs(guest, ann.email, 'wrong', perAccount.login)).toEqual(repeat(perAccount.login, 401))
})

test('limits attempts by socket address and ignores claimed addresses', async () => {
  await using world = await newWorld({ rateLimits: true })
  const attempts = repeat(perAddress.login + 5, 0).map((_, index) => {
    const body = new URLSearchParams({ username: `nobody${index}@example.com`, password: 'a-guess' })
    const headers = { 'x-forwarded-for': `203.0.113.${index}`, 'x-real-ip': `203.0.113.${index}` }
    return world.guest().send('POST', '/api/auth/login', { body, headers })
  })
  const statuses = (await Promise.all(attempts)).map(({ status }) => status)

  expect(statuses.filter((status) => status === 401)).toHaveLength(perAddress.login)
  expect(statuses.filter((status) => status === 429)).toHaveLength(5)
})

test('behind a trusted proxy, limits attempts by forwarded address and by IPv6 /64 network', async () => {
  await using world = await newWorld({ rateLimits: true, config: { trustedProxies: ['127.0.0.1'] } })
  const from = async (address: string, index = 1000) => {
    const person = { first_name: 'Ann', last_name: 'Bee', username: `ann_${index}`, password: 'password1' }
    const { body, headers } = json({ ...person, email: `ann${index}@example.com` })
    const request = { body, headers: { ...headers, 'x-forwarded-for': address } }
    return (await world.guest().send('POST', '/api/auth/register', request)).status
  }
  for (let index = 1; index <= perAddress.register; index += 1)
    expect(await from(`2001:db8:1:2::${index.toString(16)}`, index)).toBe(422)

  expect(await from('2001:db8:1:2:ffff::1')).toBe(429)
  expect(await from('2001:db8:1:3::1')).toBe(422)
  expect(await from('203.0.113.7')).toBe(422)
})

test('limits registrations by e-mail and by address', async () => {
  await using world = await newWorld({ rateLimits: true })
  const person = { first_name: 'Ann', last_name: 'Gardener', password: 'plum-crumble-42' }
  const registerAs = (username: string, email: string) =>
    world.guest().try(register, { body: { ...person, username, email } })
  const statuses: number[] = []
  for (let time = 0; time <= perAccount.register; time += 1)
    statuses.push((await registerAs(`ann_${time}`, 'ann@example.com')).status)
  expect(statuses).toEqual([201, ...repeat(perAccount.register - 1, 409), 429])

  const left = perAddress.register - perAccount.register - 1
  const others = await Promise.all(
    repeat(left + 3, 0).map((_, index) => registerAs(`bob_${index}`, `bob${index}@example.com`)),
  )
  const refused = others.filter(({ status }) => status === 429)
  expect(others.filter(({ status }) => status === 201)).toHaveLength(left)
  expect(refused).toHaveLength(3)
  for (const { headers } of refused) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
})

test('does not count invalid forms as attempts', async () => {
  await using world = await newWorld({ rateLimits: true })
  const [ann] = await world.members('ann')
  const guest = world.guest()

  expect(await logInAs(guest, ann.email, '', 2 * perAccount.login)).toEqual(repeat(2 * perAccount.login, 422))
  expect(await logInAs(guest, ann.email, ann.password)).toEqual([200])
})

test('stores e-mails and addresses only as hashes', async () => {
  await using world = await newWorld({ rateLimits: true })
  const [ann] = await world.members('ann')
  await logInAs(world.guest(), ann.email, 'wrong')
  const keys = (await world.db.selectFrom('rate_limits').select('key').execute()).map(({ key }) => key)

  expect(keys.length).toBeGreaterThan(2)
  expect(keys.filter((key) => /@|127\.0\.0\.1|example/.test(key))).toEqual([])
})
