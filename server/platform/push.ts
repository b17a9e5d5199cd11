import { createECDH, generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { Agent, request } from 'node:https'
import { buildPushPayload } from '@block65/webcrypto-web-push'
import type { Logger } from 'pino'

/** The endpoint of a browser at its push service and the keys to encrypt messages for it. */
export interface PushAddress {
  readonly endpoint: string
  readonly p256dh: string
  readonly auth: string
}

export interface PushOptions {
  /** The contact for push services: a `mailto:` or `https:` URL. */
  readonly contact: () => string
  /** The hosts of further push services, with a port if it is not 443. */
  readonly services: readonly string[]
  /** A certificate authority instead of the default ones. */
  readonly ca?: string | undefined
  readonly log: Pick<Logger, 'error'>
}

export interface Pusher {
  /** Returns whether an endpoint belongs to a known push service. Nothing is sent to others. */
  knows(endpoint: string): boolean
  /**
   * Sends an encrypted text to a push service. Returns `gone` if the subscription has ended or can not work, and `refused` if the same
   * push would be refused again. Throws if the service is unreachable or busy, so that a later attempt may succeed. `key` is the private
   * VAPID key.
   */
  send(address: PushAddress, text: string, key: Buffer): Promise<'sent' | 'gone' | 'refused'>
}

/** The push services of browsers, with their subdomains: Chrome, other Chromium, Firefox, Safari, Edge on Windows. */
const browserServices = [
  'fcm.googleapis.com',
  'jmt17.google.com',
  'push.services.mozilla.com',
  'push.apple.com',
  'notify.windows.com',
]
const timeoutMs = 5000
/** The push service drops messages that it can not deliver within this time. */
const secondsToLive = 12 * 60 * 60
const maxPauseSeconds = 60 * 60

export function createPusher({ contact, services, ca, log }: PushOptions): Pusher {
  const known = [...browserServices, ...services]
  const agent = new Agent({ ca })
  const pauses = createPauses()

  function knows(endpoint: string): boolean {
    // Parsers of URLs disagree about a host with other characters.
    const host = /^https:\/\/([\w.-]+(?::\d+)?)\//.exec(endpoint)?.[1]
    return host !== undefined && known.some((service) => host === service || host.endsWith(`.${service}`))
  }

  return {
    knows,
    async send(address, text, key) {
      if (!knows(address.endpoint)) return 'gone'
      const { host } = new URL(address.endpoint)
      pauses.check(host)
      const push = await encrypt(address, text, { contact: contact(), key })
      if (!push) return 'gone'
      const { statusCode = 0, headers } = await post(address.endpoint, push, agent)
      const outcome = outcomes[statusCode] ?? (statusCode >= 200 && statusCode < 300 ? 'sent' : undefined)
      if (outcome === 'refused')
        log.error({ host, status: statusCode }, 'A push service refuses the key or the form of our pushes')
      if (outcome !== undefined) return outcome
      pauses.begin(host, headers['retry-after'])
      // Without the endpoint, which must not be logged.
      throw new Error(`A push service answered ${statusCode}`)
    },
  }
}

/**
 * The outcomes of responses that another attempt would not change (RFC 8030, and what push services document): the subscription has
 * ended; the request, its key or its size is refused. The subscriptions stay after a refusal, because the fault may be ours.
 */
const outcomes: Readonly<Record<number, 'gone' | 'refused'>> = {
  404: 'gone',
  410: 'gone',
  400: 'refused',
  401: 'refused',
  403: 'refused',
  413: 'refused',
}

type Push = Awaited<ReturnType<typeof buildPushPayload>>

/** Encrypts a text for a browser (RFC 8291) and signs the request (RFC 8292). Returns undefined if its key is no point of the curve. */
async function encrypt(
  { endpoint, p256dh, auth }: PushAddress,
  text: string,
  { contact, key }: { contact: string; key: Buffer },
): Promise<Push | undefined> {
  try {
    return await buildPushPayload(
      { data: text, options: { ttl: secondsToLive } },
      { endpoint, expirationTime: null, keys: { p256dh, auth } },
      {
        subject: contact,
        publicKey: publicKeyOf(key).toString('base64url'),
        privateKey: key.toString('base64url'),
      },
    )
  } catch (error) {
    if (error instanceof DOMException && error.name === 'DataError') return undefined
    throw error
  }
}

/** Sends a request. `fetch` takes no certificate authority. Redirects are not followed. */
async function post(endpoint: string, { headers, body }: Push, agent: Agent): Promise<IncomingMessage> {
  const signal = AbortSignal.timeout(timeoutMs)
  const call = request(endpoint, { method: 'POST', headers, agent, signal })
  // Also after the response, an error without a listener would end the process.
  call.on('error', () => {}).end(body)
  const [response] = (await once(call, 'response')) as [IncomingMessage]
  response.on('error', () => {}).resume()
  return response
}

/** Remembers which push services want no requests for a while (`Retry-After` of 429 and 503). */
function createPauses() {
  const ends = new Map<string, number>()
  return {
    /** Throws during the pause of a service. */
    check(host: string): void {
      const end = ends.get(host)
      if (end === undefined) return
      if (end > performance.now()) throw new Error('A push service wants no requests now')
      ends.delete(host)
    },
    begin(host: string, retryAfter: string | undefined): void {
      const seconds = secondsOf(retryAfter)
      if (seconds > 0) ends.set(host, performance.now() + Math.min(seconds, maxPauseSeconds) * 1000)
    },
  }
}

/** Returns the seconds of a `Retry-After` header, which has a number or a date; 0 without one. */
function secondsOf(retryAfter: string | undefined): number {
  if (retryAfter === undefined) return 0
  const seconds = /^\d+$/.test(retryAfter) ? Number(retryAfter) : (Date.parse(retryAfter) - Date.now()) / 1000
  return Number.isNaN(seconds) ? 0 : seconds
}

/** Creates a private key (VAPID, RFC 8292). */
export function newPushKey(): Buffer {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  return Buffer.from(privateKey.export({ format: 'jwk' }).d ?? '', 'base64url')
}

export function publicKeyOf(key: Buffer): Buffer {
  const pair = createECDH('prime256v1')
  pair.setPrivateKey(key)
  return pair.getPublicKey()
}
