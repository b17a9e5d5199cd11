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

interface SocketClient {
  readonly reqId?: string
  readonly route?: string
  readonly status?: number
  readonly msg?: string
  readonly err?: { readonly message: string }
}
const lines = () => world.logged.map((line): SocketClient => JSON.parse(line))

describe('after a day of use', async () => {
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

  test('the log has a line for every request, with its id, its route and its status', () => {
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

  test('the log says of each login how it went, from where, and at whose account by their number', () => {
    const told = lines().filter(({ msg }) => /login|logged in/.test(msg ?? ''))
    expect(told).toMatchObject([
      { msg: 'A member logged in', member: expect.any(Number), address: '127.0.0.1' },
      { msg: 'A login was refused', member: expect.any(Number), address: '127.0.0.1' },
      { msg: 'A login was refused', address: '127.0.0.1' },
    ])
    expect(told.at(-1)).not.toHaveProperty('member')
  })

  test.each([
    ['e-mail', member.email],
    ['password', member.password],
    ['wrong password', 'wrong-guess-77'],
    ['token', access_token],
    ['name', member.last_name],
    ['title', 'Blackcurrants'],
    ['text', 'back door'],
    ['question', 'back-door'],
  ])('the log has no %s in it', (_, secret) => {
    expect(logged.length).toBeGreaterThan(1000)
    expect(logged).not.toContain(secret)
  })
})

test('a failure is logged once, with its request id and its cause, but not with the row it was about', async () => {
  await sql`
    create function grumble() returns trigger language plpgsql as $$
    begin
      raise exception 'the row of % is odd', new.email using detail = format('Failing row contains (%s)', new.email);
    end $$`.execute(world.db)
  await sql`create trigger grumble before insert on users for each row execute function grumble()`.execute(
    world.db,
  )
  const { status, headers } = await world
    .guest()
    .try(register, { body: { ...member, username: 'other', email: 'other.secret@example.com' } })
  await sql`drop trigger grumble on users`.execute(world.db)
  const failures = lines().filter(({ msg }) => msg === 'A request failed unexpectedly')

  expect(status).toBe(500)
  expect(failures).toMatchObject([
    {
      reqId: headers.get('x-request-id'),
      err: { message: 'the row of [e-mail] is odd', stack: expect.any(String) },
    },
  ])
  expect(world.logged.join('')).not.toContain('other.secret')
  expect(await world.jobsOf('welcome-mail')).toHaveLength(1)
})
