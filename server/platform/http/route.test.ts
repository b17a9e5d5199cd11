import { afterAll, expect, test } from 'vitest'
import { z } from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import { AppError } from '#server/platform/errors.ts'
import { createLog } from '#server/platform/log.ts'
import { createMetrics } from '#server/platform/metrics.ts'
import { type App, route } from './route.ts'
import { createServer } from './server.ts'

const seed = z.object({ id: z.int(), name: z.string(), note: z.nullable(z.string()) })
const responses = { 200: z.object({ seed, more: z.array(seed) }) }
const getSeed = endpoint({
  method: 'GET',
  path: '/seed',
  summary: 'A seed',
  auth: 'anyone',
  response: responses,
})
const getNothing = endpoint({
  method: 'GET',
  path: '/broken',
  summary: 'Broken',
  auth: 'anyone',
  response: responses,
})
const getFull = endpoint({
  method: 'GET',
  path: '/full',
  summary: 'Writes to a full disk',
  auth: 'anyone',
  response: responses,
})
const getSecret = endpoint({
  method: 'GET',
  path: '/secret',
  summary: 'For members',
  auth: 'member',
  response: responses,
})

const http = await createServer({
  log: createLog('silent'),
  metrics: createMetrics(),
  trustedProxies: [],
  https: false,
})
afterAll(() => http.close())
const members = new Map([
  ['right', { id: 7, session: Buffer.alloc(32) }],
  ['busy', { id: 8, session: Buffer.alloc(32) }],
])
const app: App = {
  http,
  https: false,
  authenticate: async (token) => members.get(token),
  roleOf: async () => undefined,
  mayCall: (member) => member !== 8,
  hasEnded: async () => false,
  runInSession: (_session, work) => work(),
  limitWrites: (_member, write) => write(),
  uploads: { admit: async () => () => {} },
  afterWrite: async () => {},
  endpoints: [],
}
const row = { id: 1, name: 'kale', note: null, password_hash: 'a secret', email: 'ann@example.com' }
const result = { seed: row, more: [row], debug: 'a secret' }
route(app, getSeed, async () => result)
route(app, getNothing, async () => {
  throw new Error('relation "users" does not exist at character 15, password=hunter2')
})
route(app, getFull, async () => {
  throw Object.assign(new Error("ENOSPC: no space left on device, write '/tmp/export.json'"), {
    code: 'ENOSPC',
  })
})
route(app, getSecret, async ({ member }) => {
  if (member.id !== 7) throw new AppError('forbidden', 'Not yours')
  return result
})

test('responses contain only the fields of the contract', async () => {
  const { body } = await http.inject('/seed')

  expect(JSON.parse(body)).toEqual({
    seed: { id: 1, name: 'kale', note: null },
    more: [{ id: 1, name: 'kale', note: null }],
  })
})

test('an unexpected error returns a fixed sentence without details', async () => {
  const { statusCode, body, headers } = await http.inject('/broken')

  expect(statusCode).toBe(500)
  expect(headers['content-type']).toContain('application/problem+json')
  expect(JSON.parse(body)).toEqual({
    type: 'about:blank',
    title: 'Server error',
    status: 500,
    detail: 'Something went wrong on our side. Please try again later.',
  })
})

test('a full disk returns a sentence that does not name photos', async () => {
  const { statusCode, body } = await http.inject('/full')

  expect(statusCode).toBe(507)
  expect(JSON.parse(body).detail).toBe('Our disk is full at the moment. Please try again later.')
})

test('an endpoint for members requires a valid token', async () => {
  const statusWith = async (authorization: string) =>
    (await http.inject({ url: '/secret', headers: { authorization } })).statusCode

  expect(await statusWith('')).toBe(401)
  expect(await statusWith('Bearer wrong')).toBe(401)
  expect(await statusWith('Bearer right')).toBe(200)
})

test('a member over the rate limit gets 429 with Retry-After', async () => {
  const { statusCode, headers } = await http.inject({
    url: '/secret',
    headers: { authorization: 'Bearer busy' },
  })

  expect(statusCode).toBe(429)
  expect(headers['retry-after']).toBe('1')
})
