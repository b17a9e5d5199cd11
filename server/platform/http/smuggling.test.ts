import { afterAll, expect, test } from 'vitest'
import { sendBytes, sendRequest } from '#test/raw-http.ts'
import { newWorld } from '#test/world.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())

const hidden = 'GET /livez HTTP/1.1\r\nhost: here\r\nconnection: close\r\n\r\n'
const json = 'host: here\r\ncontent-type: application/json\r\n'

// A proxy and the server may disagree where such a request ends (request smuggling), so it is refused and the connection closed.
test.each([
  ['two lengths', `content-length: 2\r\ncontent-length: ${hidden.length + 2}\r\n`, `{}${hidden}`],
  [
    'a length and chunked encoding',
    'content-length: 4\r\ntransfer-encoding: chunked\r\n',
    `0\r\n\r\n${hidden}`,
  ],
  ['an unknown transfer coding', 'transfer-encoding: xchunked\r\n', `0\r\n\r\n${hidden}`],
  ['chunked as the first of two codings', 'transfer-encoding: chunked, identity\r\n', `0\r\n\r\n${hidden}`],
  ['a blank before the colon', 'transfer-encoding : chunked\r\n', `0\r\n\r\n${hidden}`],
  ['a folded header', 'x-a: b\r\n content-length: 2\r\n', `{}${hidden}`],
  ['a negative length', 'content-length: -2\r\n', hidden],
  ['a hexadecimal length', 'content-length: 0x2\r\n', `{}${hidden}`],
  ['a length with a sign', 'content-length: +2\r\n', `{}${hidden}`],
  ['an invalid chunk length', 'transfer-encoding: chunked\r\n', `zz\r\n\r\n${hidden}`],
  ['a header with NUL', 'x-a: b\u0000c\r\n', hidden],
  ['a line that ends with LF only', 'x-a: b\ncontent-length: 2\r\n', `{}${hidden}`],
])('refuses a request with %s and does not answer a hidden one', async (_, headers, body) => {
  const { status, text } = await sendBytes(
    world.url,
    `POST /api/auth/reset-password HTTP/1.1\r\n${json}${headers}\r\n${body}`,
  )

  expect(status).toBe(400)
  expect(text).not.toContain('"ok"')
  expect(text.match(/HTTP\/1\.1/g)).toBeNull()
})

test.each([
  ['TRACE', 404],
  ['TRACK', 400],
  // Node closes the connection without a response.
  ['CONNECT', Number.NaN],
])('refuses the method %s', async (method, status) => {
  const request = `${method} /api/listings HTTP/1.1\r\nhost: here\r\nconnection: close\r\n\r\n`
  expect((await sendBytes(world.url, request)).status).toBe(status)
})

test('answers pipelined requests in order, each for its own member', async () => {
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
  ['an overlong URL', 'GET', `/api/listings?q=${'a'.repeat(20_000)}`, {}],
  ['an overlong header', 'GET', '/api/listings', { 'x-a': 'a'.repeat(20_000) }],
  [
    'too many headers',
    'GET',
    '/api/listings',
    Object.fromEntries(Array.from({ length: 3000 }, (_, n) => [`x-${n}`, 'a'])),
  ],
])('refuses %s', async (_, method, path, headers) => {
  expect((await sendRequest(world.url, method, path, headers)).status).toBe(431)
})
