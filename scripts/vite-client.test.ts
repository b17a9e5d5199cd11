import { pino } from 'pino'
import { afterAll, expect, test } from 'vitest'
import { servePages } from '#server/platform/http/pages.ts'
import { createServer } from '#server/platform/http/server.ts'
import { createMetrics } from '#server/platform/metrics.ts'
import { noTokenBuckets } from '#server/platform/token-buckets.ts'
import { freePort } from '#test/free-port.ts'
import { plainSite } from '#test/plain-site.ts'
import { openViteClient } from './vite-client.ts'

const log = pino({ level: 'silent' })
const metrics = createMetrics()
const http = await createServer({ log, metrics, trustedProxies: [], https: false })
http.get('/api/beans', async () => ({ beans: 3 }))
const port = await freePort()
await servePages(http, await openViteClient(port), {
  ...plainSite,
  publicUrl: 'http://localhost:3000',
  ssr: true,
  https: false,
  tokenBuckets: noTokenBuckets,
  outcomes: metrics.ssr,
  findMember: async () => undefined,
})
// Vite answers to the response of Node, so requests need a connection.
const url = await http.listen({ port: 0, host: '127.0.0.1' })
afterAll(() => http.close())

test('renders pages on the server, with the nonce of their policy on every inline script', async () => {
  const response = await fetch(`${url}/login`)
  const policy = response.headers.get('content-security-policy') ?? ''
  const nonce = /script-src 'self' '(nonce-[^']+)'/.exec(policy)?.[1]?.replace('nonce-', '')
  const html = await response.text()

  expect(response.status).toBe(200)
  expect(html).toContain('<h1')
  const scripts = html.match(/<script\b[^>]*>/g) ?? []
  expect(scripts.length).toBeGreaterThan(0)
  for (const script of scripts) expect(script).toContain(`nonce="${nonce}"`)
  // The module runner's import exists on the server only.
  expect(html).not.toContain('__vite_ssr')
  expect(policy).toContain(`connect-src 'self' ws://localhost:${port}`)
})

test('serves modules of the client, also those below /api, and leaves the API to the node', async () => {
  expect(await (await fetch(`${url}/api/beans`)).json()).toEqual({ beans: 3 })
  for (const path of ['/client.tsx', '/api/api-error.ts', '/@vite/client']) {
    const response = await fetch(url + path)
    expect(response.headers.get('content-type'), path).toContain('javascript')
    expect(response.status, path).toBe(200)
  }
})
