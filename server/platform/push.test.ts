import { expect, test } from 'vitest'
import { startPushService } from '#test/push-service.ts'
import { createPusher, isPublicAddress, newPushKey } from './push.ts'

test.each([
  '127.0.0.1',
  '10.1.2.3',
  '172.31.255.255',
  '192.168.0.10',
  '169.254.169.254',
  '100.64.0.1',
  '0.0.0.0',
  '255.255.255.255',
  '::1',
  '::',
  'fe80::1',
  'fc00::1',
  '::ffff:10.0.0.1',
  '::ffff:8.8.8.8',
  '::7f00:1',
  '64:ff9b::a00:1',
  '64:ff9b:1::a00:1',
  '2002:a00:1::',
  '2001:0:a00:1::',
  '2001:db8::1',
  'fec0::1',
  'ff02::1',
  '4000::1',
  '192.0.2.1',
  '198.18.0.1',
  '224.0.0.1',
  '240.0.0.1',
  'no address',
])('%s is not public', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})

test.each(['8.8.8.8', '172.32.0.1', '2606:4700::1111'])('%s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true)
})

const keys = {
  p256dh: 'BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM',
  auth: 'tBHItJI5svbpez7KI4CCXg',
}

test.each([
  'https://127.0.0.1/push',
  'https://[::1]/push',
  'https://0x7f000001/push',
  'https://localhost/push',
  'http://push.example/push',
  'https://push.example:22/push',
])('refuses to send to %s', async (endpoint) => {
  const { send } = createPusher({ contact: 'mailto:hello@rhubarb.test' })
  await expect(send({ endpoint, ...keys }, 'Figs', newPushKey())).rejects.toThrow(
    /public address|by its name/,
  )
})

test.each([301, 302, 303, 307, 308])('does not follow a redirect with status %d', async (code) => {
  const service = await startPushService()
  const [subscribed, other] = [service.browser(), service.browser()]
  service.answerWith(code, other.subscription.endpoint)
  const { send } = createPusher({ contact: 'mailto:hello@rhubarb.test', ...service.settings })
  const { endpoint, keys } = subscribed.subscription

  await expect(send({ endpoint, ...keys }, 'Figs', newPushKey())).rejects.toThrow(`answered ${code}`)
  await service.stop()
  expect(service.authorized).toHaveLength(1)
})
