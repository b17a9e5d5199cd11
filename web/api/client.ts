import type { QueryClient } from '@tanstack/react-query'
import type { CallInput, CallOutput, Endpoint } from '#contract/endpoint.ts'
import { sourceLanguage } from '#contract/languages.ts'
import { ApiError } from '#web/api/api-error.ts'
import { type Transport, transportOf } from '#web/api/query-client.ts'
import { language } from '#web/i18n/i18n.ts'
import { type AddressParts, addressOf, textPairs } from './address.ts'

interface CallOptions {
  readonly signal?: AbortSignal | undefined
  /** Receives the sent share of the body, from 0 to 1. */
  readonly onProgress?: ((share: number) => void) | undefined
}

/** The input may be left out if the endpoint requires none. */
type CallArguments<E extends Endpoint> =
  Record<never, never> extends CallInput<E>
    ? [input?: CallInput<E>, options?: CallOptions]
    : [input: CallInput<E>, options?: CallOptions]

/** The input of any endpoint. */
interface Input extends AddressParts {
  readonly body?: unknown
  readonly file?: Blob | undefined
}

/** A prepared request. */
interface Call {
  readonly method: Endpoint['method']
  readonly url: string
  readonly headers: Headers
  readonly body: BodyInit | undefined
}

/** The time after which an upload without progress is aborted. */
const stalledUploadMs = 60_000
/** The time between two reports of an upload's progress, as in the standard of XMLHttpRequest. WebKitGTK has an event for every 8 kB. */
const progressIntervalMs = 50

/**
 * Calls an endpoint. Throws an `ApiError` if the server refuses or does not answer, and the signal's reason if the call is
 * aborted. Does not validate the response: the server serializes it with the same schema.
 */
export async function call<E extends Endpoint>(
  client: QueryClient,
  endpoint: E,
  ...[input, options]: CallArguments<E>
): Promise<CallOutput<E>> {
  return (await exchange(transportOf(client), endpoint, input ?? {}, options)).body
}

/** One page of a list. `next` is the cursor of the next page, undefined on the last one. */
export interface Page<Items> {
  readonly items: Items
  readonly next: string | undefined
}

/** Calls an endpoint that returns a list page by page. Without a cursor, fetches the first page. */
export async function callPage<E extends Endpoint>(
  client: QueryClient,
  endpoint: E,
  input: CallInput<E>,
  cursor: string | undefined,
  options: CallOptions,
): Promise<Page<CallOutput<E>>> {
  const parts: Input = input
  const page = { ...parts, query: { ...parts.query, cursor } }
  const { body, headers } = await exchange(transportOf(client), endpoint, page, options)
  return { items: body, next: nextCursor(headers) }
}

/** Returns the cursor in the `Link: <…?cursor=…>; rel="next"` header (RFC 8288), or undefined on the last page. */
function nextCursor(headers: Headers): string | undefined {
  const links = headers.get('Link') ?? ''
  for (const [, target = '', parameters = ''] of links.matchAll(/<([^>]*)>([^<]*)/g)) {
    if (!/;\s*rel="?(?:[^";]*\s)?next(?:\s[^";]*)?"?/i.test(parameters)) continue
    return new URLSearchParams(target.split('?')[1]).get('cursor') ?? undefined
  }
}

/** Reads all pages of a list. `read` gets the cursor of a page, undefined for the first one. */
export async function readAllPages<Item>(
  read: (cursor: string | undefined) => Promise<Page<Item[]>>,
): Promise<Item[]> {
  const items: Item[] = []
  let cursor: string | undefined
  do {
    const page = await read(cursor)
    items.push(...page.items)
    cursor = page.next
  } while (cursor !== undefined)
  return items
}

/** Sends the call of an endpoint. Ends the login if the server no longer accepts its token, or if there is none. */
export async function exchange<E extends Endpoint>(
  transport: Transport,
  endpoint: E,
  parts: Input,
  options: CallOptions = {},
) {
  const { login, onlineStatus } = transport
  const token = login.get()?.token
  // A screen that closes at a logout may still ask for its data.
  if (endpoint.auth === 'member' && token === undefined) {
    login.removeRefused(token)
    throw ApiError.notAuthenticated()
  }
  const response = await send(transport, prepare(endpoint, parts, token), options)
  onlineStatus.set(true)
  if (!response.ok) {
    if (response.status === 401 && endpoint.auth === 'member') login.removeRefused(token)
    throw await ApiError.from(response)
  }
  const body = await readBody(transport, endpoint, response, options.signal)
  return { body: body as CallOutput<E>, headers: response.headers }
}

function prepare(endpoint: Endpoint, parts: Input, token: string | undefined): Call {
  // The screens translate the server's English. A guest's language becomes that of the member who registers.
  const accepted = token === undefined ? language() : sourceLanguage
  const headers = new Headers({ Accept: 'application/json', 'Accept-Language': accepted })
  if (token !== undefined) headers.set('Authorization', `Bearer ${token}`)
  const body = encode(endpoint, parts)
  if (typeof body === 'string') headers.set('Content-Type', 'application/json')
  return { method: endpoint.method, url: addressOf(endpoint, parts), headers, body }
}

function encode({ encoding = 'json', file: fileField }: Endpoint, { body, file }: Input) {
  if (body === undefined && file === undefined) return undefined
  if (encoding === 'form') return new URLSearchParams(textPairs(fieldsOf(body)))
  if (encoding === 'json' || (encoding === 'multipart or json' && file === undefined)) {
    return JSON.stringify(body)
  }
  const form = new FormData()
  for (const [name, text] of textPairs(fieldsOf(body))) form.append(name, text)
  // The file comes last: a server that streams the body has read the fields by then.
  if (file !== undefined && fileField !== undefined) form.append(fileField, file)
  return form
}

function fieldsOf(body: unknown): Record<string, unknown> {
  return typeof body === 'object' && body !== null ? { ...body } : {}
}

async function send(
  { fetch, onlineStatus }: Transport,
  request: Call,
  { signal, onProgress }: CallOptions,
): Promise<Response> {
  try {
    if (request.body instanceof FormData) return await upload(request, request.body, signal, onProgress)
    return await fetch(request.url, {
      method: request.method,
      headers: request.headers,
      body: request.body ?? null,
      signal: signal ?? null,
    })
  } catch (failure) {
    signal?.throwIfAborted()
    onlineStatus.set(false)
    throw ApiError.offline(failure)
  }
}

/** Uploads with XMLHttpRequest, because `fetch` reports no progress. */
function upload(
  { method, url, headers }: Call,
  body: FormData,
  signal: AbortSignal | undefined,
  onProgress: ((share: number) => void) | undefined,
) {
  return new Promise<Response>((resolve, reject) => {
    signal?.throwIfAborted()
    const request = new XMLHttpRequest()
    request.open(method, url)
    request.responseType = 'blob'
    for (const [name, value] of headers) request.setRequestHeader(name, value)
    let stalled: ReturnType<typeof setTimeout> | undefined
    const waitForProgress = () => {
      clearTimeout(stalled)
      stalled = setTimeout(() => request.abort(), stalledUploadMs)
    }
    let reportedAt = Number.NEGATIVE_INFINITY
    request.upload.onprogress = ({ loaded, total }) => {
      waitForProgress()
      const now = performance.now()
      if (loaded < total && now < reportedAt + progressIntervalMs) return
      reportedAt = now
      onProgress?.(total === 0 ? 0 : loaded / total)
    }
    request.onload = () => resolve(responseOf(request))
    request.onerror = () => reject(new TypeError('No response to the upload'))
    request.onabort = () => reject(signal?.reason ?? new TypeError('The upload has stalled'))
    request.onloadend = () => clearTimeout(stalled)
    waitForProgress()
    signal?.addEventListener('abort', () => request.abort(), { once: true })
    request.send(body)
  })
}

function responseOf(request: XMLHttpRequest) {
  const headers = new Headers()
  for (const line of request.getAllResponseHeaders().trim().split('\r\n')) {
    const colon = line.indexOf(':')
    if (colon > 0) headers.append(line.slice(0, colon), line.slice(colon + 1).trim())
  }
  const body: unknown = request.response
  return new Response(request.status !== 204 && body instanceof Blob ? body : null, {
    status: request.status,
    headers,
  })
}

async function readBody(
  { onlineStatus }: Transport,
  { response: schemas }: Endpoint,
  response: Response,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const schema = schemas[response.status]
  if (schema === 'nothing') return undefined
  try {
    return await (schema === 'bytes' ? response.blob() : response.json())
  } catch (cause) {
    signal?.throwIfAborted()
    // A captive portal, for example, answers 200 with HTML.
    if (cause instanceof SyntaxError) throw new ApiError({ status: response.status }, { cause })
    onlineStatus.set(false)
    throw ApiError.offline(cause)
  }
}
