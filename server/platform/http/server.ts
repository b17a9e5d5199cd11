import { isUtf8 } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import compress from '@fastify/compress'
import multipart from '@fastify/multipart'
import { type FastifyBaseLogger, type FastifyInstance, fastify, LogController } from 'fastify'
import helmet from 'helmet'
import type { Logger } from 'pino'
import { errorMessages } from '#contract/error-messages.ts'
import { realtimePath } from '#contract/realtime.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Metrics } from '#server/platform/metrics.ts'
import { fastCompression } from './compression.ts'
import { policy } from './content-security-policy.ts'
import { sendConnectionProblem, sendProblem } from './problem.ts'

export interface ServerOptions {
  readonly log: Logger
  readonly metrics: Metrics
  readonly trustedProxies: readonly string[]
  /** True if members use HTTPS. Some headers are sent only then. */
  readonly https: boolean
  /** Milliseconds a client may take to send the headers of a request. */
  readonly headersTimeout?: number
  /** Milliseconds a client may take to send a whole request. */
  readonly requestTimeout?: number
}

const jsonBodyLimit = 64 * 1024
const maxPathLength = 1000
/** A page parses a nested query with as many stack frames. */
const maxUrlLength = 4000
/** Statuses of possible attacks, for which the address is logged. */
const suspiciousStatuses = new Set([401, 403, 429])
const connectionTimeout = 60_000

declare module 'fastify' {
  interface FastifyInstance {
    /** True if the node is stopping. It still serves requests but is not ready for new clients. */
    isDraining: boolean
  }
}

/** Scripts, styles, fonts and images of pages, which need fewer headers. SVG can be a document, and workers have policies. */
const subresource = /^\/(?:assets\/(?!.*worker)[^?]*\.(?:js|css|woff2)|api\/images\/[^?]*\.webp)$/

/** Browser features that the pages never use. */
const noPermissions = [
  'accelerometer',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'hid',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'serial',
  'usb',
  'xr-spatial-tracking',
]
  .map((feature) => `${feature}=()`)
  .join(', ')

/** Creates an HTTP server with error handling, headers, request ids, logs, metrics, compression and body parsers. */
export async function createServer({
  log,
  metrics,
  trustedProxies,
  https,
  headersTimeout = 7000,
  // A photo on a slow mobile connection takes minutes.
  requestTimeout = 300_000,
}: ServerOptions): Promise<FastifyInstance> {
  const http: FastifyInstance = fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    bodyLimit: jsonBodyLimit,
    requestTimeout,
    http: {
      headersTimeout,
      connectionsCheckingInterval: headersTimeout / 8,
      // Any other upgrade is served as a plain request (RFC 9110, section 7.8).
      shouldUpgradeCallback: ({ url = '' }) => url.startsWith(`${realtimePath}/`),
    },
    connectionTimeout,
    keepAliveTimeout: 72_000,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200 },
    clientErrorHandler: sendConnectionProblem,
    // Hooks do not run for these errors, so the headers are set here.
    frameworkErrors: (error, request, reply) => {
      reply.headers({ 'x-request-id': request.id, 'x-content-type-options': 'nosniff' })
      sendProblem(request, reply as never, error)
    },
  })

  http.setErrorHandler((error, request, reply) => sendProblem(request, reply, error))
  http.setNotFoundHandler((request, reply) =>
    sendProblem(request, reply, new AppError('not_found', errorMessages.notFound)),
  )

  addRequestHooks(http, metrics)
  addSecurityHeaders(http, { https })
  await http.register(compress, fastCompression)
  addBodyParsers(http)
  await http.register(multipart)
  return http
}

/** Sets request ids, refuses long URLs and encoded bodies, logs and measures each request. */
function addRequestHooks(http: FastifyInstance, metrics: Metrics) {
  http.decorate('isDraining', false)
  let isClosing = false
  http.addHook('preClose', async () => {
    http.isDraining = true
    isClosing = true
  })
  http.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
    // Makes the client open its next connection to another node.
    if (http.isDraining) reply.header('connection', 'close')
    // No route has a longer path, and regular expressions should not run on unlimited text.
    if (request.url.length > maxUrlLength || request.url.replace(/\?.*/s, '').length > maxPathLength)
      throw new AppError('not_found', errorMessages.notFound)
    if (request.headers['content-encoding'] !== undefined)
      throw new AppError('unsupported_type', errorMessages.unreadableBody)
  })
  http.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unmatched'
    const seconds = reply.elapsedTime / 1000
    metrics.requests.observe({ method: request.method, route, status: String(reply.statusCode) }, seconds)
    request.log.info(
      {
        method: request.method,
        route,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        member: request.caller?.id,
        address: suspiciousStatuses.has(reply.statusCode) ? request.ip : undefined,
      },
      'Answered',
    )
    // A keep-alive connection that was busy when closing began would delay it.
    if (isClosing) request.raw.socket?.end()
  })
}

function addSecurityHeaders(http: FastifyInstance, { https }: Pick<ServerOptions, 'https'>) {
  // Created once. @fastify/helmet would create it for every request.
  const secure = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: policy,
    },
    // Without HTTPS, browsers ignore these two with a message in the console.
    crossOriginOpenerPolicy: https,
    originAgentCluster: https,
    strictTransportSecurity: https ? { maxAge: 31_536_000, includeSubDomains: false } : false,
    referrerPolicy: { policy: 'same-origin' },
    xFrameOptions: { action: 'deny' },
    crossOriginEmbedderPolicy: false,
    // Only for obsolete browsers (Internet Explorer, Flash).
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
    xDnsPrefetchControl: false,
  })
  http.addHook('onRequest', (request, reply, done) => {
    // A page loads dozens of these. The headers of documents would be a large part of the transferred bytes.
    if (subresource.test(request.url)) {
      reply.raw.setHeader('X-Content-Type-Options', 'nosniff')
      reply.raw.setHeader('Cross-Origin-Resource-Policy', 'same-origin')
      return done()
    }
    reply.raw.setHeader('Permissions-Policy', noPermissions)
    secure(request.raw, reply.raw, () => done())
  })
}

/** Parses JSON and forms. Invalid UTF-8 is refused. */
function addBodyParsers(http: FastifyInstance) {
  // Clients send the JSON content type also with an empty body.
  const parseJson = http.getDefaultJsonParser('error', 'error')
  http.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (body.length === 0) return done(null, undefined)
    // Decoding would replace invalid UTF-8 by U+FFFD, which would be stored as the member's text.
    if (!isUtf8(body)) return done(new AppError('bad_request', errorMessages.unreadableBody))
    return parseJson(request, body.toString(), done)
  })
  http.addContentTypeParser<Buffer>(
    'application/x-www-form-urlencoded',
    { parseAs: 'buffer' },
    (_request, body, done) =>
      isUtf8(body)
        ? done(null, parseForm(body.toString()))
        : done(new AppError('bad_request', errorMessages.unreadableBody)),
  )
}

/** Returns the fields of a form. A field that is repeated has the list of its values. */
function parseForm(text: string): Record<string, string | string[]> {
  const fields = new URLSearchParams(text)
  return Object.fromEntries(
    [...new Set(fields.keys())].map((name) => {
      const [value = '', ...others] = fields.getAll(name)
      return [name, others.length === 0 ? value : [value, ...others]]
    }),
  )
}
