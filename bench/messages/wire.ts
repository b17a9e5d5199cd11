// A Socket.IO client that does little else than send and count, as it shares a core with PostgreSQL.
import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'

export interface Wire {
  /** Sends an event that is acknowledged under a number. */
  send(number: number, event: string, payload: unknown): void
  end(): void
}

export interface Heard {
  /** The acknowledgement of a number. */
  answer(number: number, text: string): void
  event(text: string): void
}

/** Opens a connection and logs in. Rejects when the server refuses. */
export function openWire(port: number, token: string, heard: Heard): Promise<Wire> {
  const { promise, resolve, reject } = Promise.withResolvers<Wire>()
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  let rest: Buffer = Buffer.alloc(0)
  let upgraded = false

  function take(text: string) {
    // Engine.IO: 0 opens, 2 asks whether one is there. Socket.IO in 4: 0 connected, 2 an event, 3 an answer, 4 refused.
    if (text === '2') return write(socket, '3')
    if (text.startsWith('0')) return write(socket, `40${JSON.stringify({ token })}`)
    if (text.startsWith('42')) return heard.event(text)
    if (text.startsWith('40')) {
      return resolve({
        send: (number, event, payload) => write(socket, `42${number}${JSON.stringify([event, payload])}`),
        end: () => socket.destroy(),
      })
    }
    const answer = /^43(\d+)/.exec(text)
    if (answer) return heard.answer(Number(answer[1]), text)
    reject(new Error(`The server says ${text}`))
  }

  socket.on('connect', () =>
    socket.write(
      `GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
        `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n\r\n`,
    ),
  )
  socket.on('data', (chunk) => {
    rest = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
    if (!upgraded) {
      const end = rest.indexOf('\r\n\r\n')
      if (end < 0) return
      if (!rest.toString('latin1', 0, end).startsWith('HTTP/1.1 101')) return reject(new Error('Refused'))
      upgraded = true
      rest = rest.subarray(end + 4)
    }
    for (;;) {
      const short = (rest[1] ?? 0) & 127
      const head = short === 126 ? 4 : 2
      if (rest.length < head) return
      const length = short === 126 ? rest.readUInt16BE(2) : short
      if (rest.length < head + length) return
      take(rest.toString('utf8', head, head + length))
      rest = rest.subarray(head + length)
    }
  })
  socket.on('error', reject)
  socket.on('close', () => reject(new Error('The server closed a connection')))
  return promise
}

/** A text frame; its mask is zero, which leaves the text as it is. */
function write(socket: Socket, text: string) {
  const payload = Buffer.from(text)
  const long = payload.length > 125
  const head = Buffer.alloc(long ? 8 : 6)
  head[0] = 0x81
  head[1] = 0x80 | (long ? 126 : payload.length)
  if (long) head.writeUInt16BE(payload.length, 2)
  socket.write(Buffer.concat([head, payload]))
}
