import type { Socket } from 'node:net'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { errorMessages } from '#contract/error-messages.ts'
import { type Problem, type ProblemCode, problemCodes, problemType } from '#contract/problem.ts'
import { databaseUnavailable, foreignKeyViolated } from '#server/platform/database-errors.ts'
import { AppError, type ErrorCode, isDiskFull } from '#server/platform/errors.ts'
import { createTranslators, type Translator } from '#server/platform/i18n/translator.ts'
import { acceptedLanguage } from './language.ts'

/** Returns the `code` of a problem that clients handle separately. For others the status is sufficient. */
export function problemCode(code: ErrorCode): ProblemCode | undefined {
  return problemCodes.find((each) => each === code)
}

/** The errors for the 4xx statuses of Fastify and its plugins. Other statuses are `bad_request`. */
const frameworkErrors = new Map<number, [ErrorCode, string]>([
  // A forbidden path of a static file.
  [403, ['not_found', errorMessages.notFound]],
  [404, ['not_found', errorMessages.notFound]],
  [408, ['timeout', errorMessages.unreadableBody]],
  [412, ['precondition_failed', errorMessages.preconditionFailed]],
  [413, ['too_large', errorMessages.bodyTooLarge]],
  // A path parameter that is too long.
  [414, ['not_found', errorMessages.notFound]],
  [415, ['unsupported_type', errorMessages.unreadableBody]],
  [416, ['range_not_satisfiable', errorMessages.rangeNotSatisfiable]],
])

/** Converts an error of Fastify or a plugin with a 4xx status; else returns undefined. */
function fromFramework({ statusCode = 500 }: FastifyError): AppError | undefined {
  if (statusCode < 400 || statusCode >= 500) return undefined
  return new AppError(...(frameworkErrors.get(statusCode) ?? ['bad_request', errorMessages.unreadableBody]))
}

/** Converts any error to an AppError. An unknown one is `unexpected` and has the error as its cause. */
export function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  if (databaseUnavailable(error))
    return new AppError('unavailable', errorMessages.unavailable, { cause: error })
  if (isDiskFull(error)) return new AppError('full', errorMessages.storageFull, { cause: error })
  if (foreignKeyViolated(error)) return new AppError('not_found', errorMessages.notFound, { cause: error })
  const refused = error instanceof Error ? fromFramework(error as FastifyError) : undefined
  return refused ?? new AppError('unexpected', errorMessages.unexpected, { cause: error })
}

/** Returns the headers that a plugin gives to its error. */
function headersOf(error: unknown): Record<string, string> {
  return error instanceof Error && 'headers' in error ? { ...(error.headers as Record<string, string>) } : {}
}

// Problems have no amounts of money, so the country and currency of the site do not matter.
const translators = createTranslators({ country: 'US', currency: 'USD' })

/** Returns the texts of an error in a language. */
function textsOf({ title, message, errors }: AppError, t: Translator) {
  const translated = errors?.map((error) => ({ ...error, message: t(error.message) }))
  const isOfErrors = message === errors?.map((error) => error.message).join('\n')
  return {
    title: t(title),
    detail: translated && isOfErrors ? translated.map((error) => error.message).join('\n') : t(message),
    ...(translated && { errors: translated }),
  }
}

/** Answers with problem details in the language that the client accepts. Logs unexpected errors; nothing else logs them. */
export function sendProblem(request: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply {
  const known = asAppError(error)
  if (known.code === 'full') request.log.error({ err: known.cause }, 'A disk is full')
  if (known.code === 'unexpected')
    request.log.error({ err: known.cause ?? known }, 'A request failed unexpectedly')
  if (known.code === 'unavailable')
    request.log.warn({ err: known.cause ?? known }, 'A request failed because a service is unavailable')

  const code = problemCode(known.code)
  const t = translators(acceptedLanguage(request.headers))
  const problem: Problem = {
    type: code ? problemType(code) : 'about:blank',
    status: known.status,
    ...textsOf(known, t),
    ...(code ? { code } : {}),
  }
  reply.headers({ 'content-language': t.language, vary: 'accept-language' })
  if (known.code === 'not_authenticated') reply.header('www-authenticate', 'Bearer')
  reply.header('cache-control', 'no-store')
  // `Content-Range` of a 416 (RFC 9110, section 15.5.17).
  if (known.code === 'range_not_satisfiable') reply.headers(headersOf(error))
  if (known.retryAfter !== undefined) reply.header('retry-after', String(known.retryAfter))
  return reply.code(known.status).type('application/problem+json').serializer(JSON.stringify).send(problem)
}

const unreadable = { status: 400, title: 'Bad request', detail: errorMessages.unreadableBody }
const connectionProblems = new Map([
  ['HPE_HEADER_OVERFLOW', { status: 431, title: 'Too large', detail: errorMessages.bodyTooLarge }],
  ['ERR_HTTP_REQUEST_TIMEOUT', { status: 408, title: 'Timeout', detail: errorMessages.unreadableBody }],
])

/** Answers input that Node can't parse as a request, with problem details written directly to the socket. */
export function sendConnectionProblem(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code !== 'ECONNRESET' && socket.writable) {
    const { status, title, detail } = connectionProblems.get(error.code ?? '') ?? unreadable
    const body = JSON.stringify({ type: 'about:blank', title, status, detail } satisfies Problem)
    socket.write(
      `HTTP/1.1 ${status} ${title}\r\nContent-Type: application/problem+json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    )
  }
  socket.destroy()
}
