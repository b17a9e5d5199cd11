import type { FastifyInstance } from 'fastify'

interface SecurityText {
  /** Where flaws are reported, as a `mailto:` or `https:` URL. */
  readonly contact: () => string
  /** The site's URL. */
  readonly url: string
}

/** Serves `/.well-known/security.txt` (RFC 9116). It expires a year after it was read. */
export function serveSecurityText(http: FastifyInstance, { contact, url }: SecurityText): void {
  const path = '/.well-known/security.txt'
  http.get(path, async (_request, reply) => {
    const expires = new Date()
    expires.setUTCFullYear(expires.getUTCFullYear() + 1)
    const fields = { Contact: contact(), Expires: expires.toISOString(), Canonical: url + path }
    reply.type('text/plain; charset=utf-8')
    return Object.entries(fields)
      .map(([name, value]) => `${name}: ${value}\n`)
      .join('')
  })
}
