import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { sendConnectionProblem } from './problem.ts'

/** Slower than this nobody sends a photo: it would not arrive in the time that a request may take. */
const leastBytesPerSecond = 1024

interface Sending {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** What had come on the connection at a moment. */
  bytes: number
  at: number
}

/**
 * Hangs up on whoever takes `patienceMs` for what is due in that time of a body. Node's own timeouts see silence and what takes
 * long in all, not a byte now and then. The time that we take ourselves does not count.
 */
export function cutSlowSenders(server: Server, patienceMs: number): void {
  const sending = new Set<Sending>()
  const everyMs = patienceMs / 8
  let looked = performance.now()
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (request.complete || isWithoutBody(request)) return
    sending.add({ request, response, bytes: request.socket.bytesRead, at: performance.now() })
  })

  function look() {
    const now = performance.now()
    const late = now - looked > 2 * everyMs
    looked = now
    for (const one of sending) {
      const { request, response, bytes, at } = one
      const { socket } = request
      if (request.complete || socket.destroyed) {
        sending.delete(one)
        continue
      }
      const waited = now - at
      const ours = late || request.readableLength > 0
      if (!ours && waited < patienceMs) continue
      if (ours || socket.bytesRead - bytes >= (waited / 1000) * leastBytesPerSecond) {
        one.bytes = socket.bytesRead
        one.at = now
        continue
      }
      sending.delete(one)
      if (response.headersSent) socket.destroy()
      else sendConnectionProblem({ name: '', message: '', code: 'ERR_HTTP_REQUEST_TIMEOUT' }, socket)
    }
  }
  const looking = setInterval(look, everyMs).unref()
  server.on('close', () => clearInterval(looking))
}

function isWithoutBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] === undefined && !(Number(headers['content-length']) > 0)
}
