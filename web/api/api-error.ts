export const noResponse = 'No response from server. Please try again later.'

export interface FieldError {
  readonly field: string
  readonly message: string
}

interface Refusal {
  status: number
  detail?: string | undefined
  code?: string | undefined
  isMessage?: boolean
  errors?: readonly FieldError[]
  retryAfter?: number | undefined
}

/**
 * A call that failed. `kind` is `offline` (status 0) when no answer came at all. `detail` is what the server said, one
 * message a line, and missing when it said nothing; `isMessage` when it stood under `message` alone. `retryAfter` is in
 * seconds.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly kind: 'answered' | 'offline'
  readonly status: number
  readonly detail: string | undefined
  /** The problem's code, where the client has a next step. */
  readonly code: string | undefined
  readonly isMessage: boolean
  readonly errors: readonly FieldError[]
  readonly retryAfter: number | undefined

  constructor(
    { status, detail, code, isMessage = false, errors = [], retryAfter }: Refusal,
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
    return new ApiError({ status: 0, detail: noResponse }, { cause })
  }

  /** Reads what an answer says about its failure, whatever shape it has. */
  static async from(response: Response) {
    const body = await readBody(response)
    const seconds = Number.parseInt(response.headers.get('Retry-After') ?? '', 10)
    const detail = sentenceIn(body.detail)
    return new ApiError({
      status: response.status,
      detail: detail ?? sentenceIn(body.message),
      code: typeof body.code === 'string' ? body.code : undefined,
      isMessage: detail === undefined,
      errors: Array.isArray(body.errors) ? body.errors.filter(isFieldError) : [],
      retryAfter: Number.isNaN(seconds) ? undefined : seconds,
    })
  }
}

/** The sentence to show for a failure: the server's own, else the screen's. */
export function sentenceFor(error: unknown, otherwise: string) {
  return error instanceof ApiError ? (error.detail ?? otherwise) : otherwise
}

/** Whether there is nothing under that address, or nothing that the member may see. */
export function isMissing(error: unknown) {
  return error instanceof ApiError && error.status === 404
}

async function readBody(response: Response): Promise<Record<string, unknown>> {
  try {
    const body: unknown = JSON.parse(await response.text())
    return isRecord(body) ? body : {}
  } catch {
    return {}
  }
}

/** A sentence, a list of sentences, or a list of objects with a `message` or `msg`. */
function sentenceIn(said: unknown): string | undefined {
  if (typeof said === 'string') return said.trim() === '' ? undefined : said
  if (Array.isArray(said)) {
    return sentenceIn(said.flatMap((part: unknown) => sentenceIn(part) ?? []).join('\n'))
  }
  if (isRecord(said)) return sentenceIn(said.message) ?? sentenceIn(said.msg)
  return undefined
}

function isFieldError(value: unknown): value is FieldError {
  return isRecord(value) && typeof value.field === 'string' && typeof value.message === 'string'
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
