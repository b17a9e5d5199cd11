import { createECDH } from 'node:crypto'
import { Agent } from 'node:https'
import webPush from 'web-push'

/** The endpoint of a browser at its push service and the keys to encrypt messages for it. */
export interface PushAddress {
  readonly endpoint: string
  readonly p256dh: string
  readonly auth: string
}

export interface PushOptions {
  /** The contact for push services: a `mailto:` or `https:` URL. */
  readonly contact: string
  /** The hosts of further push services, with a port if it is not 443. */
  readonly services: readonly string[]
  /** A certificate authority instead of the default ones. */
  readonly ca?: string | undefined
}

export interface Pusher {
  /** Returns whether an endpoint belongs to a known push service. Nothing is sent to others. */
  knows(endpoint: string): boolean
  /**
   * Sends an encrypted text to a push service. Returns `gone` if the subscription has ended or its service is unknown. Throws if the
   * service is unreachable or refuses. `key` is the private VAPID key.
   */
  send(address: PushAddress, text: string, key: Buffer): Promise<'sent' | 'gone'>
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

export function createPusher({ contact, services, ca }: PushOptions): Pusher {
  const known = [...browserServices, ...services]
  const agent = new Agent({ ca })

  function knows(endpoint: string): boolean {
    // Parsers of URLs disagree about a host with other characters.
    const host = /^https:\/\/([\w.-]+(?::\d+)?)\//.exec(endpoint)?.[1]
    return host !== undefined && known.some((service) => host === service || host.endsWith(`.${service}`))
  }

  return {
    knows,
    async send({ endpoint, p256dh, auth }, text, key) {
      if (!knows(endpoint)) return 'gone'
      try {
        await webPush.sendNotification({ endpoint, keys: { p256dh, auth } }, text, {
          TTL: secondsToLive,
          timeout: timeoutMs,
          agent,
          vapidDetails: {
            subject: contact,
            publicKey: publicKeyOf(key).toString('base64url'),
            privateKey: key.toString('base64url'),
          },
        })
        return 'sent'
      } catch (error) {
        if (!(error instanceof webPush.WebPushError)) throw error
        if (error.statusCode === 404 || error.statusCode === 410) return 'gone'
        // The error itself has the endpoint, which must not be logged.
        throw new Error(`A push service answered ${error.statusCode}`)
      }
    },
  }
}

/** Creates a private key (VAPID, RFC 8292). */
export function newPushKey(): Buffer {
  return Buffer.from(webPush.generateVAPIDKeys().privateKey, 'base64url')
}

export function publicKeyOf(key: Buffer): Buffer {
  const pair = createECDH('prime256v1')
  pair.setPrivateKey(key)
  return pair.getPublicKey()
}
