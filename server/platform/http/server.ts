import { isUtf8 } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import { constants } from 'node:zlib'
import compress from '@fastify/compress'
import multipart from '@fastify/multipart'
import { parse as parseForm } from 'fast-querystring'
import { type FastifyBaseLogger, type FastifyInstance, fastify, LogController } from 'fastify'
import helmet from 'helmet'
import type { Logger } from 'pino'
import { errorMessages } from '#contract/error-messages.ts'
import { realtimePath } from '#contract/realtime.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Metrics } from '#server/platform/metrics.ts'
import { policy } from './content-security-policy.ts'
import { sendConnectionProblem, sendProblem } from './problem.ts'

export interface ServerOptions {
  readonly log: Logger
  readonly metrics: Metrics
  readonly trustedProxies: readonly string[]
  /** Whether members reach the server by HTTPS; only then browsers are told to insist on it. */
  readonly https: boolean
  /** Milliseconds a client may take to send the headers of a request. */
  readonly headersTimeout?: number
  /** Milliseconds a client may take to send a whole request. */
  readonly requestTimeout?: number
}

const jsonBodyLimit = 64 * 1024
const maxPathLength = 1000
/** Somebody who is not who they say, or may not, or asks too often: where they come from is worth knowing. */
const suspicious = new Set([401, 403, 429])
const connectionTimeout = 60_000

declare module 'fastify' {
  interface FastifyInstance {
    /** Whether the node is about to stop. It serves on, but wants no new callers. */
    isLeaving: boolean
  }
}

/** Scripts, styles, fonts and pictures as pages fetch them. A drawing may be opened as a document, and a worker has policies. */
const partOfPage = /^\/(?:assets\/(?!.*worker)[^?]*\.(?:js|css|woff2)|api\/images\/[^?]*\.webp)$/

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

/** Creates an HTTP server with what all routes share: errors, headers, request ids, logs, metrics, compression and body parsers. */
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
    // No hook runs for these: what every answer carries has to be said here.
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
  await addCompression(http)
  addBodyParsers(http)
  await http.register(multipart)
  return http
}

/** Sets request ids, refuses long paths and encoded bodies, logs and measures each request. */
function addRequestHooks(http: FastifyInstance, metrics: Metrics) {
  http.decorate('isLeaving', false)
  let isClosing = false
  http.addHook('preClose', async () => {
    http.isLeaving = true
    isClosing = true
  })
  http.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
    // The caller's next call is to go to another node, and not to meet the end of this connection.
    if (http.isLeaving) reply.header('connection', 'close')
    // Longer than any path here, so that no pattern meets an unbounded text.
    if (request.url.replace(/\?.*/s, '').length > maxPathLength)
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
        address: suspicious.has(reply.statusCode) ? request.ip : undefined,
      },
      'Answered',
    )
    // A connection that was busy when the stop began would be kept for the client's next call, and hold the stop up.
    if (isClosing) request.raw.socket?.end()
  })
}

function addSecurityHeaders(http: FastifyInstance, { https }: Pick<ServerOptions, 'https'>) {
  // Made once: @fastify/helmet makes it anew for every request, a tenth of what a listing costs.
  const secure = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: policy,
    },
    strictTransportSecurity: https ? { maxAge: 31_536_000, includeSubDomains: false } : false,
    referrerPolicy: { policy: 'same-origin' },
    xFrameOptions: { action: 'deny' },
    crossOriginEmbedderPolicy: false,
    // For browsers of long ago: Internet Explorer's downloads, Flash's policies.
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
    xDnsPrefetchControl: false,
  })
  http.addHook('onRequest', (request, reply, done) => {
    // A screen fetches dozens of these: with the policies of documents a third of what travels would be that.
    if (partOfPage.test(request.url)) {
      reply.raw.setHeader('X-Content-Type-Options', 'nosniff')
      reply.raw.setHeader('Cross-Origin-Resource-Policy', 'same-origin')
      return done()
    }
    reply.raw.setHeader('Permissions-Policy', noPermissions)
    secure(request.raw, reply.raw, () => done())
  })
}

async function addCompression(http: FastifyInstance) {
  // A page of listings in one call: 6.4 kB in 60 µs as zstd, 6.6 kB in 100 as Brotli, where the next quality takes 170.
  await http.register(compress, {
    globalDecompression: false,
    encodings: ['zstd', 'br', 'gzip'],
    threshold: 1024,
    syncThreshold: 64 * 1024,
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 2 } },
    zlibOptions: { level: 1 },
  })
}

/** Parses JSON and forms. Invalid UTF-8 is refused. */
function addBodyParsers(http: FastifyInstance) {
  // Clients name JSON on every call, also on those that carry nothing.
  const parseJson = http.getDefaultJsonParser('error', 'error')
  http.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (body.length === 0) return done(null, undefined)
    // Decoding would put a mark in place of the bytes that are none of UTF-8, and keep that as what the member wrote.
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
