// A minimal websocket client, because it shares a core with the database.
import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'

export interface WebSocketWire {
  send(text: string): void
  end(): void
}

interface Listener {
  open(wire: WebSocketWire): void
  text(text: string, wire: WebSocketWire): void
  /** Called when the server closes the connection, but not after `end`. */
  failed(error: Error): void
}

/** Opens a connection for text messages of at most 65,535 bytes, each in one frame. Other frames are not understood. */
export function openWebSocket(port: number, path: string, protocol: string | undefined, listener: Listener) {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  const wire: WebSocketWire = {
    send: (text) => write(socket, text),
    end() {
      socket.removeAllListeners('close')
      socket.destroy()
    },
  }
  let rest: Buffer = Buffer.alloc(0)
  let upgraded = false

  socket.on('connect', () =>
    socket.write(
      [
        `GET ${path} HTTP/1.1`,
        `Host: 127.0.0.1:${port}`,
        'Connection: Upgrade',
        'Upgrade: websocket',
        'Sec-WebSocket-Version: 13',
        `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
        ...(protocol === undefined ? [] : [`Sec-WebSocket-Protocol: ${protocol}`]),
        '\r\n',
      ].join('\r\n'),
    ),
  )
  socket.on('data', (chunk) => {
    rest = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
    if (!upgraded) {
      const end = rest.indexOf('\r\n\r\n')
      if (end < 0) return
      if (!rest.toString('latin1', 0, end).startsWith('HTTP/1.1 101'))
        return listener.failed(new Error('The server refused to open a websocket'))
      upgraded = true
      rest = rest.subarray(end + 4)
      listener.open(wire)
    }
    for (;;) {
      const short = (rest[1] ?? 0) & 127
      const head = short === 126 ? 4 : 2
      if (rest.length < head) return
      const length = short === 126 ? rest.readUInt16BE(2) : short
      if (rest.length < head + length) return
      listener.text(rest.toString('utf8', head, head + length), wire)
      rest = rest.subarray(head + length)
    }
  })
  socket.on('error', listener.failed)
  socket.on('close', () => listener.failed(new Error('The server closed a connection')))
}

/** Returns a text frame with a zero mask, which leaves the text unchanged. */
function write(socket: Socket, text: string) {
  const payload = Buffer.from(text)
  const long = payload.length > 125
  const head = Buffer.alloc(long ? 8 : 6)
  head[0] = 0x81
  head[1] = 0x80 | (long ? 126 : payload.length)
  if (long) head.writeUInt16BE(payload.length, 2)
  socket.write(Buffer.concat([head, payload]))
}
