import { once } from 'node:events'
import { connect } from 'node:net'
import { connect as connectSecurely } from 'node:tls'

export interface RawResponse {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly text: string
}

/**
 * Sends raw bytes and reads the response until the server closes the connection, which the bytes must cause, for example with
 * `connection: close`.
 */
export function sendBytes(server: string, ...bytes: readonly (string | Buffer)[]): Promise<RawResponse> {
  const { protocol, hostname, port } = new URL(server)
  const address = { host: hostname, port: Number(port) }
  return new Promise((resolve, reject) => {
    const socket =
      protocol === 'https:' ? connectSecurely({ ...address, servername: hostname }) : connect(address)
    const parts: Buffer[] = []
    // A server that refuses early resets the connection while the client still sends. Its response counts.
    socket.on('error', (error) => parts.length === 0 && reject(error))
    socket.on('data', (part) => parts.push(part))
    socket.on('close', () => resolve(parseResponse(Buffer.concat(parts))))
    for (const part of bytes) socket.write(part)
  })
}

/** Sends one request with exactly this path and these headers. */
export function sendRequest(
  server: string,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  body: string | Buffer = '',
): Promise<RawResponse> {
  const all = {
    host: new URL(server).host,
    connection: 'close',
    ...(body.length > 0 ? { 'content-length': String(Buffer.byteLength(body)) } : {}),
    ...headers,
  }
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return sendBytes(server, `${method} ${path} HTTP/1.1\r\n${head.join('')}\r\n`, body)
}

/** A request whose headers have arrived and whose body has not. */
export interface OpenRequest {
  /** Sends the rest of the body and reads the response. */
  finish(rest: string | Buffer): Promise<RawResponse>
}

/** Sends the headers of a request and resolves when the server asks for the body (100 Continue). */
export async function openRequest(
  server: string,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  length: number,
): Promise<OpenRequest> {
  const { hostname, port } = new URL(server)
  const socket = connect({ host: hostname, port: Number(port) })
  const parts: Buffer[] = []
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  const all = {
    host: new URL(server).host,
    connection: 'close',
    expect: '100-continue',
    'content-length': String(length),
    ...headers,
  }
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`${method} ${path} HTTP/1.1\r\n${head.join('')}\r\n`)
  const [first] = (await once(socket, 'data')) as [Buffer]
  if (!first.toString('latin1').startsWith('HTTP/1.1 100 ')) throw new Error(`Refused: ${first}`)
  socket.on('data', (part) => parts.push(part))
  // A server that refuses early resets the connection while the client still sends. Its response counts.
  socket.on('error', () => {})
  return {
    async finish(rest) {
      socket.write(rest)
      await closed
      return parseResponse(Buffer.concat(parts))
    },
  }
}

function parseResponse(bytes: Buffer): RawResponse {
  const end = bytes.indexOf('\r\n\r\n')
  const [first = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n')
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
  })
  return {
    status: Number(first.split(' ')[1]),
    headers: new Map(headers),
    text: bytes.subarray(end + 4).toString('utf8'),
  }
}
