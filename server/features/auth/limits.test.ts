import { afterAll, expect, test } from 'vitest'
import { type Actor, json } from '#test/actor.ts'
import { newWorld } from '#test/world.ts'

const perAccount = { login: 10, register: 5 }
const perAddress = { login: 100, register: 20 }

const world = await newWorld({ rateLimits: true, config: { trustedProxies: ['127.0.0.1'] } })
const otherNode = await world.node()
afterAll(async () => {
  await otherNode[Symbol.asyncDispose]()
  await world[Symbol.asyncDispose]()
})

let addressCount = 0
/** Returns an address that no other test uses, because its attempts stay counted. */
function newAddress(): string {
  addressCount += 1
  return `198.51.100.${addressCount}`
}

/** Returns a function that logs in from an address several times and returns the statuses. */
function loginsFrom(address: string) {
  return async (username: string, password: string, times = 1) => {
    const statuses: number[] = []
    for (let time = 0; time < times; time += 1)
      statuses.push((await sendLogin(world.guest(), address, username, password)).status)
    return statuses
  }
}

function sendLogin(guest: Actor, address: string, username: string, password: string) {
  const body = new URLSearchParams({ username, password })
  return guest.send('POST', '/api/auth/login', { body, headers: { 'x-forwarded-for': address } })
}

function registerFrom(address: string, person: { username: string; email: string; password: string }) {
  const { body, headers } = json({ first_name: 'Ann', last_name: 'Gardener', ...person })
  const request = { body, headers: { ...headers, 'x-forwarded-for': address } }
  return world.guest().send('POST', '/api/auth/register', request)
}

const repeat = <Value>(count: number, value: Value): Value[] => Array(count).fill(value)

test('refuses an account after ten wrong passwords, even with the right one', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  const address = newAddress()

  expect(await loginsFrom(address)(ann.email, 'wrong', perAccount.login)).toEqual(
    repeat(perAccount.login, 401),
  )
  const refused = await sendLogin(world.guest(), address, ann.email.toUpperCase(), ann.password)

  expect(refused).toMatchObject({
    status: 429,
    body: { status: 429, detail: 'Too many attempts. Please wait a while and try again.' },
  })
  const wait = Number(refused.headers.get('retry-after'))
  expect(wait).toBeGreaterThan(0)
  expect(wait).toBeLessThanOrEqual(15 * 60)
  expect(await loginsFrom(address)(bob.email, bob.password)).toEqual([200])
})

test('guesses from other addresses do not lock out an address where the owner has logged in', async () => {
  const [ann] = await world.uniqueMembers('ann')
  const own = loginsFrom(newAddress())
  expect(await own(ann.email, ann.password)).toEqual([200])
  const guesses: number[] = []
  for (let index = 1; index <= perAccount.login + 2; index += 1)
    guesses.push(...(await loginsFrom(newAddress())(ann.email, 'a-guess')))

  expect(guesses).toEqual([...repeat(perAccount.login, 401), 429, 429])
  const other = loginsFrom(newAddress())
  expect(await other(ann.email, ann.password)).toEqual([429])
  expect(await own(ann.email, ann.password)).toEqual([200])
  expect(await other(ann.email, ann.password)).toEqual([429])
})

test('limits guesses at one account to ten across nodes and claimed addresses', async () => {
  const [ann] = await world.uniqueMembers('ann')
  const ownAddress = newAddress()
  expect(await loginsFrom(ownAddress)(ann.email, ann.password)).toEqual([200])

  const spellings = [ann.email, ann.email.toUpperCase(), ` ${ann.email} `]
  const claims = [
    ownAddress,
    '127.0.0.1',
    '::1',
    '203.0.113.200',
    `${ownAddress}, ${ownAddress}`,
    'nonsense',
    '',
  ]
  const addresses = Array.from({ length: 9 }, newAddress)
  /** The proxy appends the address to those that the client itself claims. */
  const logInFrom = async (
    address = '',
    claimed: string,
    username: string,
    password: string,
    guest: Actor,
  ) => {
    const headers = {
      'x-forwarded-for': claimed ? `${claimed}, ${address}` : address,
      'x-real-ip': claimed,
      forwarded: `for=${claimed}`,
    }
    const body = new URLSearchParams({ username, password })
    return (await guest.send('POST', '/api/auth/login', { body, headers })).status
  }
  const guesses = Array.from({ length: 80 }, (_, index) =>
    logInFrom(
      addresses[index % addresses.length],
      claims[index % claims.length] ?? '',
      spellings[index % spellings.length] ?? '',
      `guess-${index}`,
      index % 2 === 0 ? world.guest() : otherNode.guest(),
    ),
  )
  const statuses = await Promise.all(guesses)

  expect(statuses.sort()).toEqual([...repeat(perAccount.login, 401), ...repeat(70, 429)])
  // The right password is refused too, except from an address where the owner has logged in before.
  const right = [ann.email, ann.password, otherNode.guest()] as const
  expect(await logInFrom(addresses[0], ownAddress, ...right)).toBe(429)
  expect(await logInFrom(ownAddress, '', ...right)).toBe(200)
})

test('counts password guesses at login and with a stolen token together', async () => {
  const [bob] = await world.uniqueMembers('bob')
  const thief = otherNode.as(bob)
  const address = newAddress()
  const deleteAccount = async (password: string) => {
    const { body, headers } = json({ password })
    const request = { body, headers: { ...headers, 'x-forwarded-for': address } }
    return (await thief.send('DELETE', '/api/auth/profile', request)).status
  }
  const statuses: number[] = []
  for (let round = 0; round < 6; round += 1) {
    statuses.push(await deleteAccount(`guess-${round}`))
    statuses.push(...(await loginsFrom(address)(bob.email, `guess-${round}`)))
  }

  expect(statuses).toEqual([...repeat(5, [422, 401]).flat(), 429, 429])
  expect(await deleteAccount(bob.password)).toBe(429)
})

test('limits changes of the e-mail address to twenty, but not other changes of the profile', async () => {
  const [ann, cem] = await world.uniqueMembers('ann', 'cem')
  const statuses: number[] = []
  for (let index = 0; index < 21; index += 1) {
    const email = index % 5 === 4 ? ann.email : `stranger-${index}@example.net`
    statuses.push((await cem.send('PUT', '/api/auth/profile', json({ email }))).status)
  }

  expect(statuses).toEqual([...repeat(4, [200, 200, 200, 200, 409]).flat(), 429])
  expect((await cem.send('PUT', '/api/auth/profile', json({ city: 'Ghent' }))).status).toBe(200)
})

test('the right password resets the count of wrong ones', async () => {
  const [ann] = await world.uniqueMembers('ann')
  const logIns = loginsFrom(newAddress())
  await logIns(ann.email, 'wrong', perAccount.login - 1)

  expect(await logIns(ann.email, ann.password)).toEqual([200])
  expect(await logIns(ann.email, 'wrong', perAccount.login)).toEqual(repeat(perAccount.login, 401))
})

test('limits attempts by socket address and ignores claimed addresses', async () => {
  await using untrusting = await world.node({ trustedProxies: [] })
  const attempts = repeat(perAddress.login + 5, 0).map((_, index) => {
    const body = new URLSearchParams({ username: `nobody${index}@example.com`, password: 'a-guess' })
    const headers = { 'x-forwarded-for': `203.0.113.${index}`, 'x-real-ip': `203.0.113.${index}` }
    return untrusting.guest().send('POST', '/api/auth/login', { body, headers })
  })
  const statuses = (await Promise.all(attempts)).map(({ status }) => status)

  expect(statuses.filter((status) => status === 401)).toHaveLength(perAddress.login)
  expect(statuses.filter((status) => status === 429)).toHaveLength(5)
})

test('behind a trusted proxy, limits attempts by forwarded address and by IPv6 /64 network', async () => {
  const from = async (address: string, index = 1000) => {
    const email = `common${index}@example.com`
    return (await registerFrom(address, { username: `common_${index}`, email, password: 'password1' })).status
  }
  for (let index = 1; index <= perAddress.register; index += 1)
    expect(await from(`2001:db8:1:2::${index.toString(16)}`, index)).toBe(422)

  expect(await from('2001:db8:1:2:ffff::1')).toBe(429)
  expect(await from('2001:db8:1:3::1')).toBe(422)
  expect(await from(newAddress())).toBe(422)
})

test('limits registrations by e-mail and by address', async () => {
  const address = newAddress()
  const registerAs = (username: string, email: string) =>
    registerFrom(address, { username, email, password: 'plum-crumble-42' })
  const statuses: number[] = []
  for (let time = 0; time <= perAccount.register; time += 1)
    statuses.push((await registerAs(`cas_${time}`, 'cas@example.com')).status)
  expect(statuses).toEqual([201, ...repeat(perAccount.register - 1, 409), 429])

  const left = perAddress.register - perAccount.register - 1
  const others = await Promise.all(
    repeat(left + 3, 0).map((_, index) => registerAs(`dee_${index}`, `dee${index}@example.com`)),
  )
  const refused = others.filter(({ status }) => status === 429)
  expect(others.filter(({ status }) => status === 201)).toHaveLength(left)
  expect(refused).toHaveLength(3)
  for (const { headers } of refused) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
})

test('does not count invalid forms as attempts', async () => {
  const [ann] = await world.uniqueMembers('ann')
  const logIns = loginsFrom(newAddress())

  expect(await logIns(ann.email, '', 2 * perAccount.login)).toEqual(repeat(2 * perAccount.login, 422))
  expect(await logIns(ann.email, ann.password)).toEqual([200])
})

test('stores e-mails and addresses only as hashes', async () => {
  const [ann] = await world.uniqueMembers('ann')
  await loginsFrom(newAddress())(ann.email, 'wrong')
  const keys = (await world.db.selectFrom('rate_limits').select('key').execute()).map(({ key }) => key)

  expect(keys.length).toBeGreaterThan(2)
  expect(keys.filter((key) => /@|127\.0\.0\.1|198\.51|example/.test(key))).toEqual([])
})
