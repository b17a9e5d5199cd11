import { createECDH } from 'node:crypto'
import { lookup as resolve } from 'node:dns'
import { request } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import webPush from 'web-push'

/** Where a browser takes what is for it, and what only it can read. */
export interface PushAddress {
  readonly endpoint: string
  readonly p256dh: string
  readonly auth: string
}

export interface PushOptions {
  /** Whom a push service may write to about us: a `mailto:` or `https:` address. */
  readonly contact: string
  /** Names to addresses. The usual one finds no private address. */
  readonly lookup?: LookupFunction | undefined
  /** Where push services listen; usually where HTTPS does. Of other ports nobody learns anything through us. */
  readonly port?: number | undefined
  /** An authority to trust besides the usual ones. */
  readonly ca?: string | undefined
}

export interface Pusher {
  /**
   * Hands a text over to a push service, encrypted for the browser. `gone` says that the browser takes nothing any more. Throws
   * when the service can't be reached or wants none. `key` is our private VAPID key.
   */
  send(address: PushAddress, text: string, key: Buffer): Promise<'sent' | 'gone'>
}

const deadlineMs = 10_000
/** The push service drops older messages. */
const secondsToLive = 12 * 60 * 60

export function createPusher({ contact, lookup = publicOnly, port = 443, ca }: PushOptions): Pusher {
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
        throw new Error('A push service is reached by HTTPS, at its usual port, and by its name')
      const status = await new Promise<number>((done, failed) => {
        const sent = request(url, {
          method,
          headers: headers as Record<string, string>,
          lookup,
          port,
          ca,
          agent: false,
          signal: AbortSignal.timeout(deadlineMs),
        })
        sent.on('error', failed)
        // Only the status counts: nobody has to read what else a service may say, however long.
        sent.on('response', (response) => {
          done(response.statusCode ?? 0)
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

/** A new private key (VAPID, RFC 8292). */
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

const closed = new BlockList()
for (const [net, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const)
  closed.addSubnet(net, prefix, 'ipv4')

const open = new BlockList()
// Of IPv6 only what is handed out to the public, and of that nothing that stands for an IPv4 address.
open.addSubnet('2000::', 3, 'ipv6')
closed.addSubnet('2001::', 32, 'ipv6')
closed.addSubnet('2002::', 16, 'ipv6')

/** Whether an address belongs to the public Internet, and not to this machine or the networks around it. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !closed.check(address, 'ipv4')
  return family === 6 && open.check(address, 'ipv6') && !closed.check(address, 'ipv6')
}

/** Resolves a name as usual, and refuses it when it leads to any private address; the connection goes to what was checked. */
const publicOnly: LookupFunction = (name, options, done) => {
  resolve(name, { ...options, all: true }, (error, found) => {
    if (error) return done(error, [])
    const [first] = found
    if (!first || !found.every(({ address }) => isPublicAddress(address)))
      return done(new Error('A push service has a public address'), [])
    if (options.all) done(null, found)
    else done(null, first.address, first.family)
  })
}
