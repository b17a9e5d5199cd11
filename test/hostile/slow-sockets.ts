// `node slow-sockets.ts PORT COUNT` opens COUNT slow connections of each kind to a server. Prints a line of JSON for each kind with
// the seconds until the server has closed all of them.
import { connect } from 'node:net'

const [port = 0, count = 0] = process.argv.slice(2).map(Number)
const json = 'host: here\r\ncontent-type: application/json\r\n'
const kinds: Record<string, [first: string, repeated: string]> = {
  silence: ['', ''],
  headers: [`GET /api/listings HTTP/1.1\r\nhost: here\r\n`, 'x-a: b\r\n'],
  body: [`POST /api/auth/reset-password HTTP/1.1\r\n${json}content-length: 5000\r\n\r\n{`, ' '],
  chunks: [
    `POST /api/auth/reset-password HTTP/1.1\r\n${json}transfer-encoding: chunked\r\n\r\n`,
    '1\r\n \r\n',
  ],
  'an upload without a login': [
    'POST /api/listings HTTP/1.1\r\nhost: here\r\ncontent-type: multipart/form-data; boundary=fence\r\ncontent-length: 900000\r\n\r\n--fence\r\n',
    'a',
  ],
  'a handshake': [
    'GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nhost: here\r\nconnection: Upgrade\r\nupgrade: websocket\r\n',
    'x-a: b\r\n',
  ],
  'a silent websocket': [
    'GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nhost: here\r\nconnection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
    '',
  ],
}

/** Sends `first`, then `repeated` every second. Resolves to the seconds until the server closes the connection. */
function hold([first, repeated]: readonly [string, string]): Promise<number> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port })
    socket.on('error', () => {})
    socket.resume()
    const start = performance.now()
    socket.write(first)
    const timer = setInterval(() => socket.write(repeated), 1000)
    socket.on('close', () => {
      clearInterval(timer)
      resolve((performance.now() - start) / 1000)
    })
  })
}

await Promise.all(
  Object.entries(kinds).map(async ([kind, bytes]) => {
    const seconds = await Promise.all(Array.from({ length: count }, () => hold(bytes)))
    process.stdout.write(`${JSON.stringify({ kind, seconds: Math.max(...seconds) })}\n`)
  }),
)
