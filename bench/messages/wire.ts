import { openWebSocket } from './websocket.ts'

/** A member's connection. */
export interface Wire {
  /** Sends a message that begins with its number. */
  send(number: number, receiver: number, content: string): void
  end(): void
}

export interface Listener {
  /** A message of this member's is stored; anything but a yes comes as `refusal`. */
  answered(refusal: string | undefined): void
  /** A message for this member, or of theirs, by its number. */
  told(number: string): void
}

/** By Socket.IO. Rejects when the server refuses. */
export function openSocketIo(port: number, token: string, listener: Listener): Promise<Wire> {
  const { promise, resolve, reject } = Promise.withResolvers<Wire>()
  openWebSocket(port, '/socket.io/?EIO=4&transport=websocket', undefined, {
    open() {},
    failed: reject,
    text(text, wire) {
      // Engine.IO: 0 opens, 2 asks whether one is there. Socket.IO in 4: 0 connected, 2 an event, 3 an answer, 4 refused.
      if (text === '2') return wire.send('3')
      if (text.startsWith('0')) return wire.send(`40${JSON.stringify({ token })}`)
      if (text.startsWith('42')) return listener.told(/"content":"(\d+) /.exec(text)?.[1] ?? '')
      if (text.startsWith('43')) return listener.answered(text.includes('"ok":true') ? undefined : text)
      if (!text.startsWith('40')) return reject(new Error(`The server says ${text}`))
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

/** By XMPP (RFC 7395), as a member of that number, who needs no password. Nothing is answered: a message is stored before it is told. */
export function openXmpp(port: number, member: number, listener: Listener): Promise<Wire> {
  const { promise, resolve, reject } = Promise.withResolvers<Wire>()
  const login = Buffer.from(`\0m${member}\0none`).toString('base64')
  let known = false
  openWebSocket(port, '/ws', 'xmpp', {
    open: (wire) => wire.send(stream),
    failed: reject,
    text(text, wire) {
      if (text.startsWith('<message')) return listener.told(/<body>(\d+) /.exec(text)?.[1] ?? '')
      if (text.startsWith('<open')) return
      if (text.startsWith('<stream:features')) {
        const bind = `<iq xmlns="jabber:client" type="set" id="b"><bind xmlns="urn:ietf:params:xml:ns:xmpp-bind"><resource>b</resource></bind></iq>`
        const auth = `<auth xmlns="urn:ietf:params:xml:ns:xmpp-sasl" mechanism="PLAIN">${login}</auth>`
        return wire.send(known ? bind : auth)
      }
      if (text.startsWith('<success')) {
        known = true
        return wire.send(stream)
      }
      if (!/^<iq[^>]*type=.result./.test(text)) return reject(new Error(`The server says ${text}`))
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
