import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, expect, test } from 'vitest'
import { createMetrics } from '#server/platform/metrics.ts'
import { noTokenBuckets } from '#server/platform/token-buckets.ts'
import { plainSite } from '#test/plain-site.ts'
import { builtClient } from './built-client.ts'
import { servePages } from './pages.ts'
import { createServer } from './server.ts'

const folder = await mkdtemp(join(tmpdir(), 'pages-'))
await mkdir(join(folder, 'assets'))
await writeFile(join(folder, 'assets', 'app.js'), 'export const answer = 42')
const renderer = join(folder, 'server.mjs')
await writeFile(
  renderer,
  `export async function renderPage({ url }, { nonce, member, hasCookie, ssr, language }) {
    const { pathname } = new URL(url)
    if (pathname === '/failing/loader' && ssr) throw new Error('no beans')
    if (pathname === '/failing/screen' && ssr) return new Response(null, { status: 500 })
    if (pathname === '/failing') throw new Error('no shell')
    if (pathname === '/moved') return new Response(null, { status: 307, headers: { location: '/listings' } })
    const body = JSON.stringify({ nonce, member, hasCookie, ssr, language })
    return new Response(body, { status: pathname === '/no-such-page' ? 404 : 200 })
  }`,
)
const logged: { msg: string }[] = []
const http = await createServer({
  log: pino({ level: 'warn' }, { write: (line) => logged.push(JSON.parse(line)) }),
  metrics: createMetrics(),
  trustedProxies: [],
  https: false,
})
const metrics = createMetrics()
const client = await builtClient(folder, renderer)
if (client === undefined) throw new Error('The renderer was not found')
await servePages(http, client, {
  ...plainSite,
  publicUrl: 'https://rhubarb.test',
  ssr: true,
  https: true,
  tokenBuckets: noTokenBuckets,
  outcomes: metrics.ssr,
  findMember: async (token) => {
    if (token === 'valid') return { id: 7, username: 'ann', language: null }
    return token === 'spanish' ? { id: 8, username: 'ines', language: 'es' } : undefined
  },
})
afterAll(async () => {
  await http.close()
  await rm(folder, { recursive: true })
})

test.each(['/', '/login', '/login/', '/login?next=%2F', '/listings/7'])('renders %s', async (url) => {
  expect(await http.inject(url)).toMatchObject({ statusCode: 200 })
  expect(await http.inject({ method: 'HEAD', url })).toMatchObject({ statusCode: 200 })
})

test('responds with the status and redirect of a page', async () => {
  expect(await http.inject('/no-such-page')).toMatchObject({ statusCode: 404 })
  const { statusCode, headers } = await http.inject('/moved')
  expect([statusCode, headers.location]).toEqual([307, '/listings'])
})

test.each([
  ['/failing/loader', 200, 'fallback', ['A page could not be rendered, so it is the app shell']],
  ['/failing/screen', 200, 'fallback', ['A page could not be rendered, so it is the app shell']],
  [
    '/failing',
    500,
    'failed',
    ['A page could not be rendered, so it is the app shell', 'A request failed unexpectedly'],
  ],
  ['/login', 200, 'rendered', []],
])('%s answers %i and is counted as %s', async (url, status, outcome, messages) => {
  metrics.ssr.reset()
  logged.length = 0
  const { statusCode, body } = await http.inject(url)
  expect(statusCode).toBe(status)
  if (status === 200) expect(JSON.parse(body)).toMatchObject({ ssr: outcome === 'rendered' })
  expect((await metrics.ssr.get()).values).toMatchObject([{ labels: { outcome }, value: 1 }])
  expect(logged.map(({ msg }) => msg)).toEqual(messages)
})

test("each response has its own nonce, in the policy and in the page's scripts", async () => {
  const nonces = await Promise.all(
    ['/login', '/login'].map(async (url) => {
      const { headers, body } = await http.inject(url)
      const { nonce } = JSON.parse(body)
      expect(headers['content-security-policy']).toContain(`script-src 'self' 'nonce-${nonce}';`)
      expect(headers['content-security-policy']).not.toContain('unsafe')
      return nonce
    }),
  )
  expect(new Set(nonces).size).toBe(2)
})

test('a page has no validator, because a 304 would combine the stored page with the policy of another', async () => {
  const { headers } = await http.inject('/login')
  expect(headers).not.toHaveProperty('etag')
  expect(headers).not.toHaveProperty('last-modified')
  const conditions = { 'if-none-match': '*', 'if-modified-since': new Date().toUTCString() }
  expect(await http.inject({ url: '/login', headers: conditions })).toMatchObject({ statusCode: 200 })
})

test("a member's page must not be stored and varies by the cookie", async () => {
  const { headers, body } = await http.inject({
    url: '/listings',
    headers: { cookie: 'a=b; __Host-login=valid' },
  })
  expect(headers).toMatchObject({
    'cache-control': 'private, no-store',
    vary: expect.stringContaining('cookie'),
  })
  expect(JSON.parse(body)).toMatchObject({
    member: { id: 7, username: 'ann' },
    hasCookie: true,
  })
})

test.each([
  ['an unknown session', '__Host-login=revoked', {}, true],
  ['a cookie that another host may have set', 'login=valid', {}, false],
  ['no cookie', '', {}, false],
  ['a request for an image', '__Host-login=valid', { 'sec-fetch-dest': 'image' }, true],
])('a page is rendered without a member for %s', async (_, cookie, more, hasCookie) => {
  const { headers, body } = await http.inject({ url: '/listings', headers: { cookie, ...more } })
  expect(headers['cache-control']).toBe('no-cache')
  expect(JSON.parse(body)).toMatchObject({ hasCookie })
  expect(JSON.parse(body).member).toBeUndefined()
})

test.each<[string, string, number]>([
  ['range', 'bytes=0-5', 206],
  ['range', 'bytes=-6', 206],
  ['range', 'bytes=99-', 416],
  ['range', 'bytes=99-1', 416],
  ['range', 'bytes=-0', 416],
  ['range', `bytes=${'9'.repeat(400)}-`, 416],
  ['range', 'bytes=0-1,3-4', 200],
  ['range', 'bytes=x', 416],
  ['range', 'lines=1-2', 200],
  ['if-match', '"another"', 412],
  ['if-match', 'nonsense', 412],
  ['if-match', '*', 200],
  ['if-unmodified-since', 'Thu, 01 Jan 1970 00:00:00 GMT', 412],
  ['if-unmodified-since', 'nonsense', 200],
])('a static file requested with %s: %s returns %i', async (name, value, status) => {
  const response = await http.inject({ url: '/assets/app.js', headers: { [name]: value } })

  expect(response.statusCode).toBe(status)
  if (status < 400) return
  expect(response.headers['content-type']).toContain('application/problem+json')
  expect(response.headers['content-range']).toBe(status === 416 ? 'bytes */24' : undefined)
  expect(response.json()).toMatchObject({ status, detail: expect.stringMatching(/^This /) })
})

test('returns 404 for longer URLs than any page has', async () => {
  for (const url of [
    `/login${'/'.repeat(2000)}`,
    `/${'/'.repeat(15_000)}x`,
    `/login/${'a'.repeat(1000)}?x=1`,
    `/?a=${'['.repeat(5000)}${']'.repeat(5000)}`,
  ]) {
    const response = await http.inject(url)
    expect(response.statusCode).toBe(404)
    expect(response.headers['content-type']).toContain('application/problem+json')
  }
})

test.each([
  ['a guest whose browser prefers Spanish', { 'accept-language': 'es-MX,es;q=0.9,en;q=0.5' }, 'es'],
  ['a guest who has chosen English', { 'accept-language': 'es', cookie: 'lang=en' }, 'en'],
  ['a guest who has chosen Spanish', { cookie: 'a=b; lang=es' }, 'es'],
  ['a guest with an unknown choice', { cookie: 'lang=constructor', 'accept-language': 'es' }, 'es'],
  ['a guest whose browser names no language', {}, 'en'],
  [
    'a member whose language is Spanish',
    { cookie: '__Host-login=spanish; lang=en', 'accept-language': 'en' },
    'es',
  ],
  ['a member without a language', { cookie: '__Host-login=valid; lang=es' }, 'es'],
])('renders the page of %s in their language', async (_, headers, language) => {
  const { body, headers: received } = await http.inject({ url: '/login', headers })

  expect(JSON.parse(body)).toMatchObject({ language })
  expect(received.vary).toContain('accept-language')
})
