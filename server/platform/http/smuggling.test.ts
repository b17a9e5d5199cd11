import { afterAll, expect, test } from 'vitest'
import { sendBytes, sendRequest } from '#test/raw-http.ts'
import { newWorld } from '#test/world.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())

const hidden = 'GET /livez HTTP/1.1\r\nhost: here\r\nconnection: close\r\n\r\n'
const json = 'host: here\r\ncontent-type: application/json\r\n'

// A proxy and a server may disagree on where such a request ends (request smuggling). It is refused and its connection closed.
test.each([
  ['two lengths', `content-length: 2\r\ncontent-length: ${hidden.length + 2}\r\n`, `{}${hidden}`],
  ['a length and chunks', 'content-length: 4\r\ntransfer-encoding: chunked\r\n', `0\r\n\r\n${hidden}`],
  ['chunks by another name', 'transfer-encoding: xchunked\r\n', `0\r\n\r\n${hidden}`],
  ['chunks before another coding', 'transfer-encoding: chunked, identity\r\n', `0\r\n\r\n${hidden}`],
  ['chunks behind a blank', 'transfer-encoding : chunked\r\n', `0\r\n\r\n${hidden}`],
  ['a header that goes on', 'x-a: b\r\n content-length: 2\r\n', `{}${hidden}`],
  ['a length below nothing', 'content-length: -2\r\n', hidden],
  ['a length in hexadecimals', 'content-length: 0x2\r\n', `{}${hidden}`],
  ['a length with a sign', 'content-length: +2\r\n', `{}${hidden}`],
  ['a chunk whose length is no number', 'transfer-encoding: chunked\r\n', `zz\r\n\r\n${hidden}`],
  ['a header with NUL', 'x-a: b\u0000c\r\n', hidden],
  ['a line that ends by half', 'x-a: b\ncontent-length: 2\r\n', `{}${hidden}`],
])('%s: the request is refused, and nothing that hides in it is answered', async (_, headers, body) => {
  const { status, text } = await sendBytes(
    world.url,
    `POST /api/auth/reset-password HTTP/1.1\r\n${json}${headers}\r\n${body}`,
  )

  expect(status).toBe(400)
  expect(text).not.toContain('"ok"')
  expect(text.match(/HTTP\/1\.1/g)).toBeNull()
})

test.each(['TRACE', 'TRACK', 'CONNECT'])('%s is no method here', async (method) => {
  const { status } = await sendBytes(
    world.url,
    `${method} /api/listings HTTP/1.1\r\nhost: here\r\nconnection: close\r\n\r\n`,
  )
  expect(status === 400 || status === 404 || Number.isNaN(status)).toBe(true)
})

test('requests behind each other on one connection are answered in turn, each to its sender', async () => {
  const [ann, bob] = await world.members('ann', 'bob')
  const senders = Array.from({ length: 12 }, (_, index) => (index % 2 === 0 ? ann : bob))
  const requests = senders.map(
    ({ token }, index) =>
      `GET /api/auth/profile HTTP/1.1\r\nhost: here\r\nauthorization: Bearer ${token}\r\n${index === senders.length - 1 ? 'connection: close\r\n' : ''}\r\n`,
  )
  const { text } = await sendBytes(world.url, requests.join(''))

  expect(text.match(/"email":"[^"]+"/g)).toEqual(senders.map(({ email }) => `"email":"${email}"`))
})

test.each([
  ['an address', 'GET', `/api/listings?q=${'a'.repeat(20_000)}`, {}],
  ['a header', 'GET', '/api/listings', { 'x-a': 'a'.repeat(20_000) }],
  [
    'ever more headers',
    'GET',
    '/api/listings',
    Object.fromEntries(Array.from({ length: 3000 }, (_, n) => [`x-${n}`, 'a'])),
  ],
])('%s without end is refused', async (_, method, path, headers) => {
  expect((await sendRequest(world.url, method, path, headers)).status).toBe(431)
})
