import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

const fixture = (name: string) => readFileSync(join(import.meta.dirname, 'fixtures', name), 'utf8')

/** Starts a push service. It decrypts the messages for the browsers that it creates. */
export async function startPushService() {
  const browsers = new Map<string, (sealed: Buffer) => void>()
  const authorized: string[] = []
  let status = 201
  let location: string | undefined
  let retryAfter: string | undefined
  const server = createServer(
    { key: fixture('push-key.pem'), cert: fixture('push-cert.pem') },
    (request, response) => {
      const parts: Buffer[] = []
      request.on('data', (part: Buffer) => parts.push(part))
      request.on('end', () => {
        authorized.push(request.headers.authorization ?? '')
        const open = browsers.get(request.url ?? '')
        if (open && status === 201) open(Buffer.concat(parts))
        const headers = { ...(location && { location }), ...(retryAfter && { 'retry-after': retryAfter }) }
        response.writeHead(open ? status : 410, headers).end('A body that is ignored')
      })
    },
  )
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const host = `localhost:${(server.address() as AddressInfo).port}`
  return {
    settings: { services: [host], ca: fixture('push-cert.pem') },
    /** The authorization header of each request. */
    authorized,
    /** Sets the status, `Location` and `Retry-After` header of the next responses. */
    answerWith(code: number, redirectTo?: string, waitFor?: string) {
      status = code
      location = redirectTo
      retryAfter = waitFor
    },
    /** Creates a subscribed browser. `shown` has its decrypted messages; `leave` ends the subscription. */
    browser() {
      const path = `/${randomBytes(16).toString('hex')}`
      const pair = createECDH('prime256v1')
      pair.generateKeys()
      const auth = randomBytes(16)
      const shown: unknown[] = []
      browsers.set(path, (sealed) => shown.push(JSON.parse(decrypt(sealed, pair, auth))))
      return {
        subscription: {
          endpoint: `https://${host}${path}`,
          keys: { p256dh: pair.getPublicKey().toString('base64url'), auth: auth.toString('base64url') },
        },
        shown,
        leave: () => browsers.delete(path),
      }
    },
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

/** Decrypts a push payload (RFC 8291): one record under the shared key. */
function decrypt(sealed: Buffer, pair: ReturnType<typeof createECDH>, auth: Buffer): string {
  const salt = sealed.subarray(0, 16)
  const idLength = sealed.readUInt8(20)
  const sender = sealed.subarray(21, 21 + idLength)
  const record = sealed.subarray(21 + idLength)
  const derive = (secret: Buffer, salt: Buffer, info: Buffer, length: number) =>
    Buffer.from(hkdfSync('sha256', secret, salt, info, length))
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), pair.getPublicKey(), sender])
  const secret = derive(pair.computeSecret(sender), auth, info, 32)
  const key = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
  const decipher = createDecipheriv('aes-128-gcm', key, nonce)
  decipher.setAuthTag(record.subarray(-16))
  const text = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()])
  return text.subarray(0, text.lastIndexOf(2)).toString()
}
