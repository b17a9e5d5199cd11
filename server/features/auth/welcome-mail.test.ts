import { afterAll, expect, test } from 'vitest'
import { register } from '#contract/auth.ts'
import { sendRequest } from '#test/raw-http.ts'
import { newWorld } from '#test/world.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())

const newcomer = (username: string) => ({
  first_name: 'Ann <b>&amp;',
  last_name: 'Gardener',
  username,
  email: `${username}@example.com`,
  password: 'plum-crumble-42',
})

const links = (text: string) => text.match(/https?:\/\/[^\s"'<>]+/g) ?? []

test('sends a new member one welcome mail in HTML and plain text', async () => {
  const ann = newcomer('ann')
  await world.guest().call(register, { body: ann })
  await world.jobsDone()

  const [mail, ...others] = world.mailTo(ann)
  expect(others).toEqual([])
  expect(mail).toMatchObject({
    to: ['ann@example.com'],
    from: 'hello@rhubarb.example',
    subject: 'Welcome to Rhubarb',
  })
  expect(mail?.text).toContain('Hello Ann <b>&amp;,')
  expect(mail?.html).toContain('Hello Ann &lt;b&gt;&amp;amp;,')
})

test('the links in the mail start with the public URL, not with a host from the request', async () => {
  const bea = newcomer('bea')
  const response = await sendRequest(
    world.url,
    'POST',
    '/api/auth/register',
    {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      forwarded: 'host=evil.example;proto=http',
      origin: 'https://evil.example',
      'content-type': 'application/json',
    },
    JSON.stringify(bea),
  )
  await world.jobsDone()
  const [mail] = world.mailTo(bea)
  const urls = [...links(mail?.html ?? ''), ...links(mail?.text ?? '')]

  expect(response.status).toBe(201)
  expect(urls.length).toBeGreaterThan(1)
  expect(urls.filter((url) => !url.startsWith('https://rhubarb.test/'))).toEqual([])
})

test('a refused registration sends no mail and adds no job', async () => {
  const cat = newcomer('cat')
  await world.jobsDone()
  const before = { mails: world.mails.length, jobs: (await world.jobsOf('send-welcome-mail')).length }
  await world.guest().call(register, { body: cat })
  await world.guest().try(register, { body: { ...cat, username: 'anna' } })
  await world.guest().try(register, { body: { ...cat, email: 'anna@example.com' } })
  await world.guest().try(register, { body: { ...cat, email: 'anna@example.com', username: 'an' } })
  await world.jobsDone()

  expect(world.mails.slice(before.mails).map(({ to }) => to)).toEqual([['cat@example.com']])
  expect((await world.jobsOf('send-welcome-mail')).slice(before.jobs)).toMatchObject([{ state: 'completed' }])
})

test('a registration whose commit fails sends no mail and adds no job', async () => {
  const dan = newcomer('dan')
  const jobs = await world.jobsOf('send-welcome-mail')
  await using _ = await world.failCommits('users')
  const { status } = await world.guest().try(register, { body: dan })
  await world.jobsDone()

  expect(status).toBe(500)
  const users = world.db.selectFrom('users').select('id').where('username', '=', dan.username)
  expect(await users.execute()).toEqual([])
  expect(await world.jobsOf('send-welcome-mail')).toHaveLength(jobs.length)
  expect(world.mailTo(dan)).toEqual([])
})

test('retries a mail that the mail server refuses and sends it once', async () => {
  const eve = newcomer('eve')
  world.mailServer.refuseNext(1)
  await world.guest().call(register, { body: eve })
  await world.jobsDone()
  expect(world.mailTo(eve)).toEqual([])

  await world.retryJobs()
  expect(world.mailTo(eve)).toHaveLength(1)
  const jobs = await world.jobsOf('send-welcome-mail')
  expect(jobs.at(-1)).toMatchObject({ state: 'completed', retry_count: 1 })
})
