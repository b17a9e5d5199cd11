import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, expect, test } from 'vitest'
import { createMetrics } from '#server/platform/metrics.ts'
import { servePages } from './pages.ts'
import { createServer } from './server.ts'

const folder = await mkdtemp(join(tmpdir(), 'pages-'))
const app =
  '<html><head><title>Rhubarb</title></head><body><div id="root"></div><script type="module" src="/a.js"></script>'
await mkdir(join(folder, 'assets'))
await writeFile(join(folder, 'assets', 'app.js'), 'export const answer = 42')
await writeFile(join(folder, 'landing.html'), '<h1>Welcome</h1>')
await writeFile(join(folder, 'index.html'), app)
await writeFile(
  join(folder, 'places.json'),
  JSON.stringify([
    { path: '^/login$', scripts: ['assets/login.js'], styles: [] },
    {
      path: '^/listings/[^/]+$',
      scripts: ['assets/listing.js'],
      styles: ['assets/listing.css'],
    },
  ]),
)
const http = await createServer({
  log: pino({ level: 'silent' }),
  metrics: createMetrics(),
  trustedProxies: [],
  https: false,
})
await servePages(http, folder, {
  site: { support_email: 'help@rhubarb.example', social_links: [] },
})
afterAll(async () => {
  await http.close()
  await rm(folder, { recursive: true })
})

test.each(['/', '/login', '/login/', '/Login', '/login?next=%2F', '/listings/7', '/listings/zucchini'])(
  '%s is an address: 200',
  async (url) => {
    expect(await http.inject(url)).toMatchObject({ statusCode: 200 })
    expect(await http.inject({ method: 'HEAD', url })).toMatchObject({ statusCode: 200 })
  },
)

test.each(['/nowhere', '/listings/7/nowhere', '/login/nowhere', '/nowhere?next=/login'])(
  '%s leads nowhere: 404 with the page that says so',
  async (url) => {
    const { statusCode, headers, body } = await http.inject(url)
    expect(statusCode).toBe(404)
    expect(headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' })
    expect(body).toContain('<div id="root">')
  },
)

test("a page names its screen's scripts and styles", async () => {
  const { body: listing } = await http.inject('/listings/8')
  expect(listing).toContain('<link rel="stylesheet" crossorigin href="/assets/listing.css">')
  expect(listing).toContain('<link rel="modulepreload" crossorigin href="/assets/listing.js">')

  const { body: login } = await http.inject('/login')
  expect(login).toContain('<div id="root">')
  expect(login).toContain('<link rel="modulepreload" crossorigin href="/assets/login.js">')
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
])('a static file asked for with %s: %s is answered with %i', async (name, value, status) => {
  const answer = await http.inject({ url: '/assets/app.js', headers: { [name]: value } })

  expect(answer.statusCode).toBe(status)
  if (status < 400) return
  expect(answer.headers['content-type']).toContain('application/problem+json')
  expect(answer.headers['content-range']).toBe(status === 416 ? 'bytes */24' : undefined)
  expect(answer.json()).toMatchObject({ status, detail: expect.stringMatching(/^This /) })
})

test('a path that is longer than any of ours is 404 before a pattern is tried on it', async () => {
  for (const url of [
    `/login${'/'.repeat(2000)}`,
    `/${'/'.repeat(15_000)}x`,
    `/login/${'a'.repeat(1000)}?x=1`,
  ]) {
    const answer = await http.inject(url)
    expect(answer.statusCode).toBe(404)
    expect(answer.headers['content-type']).toContain('application/problem+json')
  }
})
