import { once } from 'node:events'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { BlockList } from 'node:net'
import { TLSSocket } from 'node:tls'
import {
  type CheckedSite,
  failure,
  isExample,
  isUnresolved,
  type Outcome,
  ok,
  reasonOf,
  type SiteCheck,
  warning,
} from './check.ts'

const timeoutMs = 10_000
/** Certificates of Let's Encrypt are renewed 30 days before their end. */
const fewDays = 14
const dayMs = 24 * 60 * 60 * 1000

export const siteCheck = {
  name: 'site',
  async check(site) {
    const { publicUrl: url } = site
    try {
      const { statusCode = 0 } = await open(site)
      if (statusCode === 200) return ok((t) => t('{url} answers.', { url }))
      return failure(
        (t) => t('{url} answers {status} instead of this site.', { url, status: `${statusCode}` }),
        (t) => t('Let the proxy pass requests of this address to the nodes, and look whether they run.'),
      )
    } catch (error) {
      return unreachable(site, error)
    }
  },
} as const satisfies SiteCheck

export const certificateCheck = {
  name: 'certificate',
  async check(site) {
    const { protocol, hostname } = new URL(site.publicUrl)
    if (protocol === 'http:' && isLocal(hostname))
      return ok((t) => t('An address on this machine needs no certificate.'))
    if (protocol === 'http:')
      return warning(
        (t) => t('PUBLIC_URL begins with http://, so there is no certificate.'),
        (t) =>
          t(
            'Set up HTTPS as in docs/deployment.md: without it passwords are readable on the way, and phones neither install the site nor show pushes.',
          ),
      )
    const socket = await open(site).then(
      ({ socket }) => socket,
      () => undefined,
    )
    // The check before says why.
    return socket instanceof TLSSocket ? certificateOf(socket) : undefined
  },
} as const satisfies SiteCheck

function certificateOf(socket: TLSSocket): Outcome {
  const days = Math.floor((Date.parse(socket.getPeerCertificate().valid_to) - Date.now()) / dayMs)
  const renew: Outcome['todo'] = (t) =>
    t('Renew it with `certbot renew` and reload the proxy; Caddy does both and logs why not.')
  if (days < 0)
    return failure(
      (t) =>
        t('The certificate expired {days, plural, one {# day} other {# days}} ago.', {
          days: Math.abs(days),
        }),
      renew,
    )
  const remaining: Outcome['says'] = (t) =>
    t('The certificate is valid for {days, plural, one {# more day} other {# more days}}.', { days })
  if (!socket.authorized) {
    const reason = String(socket.authorizationError)
    return failure(
      (t) => t('Browsers do not trust the certificate: {reason}.', { reason }),
      (t) =>
        t(
          'Let the proxy use a certificate of a public authority for this host, with the whole chain (`fullchain.pem`).',
        ),
    )
  }
  return days < fewDays ? warning(remaining, renew) : ok(remaining)
}

export const securityContactCheck = {
  name: 'security_contact',
  async check({ securityContact, site }) {
    const { support_email } = site()
    const contact = securityContact ?? `mailto:${support_email}`
    if (!isExample(contact) && !isExample(support_email))
      return ok((t) => t('Flaws are reported to {contact}.', { contact }))
    return warning(
      (t) => t('The addresses for reports and flaws are those of the example.'),
      (t) => t('Set SUPPORT_EMAIL, and SECURITY_CONTACT if flaws go to another address.'),
    )
  },
} as const satisfies SiteCheck

/** Requests the health check through the public URL. Accepts every certificate, and does not follow redirects. */
async function open({ publicUrl, ca }: CheckedSite): Promise<IncomingMessage> {
  const url = new URL('/livez', publicUrl)
  const options = { signal: AbortSignal.timeout(timeoutMs), agent: false } as const
  const call =
    url.protocol === 'https:'
      ? requestHttps(url, { ...options, rejectUnauthorized: false, ...(ca !== undefined && { ca }) })
      : requestHttp(url, options)
  const [response] = (await once(call.end(), 'response')) as [IncomingMessage]
  // After the response, an error without a listener would end the process.
  call.on('error', () => {})
  response.on('error', () => {}).resume()
  return response
}

function unreachable({ publicUrl: url }: CheckedSite, error: unknown): Outcome {
  if (isUnresolved(error))
    return warning(
      (t) => t('The host of {url} can not be looked up from here.', { url }),
      (t) => t('Without internet that is expected. Otherwise add A and AAAA records for it.'),
    )
  const reason = reasonOf(error)
  return failure(
    (t) => t('{url} can not be reached from here: {reason}.', { url, reason }),
    (t) => t('Start the node and the proxy, and open ports 80 and 443 in the firewall.'),
  )
}

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8)
loopback.addAddress('::1', 'ipv6')

/** Returns whether a host is this machine. */
export function isLocal(hostname: string): boolean {
  const address = hostname.replace(/^\[|\]$/g, '')
  return (
    /^(.+\.)?localhost$/.test(address) || loopback.check(address, 'ipv4') || loopback.check(address, 'ipv6')
  )
}
