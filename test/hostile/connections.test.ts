import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, expect, test } from 'vitest'
import { getProfile } from '#contract/auth.ts'
import { Actor } from '#test/actor.ts'
import { sendRequest } from '#test/raw-http.ts'
import { startServerProcess } from './server-process.ts'

// `npm run test:hostile -- fuzz` sends 20,000 random broken requests.
const server = await startServerProcess()
afterAll(() => server[Symbol.asyncDispose]())
const ann = new Actor(server.url)
await ann.join({ username: 'ann' })
const { hostname, port } = new URL(server.url)

afterEach(async () => {
  expect(server.lines.join('\n')).not.toContain('TypeError')
  expect(server.isRunning()).toBe(true)
  expect(await ann.try(getProfile)).toMatchObject({ status: 200 })
  expect(server.errors).toEqual([])
})

/** Sends bytes, keeps the connection open for `openMs`, then resets or closes it. */
async function sendAndLeave(bytes: string | Buffer, openMs: number, how: 'reset' | 'close') {
  const socket = connect({ host: hostname, port: Number(port) })
  socket.on('error', () => {})
  socket.resume()
  socket.write(bytes)
  await sleep(openMs)
  if (how === 'reset') socket.resetAndDestroy()
  else socket.destroy()
}

/** An endpoint with a body, a page and an unknown endpoint. */
const paths = ['/api/listings', '/', '/api/x']

test.concurrent.each(paths)(
  'refuses compressed requests to %s with 415 and survives a broken compressed body',
  async (path) => {
    for (const coding of ['gzip', 'br', 'deflate', 'zstd', 'identity', 'x-gzip', 'gzip, gzip', '']) {
      const headers = { 'content-encoding': coding, 'content-type': 'application/json' }
      const authorization = `Bearer ${ann.token}`
      const response = await sendRequest(server.url, 'POST', path, { ...headers, authorization }, '\u0001{}')
      expect(response.status, coding).toBe(415)
    }
    const head = [
      `POST ${path} HTTP/1.1`,
      'host: here',
      `authorization: Bearer ${ann.token}`,
      'content-encoding: gzip',
      'content-type: application/json',
      'content-length: 1000',
    ]
    // Longer than the interval in which the server checks its connections.
    await sendAndLeave(`${head.join('\r\n')}\r\n\r\nthis is no gzip`, 2500, 'close')
  },
)

test.concurrent('survives a broken form of 5 MB', async () => {
  const form = [
    'POST /api/listings HTTP/1.1',
    'host: here',
    `authorization: Bearer ${ann.token}`,
    'content-type: multipart/form-data; boundary=fence',
    'content-length: 9000000',
  ]
  const body = Buffer.alloc(5_000_000, '--fence\r\nContent-Disposition: form-data; name="title"\r\n\r\n')
  await sendAndLeave(Buffer.concat([Buffer.from(`${form.join('\r\n')}\r\n\r\n`), body]), 2500, 'close')
})

test.concurrent.each([
  '/api/x',
  '/',
  '/socket.io/',
  '/socket.io/?EIO=4&transport=websocket',
  '/socket.io/?EIO=4',
])('survives clients that reset an upgrade at %s', async (path) => {
  const attempts = ['websocket', 'h2c', 'x'].flatMap((protocol) => {
    const head = `GET ${path} HTTP/1.1\r\nhost: here\r\nconnection: Upgrade\r\nupgrade: ${protocol}\r\n`
    const key = 'sec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n'
    return [`${head}${key}\r\ngarbage`, `${head}\r\n`].flatMap((bytes) =>
      [0, 5, 50, 500].map((openMs) => sendAndLeave(bytes, openMs, 'reset')),
    )
  })
  await Promise.all(attempts)
})

test('leaves no file of an upload whose connection is lost', async () => {
  const start = [
    '--fence\r\ncontent-disposition: form-data; name="title"\r\n\r\nPlums\r\n',
    '--fence\r\ncontent-disposition: form-data; name="image"; filename="a.png"\r\ncontent-type: image/png\r\n\r\n',
  ].join('')
  const body = Buffer.concat([
    Buffer.from(start),
    Buffer.alloc(20_000, 'x'),
    Buffer.from('\r\n--fence--\r\n'),
  ])
  const head = [
    'POST /api/listings HTTP/1.1',
    'host: here',
    `authorization: Bearer ${ann.token}`,
    'content-type: multipart/form-data; boundary=fence',
  ].join('\r\n')
  for (let round = 0; round < 10; round += 1) {
    const share = (round % 10) / 10
    const length = round % 3 === 0 ? body.length + 1000 : body.length
    const bytes = Buffer.concat([
      Buffer.from(`${head}\r\ncontent-length: ${length}\r\n\r\n`),
      body.subarray(0, start.length + Math.round(share * (body.length - start.length))),
    ])
    const how = round % 2 === 0 ? 'reset' : 'close'
    await Promise.all(Array.from({ length: 9 }, (_, index) => sendAndLeave(bytes, 2 * index, how)))
  }
  await expect.poll(() => server.uploads()).toEqual([])
})

test.each([
  ['/api/listings', 'image'],
  ['/api/auth/upload-profile-image', 'file'],
])('leaves no file of a form to %s with an empty photo before another one', async (path, name) => {
  const photo = (bytes: string) =>
    `--fence\r\ncontent-disposition: form-data; name="${name}"; filename="a.png"\r\n\r\n${bytes}\r\n`
  const headers = {
    authorization: `Bearer ${ann.token}`,
    'content-type': 'multipart/form-data; boundary=fence',
  }
  const body = `${photo('')}${photo('')}${photo('x')}--fence--`
  const { status } = await sendRequest(server.url, 'POST', path, headers, body)
  expect([415, 422]).toContain(status)
  await expect.poll(() => server.uploads()).toEqual([])
})
