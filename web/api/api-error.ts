import { t } from '@lingui/core/macro'
import { errorMessages } from '#contract/error-messages.ts'
import type { ProblemCode } from '#contract/problem.ts'
import { translateMessage } from '#web/i18n/translate-message.ts'

/** Returns the text of a call without a response. */
export const noResponse = () => t`No response from server. Please try again later.`

interface FieldError {
  readonly field: string
  readonly message: string
}

interface Failure {
  status: number
  detail?: string | undefined
  code?: string | undefined
  isMessage?: boolean
  errors?: readonly FieldError[]
  retryAfter?: number | undefined
}

/**
 * A failed call. `kind` is `offline` (status 0) if there was no complete response. `detail` has the server's messages, one a line,
 * and is undefined if it sent none. `isMessage` is true if they were not in `detail` but in `message`, or if there were none.
 * `retryAfter` is in seconds.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly kind: 'answered' | 'offline'
  readonly status: number
  readonly detail: string | undefined
  /** The problem's code, if the client has a next step. */
  readonly code: string | undefined
  readonly isMessage: boolean
  readonly errors: readonly FieldError[]
  readonly retryAfter: number | undefined

  constructor(
    { status, detail, code, isMessage = false, errors = [], retryAfter }: Failure,
    options?: ErrorOptions,
  ) {
    super(detail ?? `The server answered ${status}`, options)
    this.kind = status === 0 ? 'offline' : 'answered'
    this.status = status
    this.detail = detail
    this.code = code
    this.isMessage = isMessage
    this.errors = errors
    this.retryAfter = retryAfter
  }

  static offline(cause: unknown) {
    return new ApiError({ status: 0, detail: noResponse() }, { cause })
  }

  static notAuthenticated() {
    return new ApiError({ status: 401, detail: errorMessages.notAuthenticated })
  }

  /** Reads the messages of a failed response in any of the known shapes. */
  static async from(response: Response) {
    const body = await readBody(response)
    const seconds = Number.parseInt(response.headers.get('Retry-After') ?? '', 10)
    const detail = textIn(body.detail)
    return new ApiError({
      status: response.status,
      detail: detail ?? textIn(body.message),
      code: typeof body.code === 'string' ? body.code : undefined,
      isMessage: detail === undefined,
      errors: Array.isArray(body.errors) ? body.errors.filter(isFieldError) : [],
      retryAfter: Number.isNaN(seconds) ? undefined : seconds,
    })
  }
}

/** Returns the text of a failure without a message of the server. */
export const unknownFailure = () => t`An error occurred`

/** Returns the server's message of a failure in the language of the page, or the fallback. */
export function errorText(error: unknown, fallback = unknownFailure()) {
  const detail = error instanceof ApiError ? error.detail : undefined
  return detail === undefined ? fallback : translateMessage(detail)
}

/** Returns whether there was no response. */
export function isOffline(error: unknown) {
  return error instanceof ApiError && error.kind === 'offline'
}

/** Returns whether the server answered 404: the resource does not exist, or the member may not see it. */
export function isNotFound(error: unknown) {
  return error instanceof ApiError && error.status === 404
}

/** Handles a failure: returns undefined for a 404, and rethrows any other one. */
export function ignoreNotFound(failure: unknown): undefined {
  if (!isNotFound(failure)) throw failure
}

/** Returns whether the problem of a failed call has a code. */
export function hasCode(error: unknown, code: ProblemCode): boolean {
  return error instanceof ApiError && error.code === code
}

/** Returns whether the server has stored something else with the call's `client_id`. */
export function isClientIdReused(error: unknown) {
  return hasCode(error, 'client_id_reused')
}

async function readBody(response: Response): Promise<Record<string, unknown>> {
  try {
    const body: unknown = JSON.parse(await response.text())
    return isRecord(body) ? body : {}
  } catch {
    return {}
  }
}

/** Reads a text, an object with a `message` or `msg`, or a list of either. */
function textIn(value: unknown): string | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : value
  if (Array.isArray(value)) {
    return textIn(value.flatMap((part: unknown) => textIn(part) ?? []).join('\n'))
  }
  if (isRecord(value)) return textIn(value.message) ?? textIn(value.msg)
  return undefined
}

function isFieldError(value: unknown): value is FieldError {
  return isRecord(value) && typeof value.field === 'string' && typeof value.message === 'string'
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
