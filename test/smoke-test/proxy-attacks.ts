import assert from 'node:assert/strict'
import { getProfile } from '#contract/auth.ts'
import { realtimePath } from '#contract/realtime.ts'
import { Actor } from '#test/actor.ts'
import { sendBytes, sendRequest } from '#test/raw-http.ts'
import { type Machine, step } from './machine.ts'

/** Encodings of a path that nginx and a node may parse differently. */
const encodedPaths = [
  '/api/../metrics',
  '/%2e%2e/metrics',
  '/api/auth/../auth/profile',
  '/api/%2e%2e/api/auth/profile',
  '//api//auth//profile',
  '/api/auth%2fprofile',
  '/api/auth/profile%00.webp',
  '/api/auth/profile%3fa.css',
  '/api/auth/profile;a.css',
  '/api/auth/profile/a.css',
  '/api/auth/profile?a.css',
  '/api/auth/profile#a.css',
  '/api/images/../auth/profile?.webp',
  '/api/images/..%2f..%2f..%2fpackage.json',
  '/api/images/%2e%2e/%2e%2e/%2e%2e/etc/passwd.webp',
  '/assets/../api/auth/profile',
  '/assets/..%2f..%2f..%2fpackage.json',
  '/assets/%2e%2e%5c%2e%2e%5cpackage.json',
  '/socket.io/../api/auth/profile',
  '/socket.io/..%2fapi/auth/profile',
  '/api/../socket.io/?EIO=4&transport=polling',
  '/.git/config',
  '/.env',
  '/server/main.ts',
  '/preloads.json',
]

/** Two requests in one, for a parser with other framing rules than nginx. */
const innerRequest = 'GET /api/auth/profile HTTP/1.1\r\nhost: localhost\r\n'
const smuggledRequests: [name: string, headers: string, body: (innerRequest: string) => string][] = [
  [
    'a length and chunks',
    'content-length: 4\r\ntransfer-encoding: chunked\r\n',
    (more) => `0\r\n\r\n${more}`,
  ],
  ['two lengths', 'content-length: 2\r\ncontent-length: 200\r\n', (more) => `{}${more}`],
  ['chunks by another name', 'transfer-encoding: xchunked\r\n', (more) => `0\r\n\r\n${more}`],
  ['chunks before another coding', 'transfer-encoding: chunked, identity\r\n', (more) => `0\r\n\r\n${more}`],
  [
    'chunks behind a tab',
    'transfer-encoding:\tchunked\r\ncontent-length: 4\r\n',
    (more) => `0\r\n\r\n${more}`,
  ],
  ['a length with a sign', 'content-length: +2\r\n', (more) => `{}${more}`],
  ['a chunk of no length', 'transfer-encoding: chunked\r\n', (more) => `zz\r\n\r\n${more}`],
]

/** Tries requests that nginx and a node may parse differently. Throws if an attack works. */
export async function checkProxyAttacks(machine: Machine) {
  const { url } = machine
  const [eve, dan] = [new Actor(url), new Actor(url)]
  await eve.join({ username: 'eve' })
  await dan.join({ username: 'dan' })
  await checkCaching(url, eve)
  await checkSmuggling(url, eve, dan)
  await checkLongRequests(url, eve)
  await checkUpgrades(url)
}

const authorizationOf = ({ token }: Actor) => ({ authorization: `Bearer ${token}` })

async function checkCaching(url: string, eve: Actor) {
  await step('no encoding of a path makes a private response cacheable', async () => {
    for (const path of encodedPaths) {
      const { status, headers, text } = await sendRequest(url, 'GET', path, authorizationOf(eve))
      assert.ok(status < 500, `${path}: ${status}`)
      assert.doesNotMatch(text, /root:x:|"private": true|createServer|rhubarb_http_request|\[core\]/, path)
      if (text.includes(eve.email)) assert.equal(headers.get('cache-control'), 'no-store', path)
    }
    for (const path of ['/api/auth/profile', '/api/listings', '/api/messages', '/api/auth/export'])
      assert.match(
        (await sendRequest(url, 'GET', path, authorizationOf(eve))).headers.get('cache-control') ?? '',
        /no-store/,
      )
  })
}

async function checkSmuggling(url: string, eve: Actor, dan: Actor) {
  await step('smuggled requests are refused, and no client gets the response of another', async () => {
    for (const [name, headers, body] of smuggledRequests) {
      const more = `${innerRequest}authorization: Bearer ${eve.token}\r\nconnection: close\r\n\r\n`
      const { status, text } = await sendBytes(
        url,
        `POST /api/auth/reset-password HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n${headers}\r\n${body(more)}`,
      )
      assert.ok(status >= 400 && status < 502, `${name}: ${status}`)
      assert.ok(!text.includes(eve.email), `${name}: the smuggled request was answered`)
      const [mine, his] = await Promise.all([eve.call(getProfile), dan.call(getProfile)])
      assert.deepEqual([mine.email, his.email], [eve.email, dan.email], name)
    }
  })
  await step('pipelined requests on one connection get their own responses', async () => {
    const senders = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? eve : dan))
    const requests = senders.map(
      (sender, index) =>
        `GET /api/auth/profile HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${sender.token}\r\n${index === 19 ? 'connection: close\r\n' : ''}\r\n`,
    )
    const { text } = await sendBytes(url, requests.join(''))
    const answered = text.match(/"email":"[^"]+"/g)
    assert.deepEqual(
      answered,
      senders.map(({ email }) => `"email":"${email}"`),
    )
  })
}

async function checkLongRequests(url: string, eve: Actor) {
  await step('URLs and headers that are too long are refused', async () => {
    for (const length of [9_000, 15_000]) {
      const query = await sendRequest(
        url,
        'GET',
        `/api/listings?q=${'a'.repeat(length)}`,
        authorizationOf(eve),
      )
      assert.ok([400, 414].includes(query.status), `a query of ${length}: ${query.status}`)
      const header = await sendRequest(url, 'GET', '/api/listings', {
        ...authorizationOf(eve),
        'x-a': 'a'.repeat(length),
      })
      assert.ok([400, 431].includes(header.status), `a header of ${length}: ${header.status}`)
    }
    assert.equal((await eve.try(getProfile)).status, 200)
  })
}

async function checkUpgrades(url: string) {
  await step('foreign origins get no socket, and only WebSocket is upgraded', async () => {
    const upgrade = (path: string, headers: Record<string, string>) =>
      sendRequest(url, 'GET', path, {
        ...headers,
        connection: 'upgrade, close',
        'sec-websocket-version': '13',
      })
    const socketPath = `${realtimePath}/?EIO=4&transport=websocket`
    const socket = { upgrade: 'websocket', 'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==' }
    for (const [name, path, headers] of [
      ['another origin', socketPath, { ...socket, origin: 'https://evil.example' }],
      ['an opaque origin', socketPath, { ...socket, origin: 'null' }],
      ['another protocol', socketPath, { upgrade: 'h2c', 'http2-settings': 'AAMAAABkAARAAAAAAAIAAAAA' }],
      ['another path', '/api/auth/profile', { ...socket, origin: url }],
      ['a path with a parent folder', `/api/..${socketPath}`, { ...socket, origin: 'https://evil.example' }],
    ] as const)
      assert.notEqual((await upgrade(path, headers)).status, 101, name)
  })
}
