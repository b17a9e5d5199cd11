import { createPublicKey, verify } from 'node:crypto'
import { expect, test } from 'vitest'
import { startPushService } from '#test/push-service.ts'
import { createPusher, newPushKey, publicKeyOf } from './push.ts'

const errors: object[] = []
const log = { error: (details: object) => void errors.push(details) }
const options = { contact: () => 'mailto:hello@rhubarb.test', services: [], log }
const keys = {
  p256dh: 'BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM',
  auth: 'tBHItJI5svbpez7KI4CCXg',
}

test.each([
  'https://fcm.googleapis.com/fcm/send/abc:APA91b',
  'https://jmt17.google.com/fcm/send/abc:APA91b',
  'https://updates.push.services.mozilla.com/wpush/v2/abc',
  'https://web.push.apple.com/abc',
  'https://wns2-par02p.notify.windows.com/w/?token=abc',
  'https://push.example/abc',
])('knows %s', (endpoint) => {
  expect(createPusher({ ...options, services: ['push.example'] }).knows(endpoint)).toBe(true)
})

test.each([
  'https://push.example/abc',
  'https://127.0.0.1/push',
  'https://[::1]/push',
  'https://localhost/push',
  'http://fcm.googleapis.com/abc',
  'https://fcm.googleapis.com:22/abc',
  'https://fcm.googleapis.com',
  'https://user@fcm.googleapis.com/abc',
  'https://push.example/@fcm.googleapis.com/abc',
  'https://push.example\\.fcm.googleapis.com/abc',
  'https://push.example:443.fcm.googleapis.com/abc',
  'https://push.example;.fcm.googleapis.com/abc',
  'https://push.example#.fcm.googleapis.com/abc',
  'https://evil-fcm.googleapis.com/abc',
  'https://fcm.googleapis.com.evil.example/abc',
  'https://googleapis.com/abc',
])('sends nothing to %s', async (endpoint) => {
  const { knows, send } = createPusher(options)
  expect(knows(endpoint)).toBe(false)
  expect(await send({ endpoint, ...keys }, 'Figs', newPushKey())).toBe('gone')
})

test.each([301, 302, 303, 307, 308])('does not follow a redirect with status %d', async (code) => {
  const service = await startPushService()
  const [subscribed, other] = [service.browser(), service.browser()]
  service.answerWith(code, other.subscription.endpoint)
  const { send } = createPusher({ ...options, ...service.settings })
  const { endpoint, keys } = subscribed.subscription

  await expect(send({ endpoint, ...keys }, 'Figs', newPushKey())).rejects.toThrow(`answered ${code}`)
  await service.stop()
  expect(service.authorized).toHaveLength(1)
})

/** Starts a push service with a browser. `send` sends a text to it. */
async function subscribed() {
  const service = await startPushService()
  const { subscription, shown } = service.browser()
  const { endpoint, keys } = subscription
  const pusher = createPusher({ ...options, ...service.settings })
  const send = (text = 'Figs', changes: object = {}) =>
    pusher.send({ endpoint, ...keys, ...changes }, JSON.stringify(text), newPushKey())
  return { service, shown, send, [Symbol.asyncDispose]: () => service.stop() }
}

test('encrypts a text for its browser and signs the request for its push service', async () => {
  await using one = await subscribed()
  expect(await one.send('Fünf Feigen 🍈')).toBe('sent')
  expect(await one.send('x'.repeat(3900))).toBe('sent')
  expect(one.shown).toEqual(['Fünf Feigen 🍈', 'x'.repeat(3900)])
  const [, token = '', key = ''] =
    /^vapid t=([\w.-]+), k=([\w-]{87})$/.exec(one.service.authorized[0] ?? '') ?? []
  const [header = '', claims = '', signature = ''] = token.split('.')
  const { aud, sub, exp } = JSON.parse(Buffer.from(claims, 'base64url').toString())
  expect([aud, sub]).toEqual([`https://${one.service.settings.services[0]}`, options.contact()])
  expect(exp * 1000 - Date.now()).toBeLessThanOrEqual(24 * 60 * 60 * 1000)
  const point = Buffer.from(key, 'base64url')
  const publicKey = createPublicKey({
    key: {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    },
    format: 'jwk',
  })
  const signed = Buffer.from(`${header}.${claims}`)
  const isValid = verify(
    'sha256',
    signed,
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  expect(isValid).toBe(true)
})

test.each([404, 410])('takes a subscription as ended after status %d', async (status) => {
  await using one = await subscribed()
  one.service.answerWith(status)
  expect(await one.send()).toBe('gone')
})

test('takes a subscription as ended whose key is no point of the curve', async () => {
  await using one = await subscribed()
  expect(await one.send('Figs', { p256dh: `B${'A'.repeat(86)}` })).toBe('gone')
  expect(one.service.authorized).toEqual([])
})

test.each([400, 401, 403, 413])(
  'logs status %d, after which the push is neither sent again nor its subscription deleted',
  async (status) => {
    await using one = await subscribed()
    one.service.answerWith(status)
    errors.length = 0
    expect(await one.send()).toBe('refused')
    expect(errors).toEqual([{ host: one.service.settings.services[0], status }])
  },
)

test.each([429, 500, 502, 503])('throws after status %d, so that the push is sent again', async (status) => {
  await using one = await subscribed()
  one.service.answerWith(status)
  await expect(one.send()).rejects.toThrow(`answered ${status}`)
  one.service.answerWith(201)
  expect(await one.send()).toBe('sent')
})

test.each([
  ['seconds', () => '60'],
  ['a date', () => new Date(Date.now() + 60_000).toUTCString()],
])('sends nothing to a push service until the time of its Retry-After, with %s', async (_, retryAfter) => {
  await using one = await subscribed()
  one.service.answerWith(429, undefined, retryAfter())
  await expect(one.send()).rejects.toThrow('answered 429')
  one.service.answerWith(201)
  await expect(one.send()).rejects.toThrow('wants no requests now')
  expect(one.service.authorized).toHaveLength(1)
})

test('a new key has 32 bytes, and its public key is a point of P-256', () => {
  const key = newPushKey()
  expect([key.length, publicKeyOf(key).length]).toEqual([32, 65])
})
