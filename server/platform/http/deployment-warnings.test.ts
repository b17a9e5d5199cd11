import { afterAll, expect, test } from 'vitest'
import { newWorld } from '#test/world.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())

/** Returns the logged warnings that contain a word. */
const warnings = (word: string) =>
  world.logged
    .map((line) => JSON.parse(line) as { level: number; msg: string; address?: string; err?: object })
    .filter(({ level, msg }) => level === 40 && msg.includes(word))

const get = (headers: Record<string, string>) => world.guest().send('GET', '/livez', { headers })

test('warns once in the log if members open another address than the public URL', async () => {
  await get({})
  await get({ origin: 'https://rhubarb.test' })
  // Another site can send requests too, but this server has not answered its pages.
  await get({ origin: 'https://elsewhere.example' })
  expect(warnings('PUBLIC_URL')).toEqual([])

  for (let count = 0; count < 2; count += 1) await get({ origin: world.url })
  expect(warnings('PUBLIC_URL')).toMatchObject([{ address: world.url, public_url: 'https://rhubarb.test' }])
})

test('warns once in the log if requests come through a proxy that is not trusted', async () => {
  await get({})
  expect(warnings('TRUSTED_PROXIES')).toEqual([])
  for (let count = 0; count < 2; count += 1) await get({ 'x-forwarded-for': '203.0.113.7' })
  expect(warnings('TRUSTED_PROXIES')).toMatchObject([{ address: '127.0.0.1' }])

  await using trusting = await world.node({ trustedProxies: ['127.0.0.1'] })
  await trusting.guest().send('GET', '/livez', { headers: { 'x-forwarded-for': '203.0.113.7' } })
  expect(warnings('TRUSTED_PROXIES')).toHaveLength(1)
})

test('warns at the start if the mail server can not be used, and starts', async () => {
  await using _ = await world.node()
  const unusable = { ...world.config.mail, smtpUrl: 'smtp://garden:secret@127.0.0.1:1' }
  await using node = await world.node({ mail: unusable })
  await expect.poll(() => warnings('SMTP_URL')).toHaveLength(1)
  expect(JSON.stringify(warnings('SMTP_URL'))).not.toContain('secret')
  expect(await node.guest().send('GET', '/readyz')).toMatchObject({ status: 200 })
})
