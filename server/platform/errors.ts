/** The HTTP status of each error code. */
const statusOf = {
  bad_request: 400,
  not_authenticated: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  not_acceptable: 406,
  timeout: 408,
  conflict: 409,
  client_id_reused: 409,
  trade_conflict: 409,
  precondition_failed: 412,
  too_large: 413,
  unsupported_type: 415,
  range_not_satisfiable: 416,
  invalid: 422,
  too_many: 429,
  unexpected: 500,
  unavailable: 503,
  full: 507,
} as const

export type ErrorCode = keyof typeof statusOf

export interface FieldError {
  readonly field: string
  readonly message: string
}

/**
 * An expected error. `detail` is a sentence for the user. `errors` has the fields of an `invalid` one; `retryAfter` is in seconds, for
 * `too_many` and `unavailable`.
 */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly errors: readonly FieldError[] | undefined
  readonly retryAfter: number | undefined

  constructor(
    code: ErrorCode,
    detail: string,
    more: { errors?: readonly FieldError[]; retryAfter?: number; cause?: unknown } = {},
  ) {
    super(detail, { cause: more.cause })
    this.name = 'AppError'
    this.code = code
    this.errors = more.errors
    this.retryAfter = more.retryAfter
  }

  get status(): number {
    return statusOf[this.code]
  }
}

/** Returns a validation error for a field that only the server can check, like a username that is taken. */
export function invalid(field: string, message: string): AppError {
  return new AppError('invalid', message, { errors: [{ field, message }] })
}
