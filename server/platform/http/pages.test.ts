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
  '<html><head><title>Rhubarb</title><!-- frame --><script src="/first.js"></script><!-- frame --></head><body><div id="root"></div><!-- frame --><nav></nav><!-- frame --><script type="module" src="/a.js"></script>'
await mkdir(join(folder, 'assets'))
await writeFile(join(folder, 'assets', 'app.js'), 'export const answer = 42')
await writeFile(join(folder, 'landing.html'), '<h1>Welcome</h1>')
await writeFile(join(folder, 'index.html'), app)
await writeFile(
  join(folder, 'places.json'),
  JSON.stringify([
    { path: '^/login$', scripts: ['assets/login.js'], styles: [], framed: false },
    {
      path: '^/listings/[^/]+$',
      scripts: ['assets/listing.js'],
      styles: ['assets/listing.css'],
      framed: true,
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
  firstAnswers: async ({ url }) =>
    url.endsWith('7')
      ? { member: 3, answers: [{ address: '/api/a', link: null, json: '"</script>\u2028"' }] }
      : undefined,
  looks: {
    begin: async () => undefined,
    draw: async ({ path }) =>
      path === '/listings/77' ? { markup: '<main>$& it is</main>', title: 'A & B' } : undefined,
    stop: async () => undefined,
  },
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
    expect(body).not.toContain('<nav>')
  },
)

test("a member's page has the frame and names its screen's scripts, which may wait; a guest's has none", async () => {
  const { body: listing } = await http.inject('/listings/8')
  expect(listing).toContain('<script src="/first.js"></script>')
  expect(listing).toContain('<nav></nav>')
  expect(listing).toContain('<link rel="stylesheet" crossorigin href="/assets/listing.css">')
  expect(listing).toContain(
    '<link rel="modulepreload" fetchpriority="low" crossorigin href="/assets/listing.js">',
  )
  expect(listing).toContain('<script type="module" fetchpriority="low" src="/a.js">')

  const { body: login } = await http.inject('/login')
  expect(login).not.toMatch(/first|<nav>/)
  expect(login).toContain('<div id="root">')
  expect(login).toContain('<link rel="modulepreload" crossorigin href="/assets/login.js">')
})

test('a page brings its member the answers, and nobody keeps it', async () => {
  const { body, headers } = await http.inject('/listings/7')
  expect(headers).toMatchObject({
    'cache-control': 'private, no-store',
    vary: expect.stringContaining('cookie'),
  })
  expect(body).toContain(
    '<nav></nav><!-- frame --><script'.replace('<!-- frame -->', '') +
      ' type="application/json" id="brought">[{"address":"/api/a","link":null,"body":"\\u003c/script>\\u2028"}]</script>',
  )
  expect(body).toContain('<script type="module" fetchpriority="low" src="/a.js">')

  const { headers: ofNobody } = await http.inject('/listings/8')
  expect(ofNobody).toMatchObject({ 'cache-control': 'no-cache', vary: expect.stringContaining('cookie') })
})

test('with a look no browser fetches the scripts of the app by itself', async () => {
  const { body } = await http.inject('/listings/77')
  expect(body).toContain('<div id="root" class="look"><main>$& it is</main></div>')
  expect(body).not.toContain('<nav>')
  expect(body).not.toMatch(/type="module"|rel="modulepreload"/)
  expect(body).toContain('<link rel="later" crossorigin href="/assets/listing.js">')
  expect(body).toContain('<title>A &amp; B')
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
