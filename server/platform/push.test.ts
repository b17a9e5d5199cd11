import { expect, test } from 'vitest'
import { startPushService } from '#test/push-service.ts'
import { createPusher, newPushKey } from './push.ts'

const options = { contact: 'mailto:hello@rhubarb.test', services: [] }
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
