import { errorMessages } from '#contract/error-messages.ts'
import { msg } from '#contract/message.ts'

/** The HTTP status and the title of each error code. */
const problemOf = {
  bad_request: [400, msg('Bad request')],
  not_authenticated: [401, msg('Not authenticated')],
  forbidden: [403, msg('Forbidden')],
  not_found: [404, msg('Not found')],
  timeout: [408, msg('Timeout')],
  conflict: [409, msg('Conflict')],
  location_unknown: [422, msg('Validation failed')],
  photos_not_usable: [422, msg('Validation failed')],
  client_id_reused: [409, msg('Conflict')],
  trade_conflict: [409, msg('Conflict')],
  precondition_failed: [412, msg('Precondition failed')],
  too_large: [413, msg('Too large')],
  unsupported_type: [415, msg('Unsupported type')],
  range_not_satisfiable: [416, msg('Range not satisfiable')],
  invalid: [422, msg('Validation failed')],
  too_many: [429, msg('Too many requests')],
  contacts_used: [429, msg('Too many requests')],
  contacts_unconfirmed: [429, msg('Too many requests')],
  equal_texts: [429, msg('Too many requests')],
  paused: [403, msg('Forbidden')],
  suspended: [403, msg('Forbidden')],
  unexpected: [500, msg('Server error')],
  unavailable: [503, msg('Unavailable')],
  full: [507, msg('Insufficient storage')],
} as const

export type ErrorCode = keyof typeof problemOf

export interface FieldError {
  readonly field: string
  readonly message: string
}

/** The `retryAfter` of `unavailable` if it has no other. */
const retryAfterSeconds = 5

/**
 * An expected error. `detail` is a sentence for the user. `errors` names the fields that it is about; `retryAfter` is in seconds, for
 * `too_many`, `paused` and `unavailable`.
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
    this.retryAfter = more.retryAfter ?? (code === 'unavailable' ? retryAfterSeconds : undefined)
  }

  get status(): number {
    return problemOf[this.code][0]
  }

  get title(): string {
    return problemOf[this.code][1]
  }
}

/** An error that an operator can fix. The message is enough to do so. */
export class OperatorError extends Error {}

/** Returns a validation error for a field that only the server can check, like a username that is taken. `code` is for the client. */
export function invalid(
  field: string,
  message: string,
  code: 'invalid' | 'location_unknown' | 'photos_not_usable' = 'invalid',
): AppError {
  return new AppError(code, message, { errors: [{ field, message }] })
}

/** The system's codes for a full disk, an exceeded quota or file size limit. */
const diskFullCodes = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

export function isDiskFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && diskFullCodes.has(String(error.code))
}

/** Returns the error of storing a photo: with a sentence about photos if a disk is full, else unchanged. */
export function photoStorageError(error: unknown): unknown {
  return isDiskFull(error) ? new AppError('full', errorMessages.photoStorageFull, { cause: error }) : error
}
