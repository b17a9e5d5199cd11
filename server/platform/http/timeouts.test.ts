import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import { createLog } from '#server/platform/log.ts'
import { createMetrics } from '#server/platform/metrics.ts'
import { type App, route } from './route.ts'
import { createServer } from './server.ts'

const headersTimeout = 400
const http = await createServer({
  log: createLog('silent'),
  metrics: createMetrics(),
  trustedProxies: [],
  https: false,
  headersTimeout,
  requestTimeout: 2 * headersTimeout,
})
afterAll(() => http.close())
const app: App = {
  http,
  https: false,
  authenticate: async (token) => (token === 'ann' ? { id: 7, session: Buffer.alloc(32) } : undefined),
  roleOf: async () => undefined,
  mayCall: () => true,
  hasEnded: async () => false,
  runInSession: (_session, work) => work(),
  limitWrites: (_member, write) => write(),
  uploads: { admit: async () => () => {} },
  afterWrite: async () => {},
  endpoints: [],
}
const form = { auth: 'anyone', summary: 'A seed', response: { 200: z.object({ name: z.string() }) } } as const
const body = z.object({ name: z.string() })
route(app, endpoint({ method: 'POST', path: '/seeds', body, ...form }), async ({ body }) => body)
route(
  app,
  endpoint({
    method: 'POST',
    path: '/photos',
    body,
    encoding: 'multipart',
    file: 'photo',
    ...form,
    auth: 'member',
  }),
  async ({ body }) => body,
)
route(
  app,
  endpoint({ method: 'POST', path: '/secrets', body, ...form, auth: 'member' }),
  async ({ body }) => body,
)
await http.listen({ host: '127.0.0.1', port: 0 })
const { port } = http.server.address() as AddressInfo

const multipart = 'authorization: Bearer ann\r\ncontent-type: multipart/form-data; boundary=fence\r\n'
const head = (path: string, length: number, more = 'content-type: application/json\r\n') =>
  `POST ${path} HTTP/1.1\r\nhost: here\r\ncontent-length: ${length}\r\n${more}\r\n`

/** Sends `first`, then `more` repeatedly until the server closes the connection. Resolves to the response. */
function trickle(first: string, more: string): Promise<string> {
  const socket = connect({ host: '127.0.0.1', port })
  const timer = setInterval(() => socket.write(more), headersTimeout / 10)
  let response = ''
  socket.setEncoding('latin1').on('data', (part) => {
    response += part
  })
  socket.on('error', () => {})
  socket.write(first)
  return new Promise((resolve) => {
    socket.on('close', () => {
      clearInterval(timer)
      resolve(response)
    })
  })
}

// The response may be lost when the server closes a connection that still receives.
const closed = /^$|^HTTP\/1.1 408 /

const slow: [string, string, string, RegExp][] = [
  ['sends nothing', '', '', closed],
  ['never ends its request line', 'GET /', 'a', closed],
  ['never ends its headers', 'GET /seeds HTTP/1.1\r\nhost: here\r\n', 'x-a: b\r\n', closed],
  ['never ends its body', `${head('/seeds', 5000)}{`, ' ', closed],
  [
    'never ends its chunks',
    head('/seeds', 0).replace('content-length: 0', 'transfer-encoding: chunked'),
    '1\r\n \r\n',
    closed,
  ],
  [
    'never ends its form',
    `${head('/photos', 90_000, multipart)}--fence\r\ncontent-disposition: form-data; name="photo"; filename="a"\r\n\r\n`,
    'a',
    closed,
  ],
  ['goes on sending after the response', head('/secrets', 5000), ' ', /^HTTP\/1.1 401 /],
]

test.concurrent.each(slow)(
  'closes the connection of a client that %s and serves other clients',
  async (_, first, more, expected) => {
    const all = Promise.all(Array.from({ length: 15 }, () => trickle(first, more)))
    const served = await http.inject({ method: 'POST', url: '/seeds', payload: { name: 'kale' } })
    expect(served.json()).toEqual({ name: 'kale' })
    for (const response of await all) expect(response).toMatch(expected)
  },
)
