import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { createLog } from '#server/platform/log.ts'
import { createMetrics } from '#server/platform/metrics.ts'
import { type App, route } from './route.ts'
import { createServer } from './server.ts'

const patienceMs = 400
const http = await createServer({
  log: createLog('silent'),
  metrics: createMetrics(),
  trustedProxies: [],
  https: false,
  patienceMs,
})
afterAll(() => http.close())
const app: App = {
  http,
  authenticate: async () => undefined,
  mayCall: () => true,
  hasEnded: async () => false,
  endpoints: [],
}
const form = { auth: 'anyone', summary: 'A seed', response: { 200: z.object({ name: z.string() }) } } as const
const body = z.object({ name: z.string() })
route(app, endpoint({ method: 'POST', path: '/seeds', body, ...form }), async ({ body }) => body)
route(
  app,
  endpoint({ method: 'POST', path: '/photos', body, encoding: 'multipart', file: 'photo', ...form }),
  async ({ body }) => body,
)
route(
  app,
  endpoint({ method: 'POST', path: '/secrets', body, ...form, auth: 'member' }),
  async ({ body }) => body,
)
await http.listen({ host: '127.0.0.1', port: 0 })
const { port } = http.server.address() as AddressInfo

const multipart = 'content-type: multipart/form-data; boundary=fence\r\n'
const head = (path: string, length: number, more = 'content-type: application/json\r\n') =>
  `POST ${path} HTTP/1.1\r\nhost: here\r\ncontent-length: ${length}\r\n${more}\r\n`

/** Says something at once, and then a character now and then, for as long as it is let. Resolves to what it was told. */
function trickle(said: string, more: string): Promise<string> {
  const socket = connect({ host: '127.0.0.1', port })
  const dripping = setInterval(() => socket.write(more), patienceMs / 10)
  let answer = ''
  socket.setEncoding('latin1').on('data', (part) => {
    answer += part
  })
  socket.on('error', () => {})
  socket.write(said)
  return new Promise((resolve) => {
    socket.on('close', () => {
      clearInterval(dripping)
      resolve(answer)
    })
  })
}

// What is said at the last may be lost with the connection.
const hungUp = /^$|^HTTP\/1.1 408 /

const slow: [string, string, string, RegExp][] = [
  ['says nothing', '', '', hungUp],
  ['never ends its first line', 'GET /', 'a', hungUp],
  ['never ends its headers', 'GET /seeds HTTP/1.1\r\nhost: here\r\n', 'x-a: b\r\n', hungUp],
  ['sends a body byte by byte', `${head('/seeds', 5000)}{`, ' ', hungUp],
  [
    'sends chunks byte by byte',
    head('/seeds', 0).replace('content-length: 0', 'transfer-encoding: chunked'),
    '1\r\n \r\n',
    hungUp,
  ],
  [
    'sends a form byte by byte',
    `${head('/photos', 90_000, multipart)}--fence\r\ncontent-disposition: form-data; name="photo"; filename="a"\r\n\r\n`,
    'a',
    hungUp,
  ],
  ['goes on with a body after the answer', head('/secrets', 5000), ' ', /^HTTP\/1.1 401 /],
]

test.each(slow)(
  'whoever %s is hung up on, and others are served meanwhile',
  async (_, said, more, answer) => {
    const all = Promise.all(Array.from({ length: 15 }, () => trickle(said, more)))
    const served = await http.inject({ method: 'POST', url: '/seeds', payload: { name: 'kale' } })
    expect(served.json()).toEqual({ name: 'kale' })
    for (const said of await all) expect(said).toMatch(answer)
  },
)

test('who sends a large photo steadily is heard out, however long it takes', async () => {
  const socket = connect({ host: '127.0.0.1', port })
  const start =
    '--fence\r\ncontent-disposition: form-data; name="name"\r\n\r\nkale\r\n--fence\r\ncontent-disposition: form-data; name="photo"; filename="a"\r\n\r\n'
  const end = '\r\n--fence--\r\n'
  const part = 'a'.repeat(1000)
  const parts = 20
  socket.write(
    head('/photos', start.length + parts * part.length + end.length, `${multipart}connection: close\r\n`),
  )
  socket.write(start)
  const answer = text(socket)
  // Three times as long as anybody may be silent.
  for (let sent = 0; sent < parts; sent += 1) {
    socket.write(part)
    await pause((3 * patienceMs) / parts)
  }
  socket.write(end)
  expect(await answer).toMatch(/^HTTP\/1.1 200 OK/)
})
