import { expect, test } from 'vitest'
import { loopback, networkOf, overlaps, readNetwork } from './network.ts'

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::FFFF:cb00:7107', '203.0.113.7'],
  ['2001:db8:0:1:2:3:4:5', '2001:db8:0:1::/64'],
  ['2001:0DB8:0000:0001::5', '2001:db8:0:1::/64'],
  ['2001:db8::1', '2001:db8::/64'],
  ['fe80::1%eth0', 'fe80::/64'],
  ['::1', '::/64'],
  ['1::', '1::/64'],
])('the network of %s is %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['203.0.113.7/32', '203.0.113.7'],
  ['2001:DB8::9', '2001:db8::/64'],
  ['2001:db8::/64', '2001:db8::/64'],
  ['203.0.113.0/24', undefined],
  ['2001:db8::/32', undefined],
  ['203.0.113.7/32/1', undefined],
  ['203.0.113', undefined],
  ['fe80::1%eth0', undefined],
  ['mail.example', undefined],
  ['', undefined],
])('the text %s is read as the network %s', (text, network) => {
  expect(readNetwork(text)).toBe(network)
})

test.each([
  ['127.0.0.1', loopback, true],
  ['127.9.9.9', loopback, true],
  ['::/64', loopback, true],
  ['203.0.113.7', loopback, false],
  ['10.1.2.3', ['10.0.0.0/8'], true],
  ['2001:db8::/64', ['2001:db8::5'], true],
  ['2001:db8::/64', ['2001:db8::/32'], true],
  ['2001:db9::/64', ['2001:db8::/32', '10.0.0.0/8'], false],
])('%s and %j overlap: %s', (network, others, expected) => {
  expect(overlaps(network, others)).toBe(expected)
})
