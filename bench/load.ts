// The process that loads the server: takes an order as JSON, prints what it measured as JSON. It does little else, as it
// shares a core with PostgreSQL: autocannon takes twice the time for an answer.
import { connect } from 'node:net'
import { type Sample, sampleOf } from './sample.ts'

export interface LoadOrder {
  /** On 127.0.0.1. */
  readonly port: number
  readonly seconds: number
  /** So long it asks before anything counts. */
  readonly leadInSeconds: number
  /** The `Accept-Encoding` header. */
  readonly accepts: string
  /** The requests of each connection, repeated in a circle. */
  readonly connections: readonly (readonly { readonly path: string; readonly token: string }[])[]
}

const headEnd = '\r\n\r\n'

interface Time {
  readonly start: number
  readonly end: number
}

/** Keeps one request under way on a connection until the time is over; adds what each took that was sent in it, in milliseconds. */
function keepAsking(port: number, requests: readonly Buffer[], { start, end }: Time, took: number[]) {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  let asked = 0
  let sent = 0
  /** Bytes of the answer that are still to come; undefined while its head is not whole. */
  let missing: number | undefined
  let head = ''

  function ask() {
    sent = performance.now()
    missing = undefined
    head = ''
    socket.write(requests[asked % requests.length] ?? '')
    asked += 1
  }

  function read(chunk: Buffer) {
    if (missing !== undefined) missing -= chunk.length
    else {
      const before = head.length
      head += chunk.toString('latin1')
      const at = head.indexOf(headEnd)
      if (at < 0) return
      const length = /^content-length: (\d+)\r$/im.exec(head.slice(0, at + 2))?.[1]
      if (!head.startsWith('HTTP/1.1 200 ') || length === undefined)
        return reject(new Error(`The server answered ${head.slice(0, at)}`))
      missing = at + headEnd.length + Number(length) - before - chunk.length
    }
    if (missing > 0) return
    const now = performance.now()
    if (sent >= start) took.push(now - sent)
    if (now < end) ask()
    else socket.end(resolve)
  }

  socket.on('connect', ask).on('data', read).on('error', reject)
  socket.on('close', () => reject(new Error('The server closed a connection')))
  return promise
}

async function load({ port, seconds, leadInSeconds, accepts, connections }: LoadOrder): Promise<Sample> {
  const requests = connections.map((asked) =>
    asked.map(({ path, token }) =>
      Buffer.from(
        `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: Bearer ${token}\r\naccept-encoding: ${accepts}\r\n\r\n`,
      ),
    ),
  )
  const took: number[] = []
  const start = performance.now() + leadInSeconds * 1000
  const end = start + seconds * 1000
  await Promise.all(requests.map((asked) => keepAsking(port, asked, { start, end }, took)))
  return sampleOf((took.length * 1000) / (performance.now() - start), took)
}

const parts: Buffer[] = []
for await (const part of process.stdin) parts.push(part)
process.stdout.write(JSON.stringify(await load(JSON.parse(Buffer.concat(parts).toString()))))
