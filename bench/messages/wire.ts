import { openWebSocket } from './websocket.ts'

/** The connection of a member. */
export interface Wire {
  /** Sends a message that starts with its number. */
  send(number: number, receiver: number, content: string): void
  end(): void
}

export interface Listener {
  /** Called when a message of this member is stored. `refusal` is a negative acknowledgement. */
  acknowledged(refusal: string | undefined): void
  /** Called for a message from or to this member with its number. */
  received(number: string): void
}

/** Connects by Socket.IO. Rejects if the server refuses. */
export function openSocketIo(port: number, token: string, listener: Listener): Promise<Wire> {
  const { promise, resolve, reject } = Promise.withResolvers<Wire>()
  openWebSocket(port, '/socket.io/?EIO=4&transport=websocket', undefined, {
    open() {},
    failed: reject,
    text(text, wire) {
      // Engine.IO: 0 is open, 2 ping, 4 message. Socket.IO: 0 is connect, 2 event, 3 acknowledgement, 4 connect error.
      if (text === '2') return wire.send('3')
      if (text.startsWith('0')) return wire.send(`40${JSON.stringify({ token })}`)
      if (text.startsWith('42')) return listener.received(/"content":"(\d+) /.exec(text)?.[1] ?? '')
      if (text.startsWith('43')) return listener.acknowledged(text.includes('"ok":true') ? undefined : text)
      if (!text.startsWith('40')) return reject(new Error(`The server refused the connection: ${text}`))
      resolve({
        send: (number, receiver_id, content) =>
          wire.send(`42${number}${JSON.stringify(['send_message', { receiver_id, content }])}`),
        end: wire.end,
      })
    },
  })
  return promise
}

const framing = 'urn:ietf:params:xml:ns:xmpp-framing'
const stream = `<open xmlns="${framing}" to="localhost" version="1.0"/>`

/** Connects by XMPP (RFC 7395) without a password. There are no acknowledgements: a message is stored before its delivery. */
export function openXmpp(port: number, member: number, listener: Listener): Promise<Wire> {
  const { promise, resolve, reject } = Promise.withResolvers<Wire>()
  const login = Buffer.from(`\0m${member}\0none`).toString('base64')
  let isLoggedIn = false
  openWebSocket(port, '/ws', 'xmpp', {
    open: (wire) => wire.send(stream),
    failed: reject,
    text(text, wire) {
      if (text.startsWith('<message')) return listener.received(/<body>(\d+) /.exec(text)?.[1] ?? '')
      if (text.startsWith('<open')) return
      if (text.startsWith('<stream:features')) {
        const bind = `<iq xmlns="jabber:client" type="set" id="b"><bind xmlns="urn:ietf:params:xml:ns:xmpp-bind"><resource>b</resource></bind></iq>`
        const auth = `<auth xmlns="urn:ietf:params:xml:ns:xmpp-sasl" mechanism="PLAIN">${login}</auth>`
        return wire.send(isLoggedIn ? bind : auth)
      }
      if (text.startsWith('<success')) {
        isLoggedIn = true
        return wire.send(stream)
      }
      if (!/^<iq[^>]*type=.result./.test(text))
        return reject(new Error(`The server refused the connection: ${text}`))
      resolve({
        send: (number, receiver, content) =>
          wire.send(
            `<message xmlns="jabber:client" type="chat" to="m${receiver}@localhost/b" id="${number}"><body>${content}</body></message>`,
          ),
        end: wire.end,
      })
    },
  })
  return promise
}
