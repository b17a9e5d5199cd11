// The load generator. Reads its options as JSON and prints the measurements as JSON. It has its own HTTP client, because it shares a
// core with PostgreSQL and autocannon needs twice the CPU time per response.
import { connect } from 'node:net'
import { type Sample, sampleOf } from './sample.ts'

export interface LoadOptions {
  /** The port on 127.0.0.1. */
  readonly port: number
  readonly seconds: number
  /** The seconds of warm-up before the measurement. */
  readonly leadInSeconds: number
  /** The `Accept-Encoding` header. */
  readonly acceptEncoding: string
  /** The requests of each connection, repeated cyclically. */
  readonly connections: readonly (readonly { readonly path: string; readonly token: string }[])[]
}

const headEnd = '\r\n\r\n'

/** The period of the measurement, in milliseconds of `performance.now()`. */
interface Period {
  readonly start: number
  readonly end: number
}

/** Keeps one request in flight on a connection until the period is over. Adds the latency of each in milliseconds. */
function sendRequests(
  port: number,
  requests: readonly Buffer[],
  { start, end }: Period,
  latencies: number[],
) {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  let requestCount = 0
  let sent = 0
  /** The remaining bytes of the response, or undefined until its headers are complete. */
  let missing: number | undefined
  let head = ''

  function sendNext() {
    sent = performance.now()
    missing = undefined
    head = ''
    socket.write(requests[requestCount % requests.length] ?? '')
    requestCount += 1
  }

  function read(chunk: Buffer) {
    if (missing !== undefined) missing -= chunk.length
    else {
      const before = head.length
      head += chunk.toString('latin1')
      const headLength = head.indexOf(headEnd)
      if (headLength < 0) return
      const length = /^content-length: (\d+)\r$/im.exec(head.slice(0, headLength + 2))?.[1]
      if (!head.startsWith('HTTP/1.1 200 ') || length === undefined)
        return reject(new Error(`The server answered ${head.slice(0, headLength)}`))
      missing = headLength + headEnd.length + Number(length) - before - chunk.length
    }
    if (missing > 0) return
    const now = performance.now()
    if (sent >= start) latencies.push(now - sent)
    if (now < end) sendNext()
    else socket.end(resolve)
  }

  socket.on('connect', sendNext).on('data', read).on('error', reject)
  socket.on('close', () => reject(new Error('The server closed a connection')))
  return promise
}

async function load({
  port,
  seconds,
  leadInSeconds,
  acceptEncoding,
  connections,
}: LoadOptions): Promise<Sample> {
  const requests = connections.map((own) =>
    own.map(({ path, token }) =>
      Buffer.from(
        `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: Bearer ${token}\r\naccept-encoding: ${acceptEncoding}\r\n\r\n`,
      ),
    ),
  )
  const latencies: number[] = []
  const start = performance.now() + leadInSeconds * 1000
  const end = start + seconds * 1000
  await Promise.all(requests.map((own) => sendRequests(port, own, { start, end }, latencies)))
  return sampleOf((latencies.length * 1000) / (performance.now() - start), latencies)
}

const parts: Buffer[] = []
for await (const part of process.stdin) parts.push(part)
process.stdout.write(JSON.stringify(await load(JSON.parse(Buffer.concat(parts).toString()))))
