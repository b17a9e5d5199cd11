import { createECDH } from 'node:crypto'
import { lookup as lookupAddresses } from 'node:dns'
import { request } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
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
  /** Resolves host names. The default refuses private addresses. */
  readonly lookup?: LookupFunction | undefined
  /** The port of push services, by default 443. Endpoints with another port are refused. */
  readonly port?: number | undefined
  /** An additional certificate authority. */
  readonly ca?: string | undefined
}

export interface Pusher {
  /**
   * Sends an encrypted text to a push service. Returns `gone` if the subscription has ended. Throws if the service is unreachable or
   * refuses. `key` is the private VAPID key.
   */
  send(address: PushAddress, text: string, key: Buffer): Promise<'sent' | 'gone'>
}

const timeoutMs = 10_000
/** The push service drops messages that it can not deliver within this time. */
const secondsToLive = 12 * 60 * 60

export function createPusher({ contact, lookup = lookupPublic, port = 443, ca }: PushOptions): Pusher {
  return {
    async send({ endpoint, p256dh, auth }, text, key) {
      const { headers, body, method } = webPush.generateRequestDetails(
        { endpoint, keys: { p256dh, auth } },
        text,
        {
          TTL: secondsToLive,
          vapidDetails: {
            subject: contact,
            publicKey: publicKeyOf(key).toString('base64url'),
            privateKey: key.toString('base64url'),
          },
        },
      )
      const url = new URL(endpoint)
      if (url.protocol !== 'https:' || url.port !== '' || isIP(url.hostname.replaceAll(/[[\]]/g, '')) !== 0)
        throw new Error('A push endpoint must be an HTTPS URL by its name, without a port')
      const status = await new Promise<number>((resolve, reject) => {
        const sent = request(url, {
          method,
          headers: headers as Record<string, string>,
          lookup,
          port,
          ca,
          agent: false,
          signal: AbortSignal.timeout(timeoutMs),
        })
        sent.on('error', reject)
        // Only the status is needed, and the body may be of any length.
        sent.on('response', (response) => {
          resolve(response.statusCode ?? 0)
          response.destroy()
        })
        sent.end(body)
      })
      if (status === 404 || status === 410) return 'gone'
      if (status < 200 || status >= 300) throw new Error(`A push service answered ${status}`)
      return 'sent'
    },
  }
}

/** Creates a private key (VAPID, RFC 8292). */
export function newPushKey(): Buffer {
  const pair = createECDH('prime256v1')
  pair.generateKeys()
  return Buffer.concat([Buffer.alloc(32), pair.getPrivateKey()]).subarray(-32)
}

export function publicKeyOf(key: Buffer): Buffer {
  const pair = createECDH('prime256v1')
  pair.setPrivateKey(key)
  return pair.getPublicKey()
}

const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')

/** Returns whether an address is public: not private, local or reserved, and no IPv6 address that embeds an IPv4 address. */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.parse(text)
  // Outside 2000::/3 the library also returns `unicast` for unassigned addresses.
  const isAssigned = address instanceof ipaddr.IPv4 || address.match(globalUnicast)
  return isAssigned && address.range() === 'unicast'
}

/** Resolves a name and refuses it if any address is private. The connection uses the checked address. */
const lookupPublic: LookupFunction = (name, options, done) => {
  lookupAddresses(name, { ...options, all: true }, (error, addresses) => {
    if (error) return done(error, [])
    const [first] = addresses
    if (!first || !addresses.every(({ address }) => isPublicAddress(address)))
      return done(new Error('A push service must have a public address'), [])
    if (options.all) done(null, addresses)
    else done(null, first.address, first.family)
  })
}
