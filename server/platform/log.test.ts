import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { logIn, register } from '#contract/auth.ts'
import { createListing } from '#contract/listings.ts'
import { json } from '#test/actor.ts'
import { newWorld } from '#test/world.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())

const member = {
  first_name: 'Wilhelmina',
  last_name: 'Secretgarden',
  username: 'mina',
  email: 'mina.secret@example.com',
  password: 'plum-crumble-42',
}

interface LogLine {
  readonly reqId?: string
  readonly route?: string
  readonly status?: number
  readonly msg?: string
  readonly err?: { readonly message: string }
}
const lines = () => world.logged.map((line): LogLine => JSON.parse(line))

describe('the log', async () => {
  const guest = world.guest()
  await guest.call(register, { body: member })
  await guest.try(register, { body: member })
  const { access_token } = await guest.call(logIn, {
    body: { username: member.email, password: member.password },
  })
  await guest.try(logIn, { body: { username: member.email, password: 'wrong-guess-77' } })
  await guest.try(logIn, { body: { username: 'nobody.secret@example.com', password: 'wrong-guess-77' } })
  const mina = world.guest()
  mina.token = access_token
  const { headers } = await mina.try(createListing, {
    body: { title: 'Blackcurrants of mine', description: 'By the back door', price: 1 },
  })
  await mina.send('GET', `/api/nothing/mina.secret@example.com?token=${access_token}&q=back-door`)
  await mina.send('POST', `/api/auth/login?password=${member.password}`, json(member))
  await mina.send('GET', `/api/%zz?token=${access_token}`)
  await mina.send('POST', '/api/listings', { body: '{"title":"By the back door', headers: json({}).headers })
  await world.jobsDone()
  const logged = world.logged.join('')

  test('has one line for every request with its id, route and status', () => {
    const [line, ...others] = lines().filter(({ reqId }) => reqId === headers.get('x-request-id'))

    expect(others).toEqual([])
    expect(line).toMatchObject({
      method: 'POST',
      route: '/api/listings',
      status: 201,
      ms: expect.any(Number),
      msg: 'Answered',
      member: expect.any(Number),
    })
    expect(line).not.toHaveProperty('address')
    expect(lines().find(({ status }) => status === 401)).toMatchObject({ address: '127.0.0.1' })
    expect(
      lines()
        .filter(({ msg }) => msg === 'Answered')
        .every(({ reqId }) => reqId),
    ).toBe(true)
  })

  test('has the result, address and member id of each login', () => {
    const logins = lines().filter(({ msg }) => /login|logged in/.test(msg ?? ''))
    expect(logins).toMatchObject([
      { msg: 'A member logged in', member: expect.any(Number), address: '127.0.0.1' },
      { msg: 'A login was refused', member: expect.any(Number), address: '127.0.0.1' },
      { msg: 'A login was refused', address: '127.0.0.1' },
    ])
    expect(logins.at(-1)).not.toHaveProperty('member')
  })

  test.each([
    ['e-mail', member.email],
    ['password', member.password],
    ['wrong password', 'wrong-guess-77'],
    ['token', access_token],
    ['name', member.last_name],
    ['title', 'Blackcurrants'],
    ['text', 'back door'],
    ['query', 'back-door'],
  ])('contains no %s', (_, secret) => {
    expect(logged.length).toBeGreaterThan(1000)
    expect(logged).not.toContain(secret)
  })
})

test('logs an unexpected failure once, with request id and cause, without the row', async () => {
  await sql`
    create function raise_error() returns trigger language plpgsql as $$
    begin
      raise exception 'the row of % is odd', new.email using detail = format('Failing row contains (%s)', new.email);
    end $$`.execute(world.db)
  await sql`create trigger raise_error before insert on users for each row execute function raise_error()`.execute(
    world.db,
  )
  const { status, headers } = await world
    .guest()
    .try(register, { body: { ...member, username: 'other', email: 'other.secret@example.com' } })
  await sql`drop trigger raise_error on users`.execute(world.db)
  const failures = lines().filter(({ msg }) => msg === 'A request failed unexpectedly')

  expect(status).toBe(500)
  expect(failures).toMatchObject([
    {
      reqId: headers.get('x-request-id'),
      err: { message: 'the row of [e-mail] is odd', stack: expect.any(String) },
    },
  ])
  expect(world.logged.join('')).not.toContain('other.secret')
  expect(await world.jobsOf('send-welcome-mail')).toHaveLength(1)
})

test('a mail server that refuses the login is named without its password', async () => {
  const password = 'se@cret/plum?crumble#42'
  const smtpUrl = world.mailServer.url.replace('//', `//garden:${encodeURIComponent(password)}@`)
  await using _node = await world.node({ mail: { smtpUrl, from: 'hello@rhubarb.test' } })
  await expect.poll(() => world.logged.join('')).toContain('The mail server can not be used')
  const logged = world.logged.join('')
  const encoded = [
    password,
    encodeURIComponent(password),
    Buffer.from(`\0garden\0${password}`).toString('base64'),
  ]
  for (const text of [...encoded, 'plum?', 'crumble#42']) expect(logged).not.toContain(text)
})
