import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import fc, { type Arbitrary } from 'fast-check'
import { allEndpoints } from '#test/endpoints.ts'
import type { CanaryReport } from './canary.ts'
import { photoForms } from './photo-forms.ts'
import { type HostileRequest, hostileRequests } from './requests.ts'
import type { startServerProcess } from './server-process.ts'

/** The way a request is sent. */
interface Delivery {
  readonly coding: string | undefined
  readonly isCompressed: boolean
  readonly framing: 'length' | 'too long' | 'too short' | 'chunks' | 'broken chunks' | 'both' | 'none'
  readonly upgrade: string | undefined
  readonly headers: Readonly<Record<string, string>>
  /** The share of the bytes that is sent. */
  readonly share: number
  readonly pieces: number
  readonly ending: 'wait' | 'close' | 'half-close' | 'reset' | 'reset at the response'
  readonly openMs: number
}

const anyDelivery: Arbitrary<Delivery> = fc.record({
  coding: fc.oneof(
    { weight: 3, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constantFrom('gzip', 'br', 'deflate', 'zstd', 'identity', 'x', '') },
  ),
  isCompressed: fc.boolean(),
  framing: fc.constantFrom(
    'length',
    'length',
    'too long',
    'too short',
    'chunks',
    'broken chunks',
    'both',
    'none',
  ),
  upgrade: fc.oneof(
    { weight: 4, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constantFrom('websocket', 'h2c', 'x') },
  ),
  headers: fc.oneof(
    { weight: 3, arbitrary: fc.constant({}) },
    {
      weight: 1,
      arbitrary: fc.record(
        {
          range: fc.constantFrom('bytes=0-5', 'bytes=99999999-', 'bytes=9-1', 'x'),
          'if-match': fc.constantFrom('"x"', '*', 'x'),
          'if-none-match': fc.constantFrom('"x"', '*'),
          'if-unmodified-since': fc.constantFrom('Thu, 01 Jan 1970 00:00:00 GMT', 'x'),
          expect: fc.constantFrom('100-continue', 'x'),
          'accept-encoding': fc.constantFrom('gzip', 'br;q=2', '*;q=0', 'x'.repeat(5000)),
          connection: fc.constantFrom('close', 'keep-alive', 'x'),
          origin: fc.constantFrom('null', 'https://evil.example', 'x'),
        },
        { requiredKeys: [] },
      ),
    },
  ),
  share: fc.oneof(
    { weight: 3, arbitrary: fc.constant(1) },
    { weight: 2, arbitrary: fc.double({ min: 0, max: 1, noNaN: true }) },
  ),
  pieces: fc.integer({ min: 1, max: 4 }),
  ending: fc.constantFrom('wait', 'wait', 'wait', 'close', 'half-close', 'reset', 'reset at the response'),
  openMs: fc.constantFrom(0, 0, 1, 5, 50, 400),
})

/** Breaks only the end or the connection, so that most of a form is parsed. */
const formDelivery: Arbitrary<Delivery> = fc.record({
  coding: fc.constant(undefined),
  isCompressed: fc.constant(false),
  framing: fc.constantFrom('length', 'length', 'length', 'chunks', 'too long'),
  upgrade: fc.constant(undefined),
  headers: fc.constant({}),
  share: fc.constant(1),
  pieces: fc.integer({ min: 1, max: 4 }),
  ending: fc.constantFrom('wait', 'wait', 'wait', 'close', 'half-close', 'reset'),
  openMs: fc.constantFrom(0, 1, 5, 50, 400),
})

const get = (path: string): HostileRequest => ({
  method: 'GET',
  path,
  headers: {},
  body: undefined,
  withToken: true,
})
const pages = fc
  .constantFrom(
    '/',
    '/login',
    '/listings/1',
    '/livez',
    '/readyz',
    '/favicon.ico',
    '/sw.js',
    '/outbox',
    '/outbox/x',
    '/assets/x.js',
    '/api/docs',
    '/api/openapi.json',
    '/api/images/x.webp',
    '/socket.io/?EIO=4&transport=websocket',
    '/socket.io/?EIO=4&transport=polling',
    '/socket.io/',
    `/${'/'.repeat(15_000)}x`,
    `/api/${'..%2f'.repeat(2000)}`,
  )
  .map(get)

/** Texts that are slow to normalize, and large invalid forms. */
const heavy: Arbitrary<HostileRequest> = fc.constantFrom(
  ...['/api/auth/login', '/api/auth/register', '/api/listings', '/api/messages'].map((path) => ({
    method: 'POST',
    path,
    headers: {
      'content-type': path.endsWith('login') ? 'application/x-www-form-urlencoded' : 'application/json',
    },
    body: Buffer.from(
      path.endsWith('login')
        ? `username=${'\u0301\u0316'.repeat(15_000)}&password=x`
        : JSON.stringify({
            title: '\u0301\u0316'.repeat(15_000),
            content: '\u0301\u0316'.repeat(100),
            first_name: 'e',
          }),
    ),
    withToken: true,
  })),
  ...['/api/listings', '/api/auth/upload-profile-image'].map((path) => ({
    method: 'POST',
    path,
    headers: { 'content-type': 'multipart/form-data; boundary=fence' },
    body: Buffer.alloc(5_000_000, '--fence\r\nContent-Disposition: form-data; name="title"\r\n\r\n'),
    withToken: true,
  })),
)

function toBytes(
  { method, path, headers, body, withToken }: HostileRequest,
  delivery: Delivery,
  token: string,
): Buffer {
  let content: Buffer = body ?? Buffer.alloc(0)
  if (delivery.coding !== undefined && delivery.isCompressed && content.length < 100_000)
    content = delivery.coding === 'br' ? brotliCompressSync(content) : gzipSync(content)
  const { length } = content
  const all: Record<string, string> = { host: 'localhost', ...headers, ...delivery.headers }
  if (withToken) all.authorization = `Bearer ${token}`
  if (delivery.coding !== undefined) all['content-encoding'] = delivery.coding
  if (delivery.upgrade !== undefined) {
    all.connection = 'Upgrade'
    all.upgrade = delivery.upgrade
    all['sec-websocket-version'] = '13'
    all['sec-websocket-key'] = 'AAAAAAAAAAAAAAAAAAAAAA=='
  }
  const hasLength =
    ['length', 'too long', 'too short', 'both'].includes(delivery.framing) && body !== undefined
  const hasChunks = ['chunks', 'broken chunks', 'both'].includes(delivery.framing)
  if (hasLength) {
    const extra =
      delivery.framing === 'too long' ? 1000 : delivery.framing === 'too short' ? -Math.min(length, 3) : 0
    all['content-length'] = String(length + extra)
  }
  if (hasChunks) {
    all['transfer-encoding'] = 'chunked'
    const size = delivery.framing === 'broken chunks' ? 'zz' : length.toString(16)
    content = Buffer.concat([Buffer.from(`${size}\r\n`), content, Buffer.from('\r\n0\r\n\r\n')])
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  const head = Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1')
  const whole = Buffer.concat([head, content])
  return whole.subarray(0, Math.ceil(whole.length * delivery.share))
}

const maxWaitMs = 4000
const quietMs = 100

/** Sends bytes according to the delivery. Resolves to the response when the connection is closed. */
function deliver(port: number, bytes: Buffer, { pieces, ending, openMs }: Delivery): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port })
    let response = ''
    let quiet: NodeJS.Timeout | undefined
    const limit = setTimeout(() => socket.destroy(), maxWaitMs)
    socket.setEncoding('latin1').on('data', (part: string) => {
      if (ending === 'reset at the response') return socket.resetAndDestroy()
      if (response.length < 4000) response += part
      clearTimeout(quiet)
      quiet = setTimeout(() => socket.destroy(), quietMs)
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      clearTimeout(limit)
      clearTimeout(quiet)
      resolve(response)
    })
    socket.on('connect', async () => {
      const size = Math.ceil(bytes.length / pieces)
      for (let at = 0; at < bytes.length && !socket.destroyed; at += size) {
        socket.write(bytes.subarray(at, at + size))
        if (pieces > 1) await sleep(1)
      }
      if (ending === 'wait' || ending === 'reset at the response') return
      await sleep(openMs)
      if (ending === 'reset') socket.resetAndDestroy()
      else if (ending === 'close') socket.destroy()
      else socket.end()
    })
  })
}

export interface FuzzOptions {
  readonly server: Awaited<ReturnType<typeof startServerProcess>>
  readonly tokens: readonly string[]
  readonly requests: number
  readonly concurrency: number
  readonly seed: number
  /** No request starts after this time. */
  readonly withinMs: number
  readonly report?: (line: string) => void
}

/** Sends seeded hostile requests to a server process while a canary calls it continuously. */
export async function fuzz({ server, tokens, requests, concurrency, seed, withinMs, report }: FuzzOptions) {
  const endpoints = await allEndpoints()
  const request = fc.oneof(
    { weight: 60, arbitrary: fc.tuple(hostileRequests(endpoints), anyDelivery) },
    { weight: 20, arbitrary: fc.tuple(pages, anyDelivery) },
    { weight: 1, arbitrary: fc.tuple(heavy, anyDelivery) },
    { weight: 8, arbitrary: fc.tuple(await photoForms(), formDelivery) },
  )
  const port = Number(new URL(server.url).port)
  const results: Results = { sent: 0, statuses: {}, failures: [] }
  const recent: string[] = []
  const canary = new Worker(new URL('./canary.ts', import.meta.url), {
    workerData: { url: server.url, token: tokens[0] },
  })
  await once(canary, 'message')
  const started = performance.now()
  const draw = drawInBatches(request, seed, Math.min(requests, maxBatchSize))
  let next = 0

  async function sendAll() {
    while (next < requests && server.isRunning() && performance.now() - started < withinMs) {
      const [hostile, delivery] = draw(next)
      next += 1
      const number = next
      const name = `${number}: ${hostile.method} ${hostile.path.slice(0, 100)} ${JSON.stringify(delivery)}`
      recent.push(name)
      if (recent.length > 2 * concurrency) recent.shift()
      const bytes = toBytes(hostile, delivery, tokens[number % tokens.length] ?? '')
      countResponses(results, name, await deliver(port, bytes, delivery))
      if (report && results.sent % 2000 === 0) {
        const { rss } = await server.memory()
        const seconds = Math.round((performance.now() - started) / 1000)
        report(`${results.sent} requests, ${seconds} s, ${Math.round(rss)} MiB`)
      }
    }
  }

  const before = await server.memory()
  await Promise.all(Array.from({ length: concurrency }, sendAll))
  const seconds = (performance.now() - started) / 1000
  const finished = new Promise<CanaryReport>((resolve) => canary.once('message', resolve))
  canary.postMessage('stop')
  const canaryReport = await finished
  const isRunning = server.isRunning()
  const memory = isRunning ? await server.memory() : { rss: 0, peak: 0 }
  return {
    seed,
    seconds,
    ...results,
    canary: canaryReport,
    memory: { before: before.rss, after: memory.rss, peak: memory.peak },
    isRunning,
    /** The requests before the server ended. */
    recent: isRunning ? [] : recent,
  }
}

interface Results {
  sent: number
  /** The number of responses by status; `none` counts requests without one. */
  readonly statuses: Record<string, number>
  /** Responses that are 5xx, other than 503 with `Retry-After`. */
  readonly failures: string[]
}

/** Counts the responses to a request. It can have several, because its bytes may be parsed as several requests. */
function countResponses(results: Results, name: string, text: string): void {
  const { statuses, failures } = results
  results.sent += 1
  const found = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status = '']) => status)
  if (found.length === 0) statuses.none = (statuses.none ?? 0) + 1
  for (const status of found) {
    statuses[status] = (statuses[status] ?? 0) + 1
    const isRefusal = status === '503' && /^retry-after:/im.test(text)
    if (status.startsWith('5') && !isRefusal) failures.push(`${name}\n${text.slice(0, 500)}`)
  }
}

const maxBatchSize = 500

/** Returns a function that draws the request with an index. Indexes must ascend by one. Each batch has its own seed. */
function drawInBatches(request: Arbitrary<[HostileRequest, Delivery]>, seed: number, batchSize: number) {
  let batch: [HostileRequest, Delivery][] = []
  return (index: number) => {
    if (index % batchSize === 0)
      batch = fc.sample(request, { seed: seed + index / batchSize, numRuns: batchSize })
    return batch[index % batchSize] as [HostileRequest, Delivery]
  }
}

/** Returns a summary of a run in a few lines, with the seed. */
export function summaryOf(run: Awaited<ReturnType<typeof fuzz>>): string {
  const { seed, sent, seconds, statuses, failures, canary, memory, isRunning, recent } = run
  return [
    `seed ${seed}: ${sent} requests in ${seconds.toFixed(0)} s; the server ${isRunning ? 'runs' : 'ENDED'}`,
    `responses: ${JSON.stringify(statuses)}; 5xx other than 503 with Retry-After: ${failures.length}`,
    `canary: ${canary.responses} responses, ${canary.failures} failures, slowest ${canary.slowestMs.toFixed(0)} ms, median ${canary.medianMs.toFixed(0)} ms`,
    `memory: ${memory.before.toFixed(0)} MiB before, ${memory.after.toFixed(0)} MiB after, ${memory.peak.toFixed(0)} MiB at most`,
    ...failures.slice(0, 5),
    ...recent.slice(-20),
  ].join('\n')
}
