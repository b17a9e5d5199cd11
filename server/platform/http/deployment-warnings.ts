import type { FastifyInstance, FastifyRequest } from 'fastify'

/**
 * Logs a warning, once each, if members open another address than the public URL, or come through a proxy that is not trusted. Both
 * work at first sight.
 */
export function warnOfDeployment(http: FastifyInstance, publicUrl: string | undefined): void {
  let isOtherAddressKnown = publicUrl === undefined
  let isProxyKnown = false
  http.addHook('onRequest', async (request) => {
    if (!isOtherAddressKnown) {
      const address = openedAddress(request)
      isOtherAddressKnown = address !== undefined && address !== publicUrl
      if (isOtherAddressKnown)
        http.log.warn(
          { address, public_url: publicUrl },
          'Members open another address than PUBLIC_URL, where photos and live messages do not work. Redirect it, or set PUBLIC_URL to it',
        )
    }
    if (!isProxyKnown && isForwarded(request)) {
      isProxyKnown = true
      http.log.warn(
        { address: request.ip },
        'Requests have X-Forwarded-For from an address that is not trusted, so all who come through it share its rate limits. If it is your proxy, add it to TRUSTED_PROXIES',
      )
    }
  })
}

/** Returns the origin of the page that sent a request, if this server has answered it. Browsers send `Origin` with each POST. */
function openedAddress({ headers: { origin, host } }: FastifyRequest): string | undefined {
  return origin !== undefined && URL.canParse(origin) && new URL(origin).host === host ? origin : undefined
}

/** Returns whether a proxy names a client that the server does not read. */
function isForwarded({ headers, ip, socket }: FastifyRequest): boolean {
  const isNamed = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined
  return isNamed && ip === socket.remoteAddress
}
