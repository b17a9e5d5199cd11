import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod/mini'
import { type DeskRole, hasRole, isOfDesk } from '#contract/desk-roles.ts'
import type { CallOutput, Encoding, Endpoint } from '#contract/endpoint.ts'
import { errorMessages } from '#contract/error-messages.ts'
import { normalizeIdentifier } from '#contract/identifiers.ts'
import type { Language } from '#contract/languages.ts'
import { foreignKeyViolated } from '#server/platform/database-errors.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Queues } from '#server/platform/queue.ts'
import { requireToken } from '#server/platform/token-buckets.ts'
import { acceptedLanguage } from './language.ts'
import { cookieToken } from './login-cookie.ts'
import type { Page } from './paging.ts'
import { asAppError } from './problem.ts'
import { clientLeft, type Multipart, readMultipart, type UploadedFile, type Uploads } from './upload.ts'

/** The caller: a member with a valid session. */
export interface Caller {
  readonly id: number
  readonly session: Buffer
}

/** Returns the caller of a bearer token, or undefined if it is invalid. */
export type Authenticate = (token: string) => Promise<Caller | undefined>

export type RunInSession = <Result>(session: Buffer, work: () => Promise<Result>) => Promise<Result>

/** The HTTP server and the functions that `route` needs. */
export interface App {
  readonly http: FastifyInstance
  readonly authenticate: Authenticate
  /** Returns the role of a member at the desk. */
  readonly roleOf: (member: number) => Promise<DeskRole | undefined>
  /** True if members use HTTPS. */
  readonly https: boolean
  /** Returns whether a member is below the rate limit. */
  readonly mayCall: (member: number) => boolean
  /** Returns whether a session has ended. */
  readonly hasEnded: (session: Buffer) => Promise<boolean>
  /** Runs the work for a session. Transactions in it throw `not_authenticated` if the session has ended. */
  readonly runInSession: RunInSession
  /** Runs a member's write. It waits while too many others of the member run, but not for long. */
  readonly limitWrites: Queues<number>
  /** Limits the uploads of members. */
  readonly uploads: Uploads
  /** Called after a request of a member that may have written, also if it failed. Does not throw. */
  readonly afterWrite: (member: number) => Promise<void>
  /** The registered endpoints, for the OpenAPI document. */
  readonly endpoints: Endpoint[]
}

type Output<Schema> = Schema extends z.ZodMiniType ? z.output<Schema> : undefined

/** The input of a handler: the parsed parts of the request, the caller and the address. */
export interface Call<E extends Endpoint> {
  readonly params: Output<E['params']>
  readonly query: Output<E['query']>
  readonly body: Output<E['body']>
  readonly file: UploadedFile | undefined
  readonly member: E['auth'] extends 'member' | DeskRole
    ? Caller
    : E['auth'] extends 'optional'
      ? Caller | undefined
      : undefined
  readonly address: string
  /** The best language for the client's `Accept-Language`. Undefined without one or if none fits. */
  readonly language: Language | undefined
}

/** A response with headers, a stream, or another status than the first of the endpoint. */
export class RouteResponse<Body> {
  readonly body: Body
  readonly headers: Readonly<Record<string, string>>
  readonly status: number | undefined
  constructor(body: Body, headers: Readonly<Record<string, string>>, status?: number) {
    this.body = body
    this.headers = headers
    this.status = status
  }
}

type Result<E extends Endpoint> = 'bytes' extends E['response'][keyof E['response']]
  ? Promise<RouteResponse<Readable | Buffer>>
  : [CallOutput<E>] extends [undefined]
    ? Promise<void> | Promise<RouteResponse<undefined>>
    : CallOutput<E> extends readonly (infer Row)[]
      ? Promise<CallOutput<E> | Page<Row>>
      : Promise<CallOutput<E> | RouteResponse<CallOutput<E> | Readable>>

type Handler<E extends Endpoint> = (call: Call<E>) => Result<E>

/** Registers an endpoint. It authenticates the caller, parses the request and serializes the response by the contract. */
export function route<E extends Endpoint>(app: App, endpoint: E, handler: Handler<E>): void {
  app.endpoints.push(endpoint)
  const readBody = bodyReader(app, endpoint)
  const [status] = Object.keys(endpoint.response).map(Number)
  if (status === undefined) throw new Error(`${endpoint.path} has no response`)

  app.http.route({
    method: endpoint.method,
    url: endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    schema: { response: responseSchemas(endpoint) },
    onRequest: async (request) => {
      if (endpoint.auth === 'member') request.caller = await requireCaller(app, request)
      if (isOfDesk(endpoint.auth)) request.caller = await requireRole(app, request, endpoint.auth)
      if (endpoint.auth === 'optional') request.caller = await findCaller(app, request)
    },
    handler: async (request, reply) => {
      const { body, file, discard } = await readBody(request, reply)
      try {
        const call = {
          params: endpoint.params ? parseParams(endpoint, request.params) : undefined,
          query: endpoint.query ? parse(endpoint.query, request.query) : undefined,
          body,
          file,
          member: request.caller,
          address: request.ip,
          get language() {
            return acceptedLanguage(request.headers)
          },
        } as Call<E>
        const result = await runForCaller(
          app,
          { endpoint, caller: request.caller, signal: file?.signal },
          async () => handler(call),
        )
        return send(request, reply.code(status), result)
      } catch (error) {
        throw await asEndedSession(app, request.caller, error)
      } finally {
        await discard?.()
      }
    },
  })
}

declare module 'fastify' {
  interface FastifyRequest {
    caller?: Caller | undefined
  }
}

/** Returns the caller by the bearer token or the login cookie. Undefined for guests and ended sessions. */
async function findCaller(
  { authenticate, https }: App,
  { headers }: FastifyRequest,
): Promise<Caller | undefined> {
  const token = bearerToken(headers) ?? cookieToken(headers, https)
  return token === undefined ? undefined : authenticate(token)
}

function bearerToken({ authorization }: FastifyRequest['headers']): string | undefined {
  const [scheme, token] = authorization?.split(' ') ?? []
  return scheme?.toLowerCase() === 'bearer' && token ? token : undefined
}

async function requireCaller({ authenticate, mayCall }: App, request: FastifyRequest): Promise<Caller> {
  const token = bearerToken(request.headers)
  const caller = token === undefined ? undefined : await authenticate(token)
  if (!caller) throw new AppError('not_authenticated', errorMessages.notAuthenticated)
  requireToken(mayCall, caller.id)
  return caller
}

/** Answers everybody without the role like an unknown path, so that the desk does not show. */
async function requireRole(app: App, request: FastifyRequest, role: DeskRole): Promise<Caller> {
  const token = bearerToken(request.headers)
  const caller = token === undefined ? undefined : await app.authenticate(token)
  if (!caller || !hasRole(await app.roleOf(caller.id), role))
    throw new AppError('not_found', errorMessages.notFound)
  requireToken(app.mayCall, caller.id)
  return caller
}

interface RunOptions {
  readonly endpoint: Endpoint
  readonly caller: Caller | undefined
  /** Aborted when the client of an upload leaves, which then does not wait any more. Other writes run without their client. */
  readonly signal: AbortSignal | undefined
}

/** Runs a handler after the body is complete. That can take minutes, so the session and the role are checked again. */
async function runForCaller(
  { hasEnded, runInSession, limitWrites, afterWrite, roleOf }: App,
  { endpoint: { method, auth }, caller, signal }: RunOptions,
  work: () => Promise<unknown>,
): Promise<unknown> {
  if (!caller || method === 'GET') return work()
  const write = async () => {
    if (await hasEnded(caller.session))
      throw new AppError('not_authenticated', errorMessages.notAuthenticated)
    if (isOfDesk(auth) && !hasRole(await roleOf(caller.id), auth))
      throw new AppError('not_found', errorMessages.notFound)
    try {
      return await runInSession(caller.session, work)
    } finally {
      await afterWrite(caller.id)
    }
  }
  return limitWrites(caller.id, write, { signal })
}

/** If the session ended during the request, answers 401 instead of the unexpected error. */
async function asEndedSession(
  { hasEnded }: App,
  caller: Caller | undefined,
  error: unknown,
): Promise<unknown> {
  if (!caller || !isUnexpected(error) || !(await hasEnded(caller.session))) return error
  return new AppError('not_authenticated', errorMessages.notAuthenticated)
}

function isUnexpected(error: unknown): boolean {
  return asAppError(error).code === 'unexpected' || foreignKeyViolated(error)
}

function send(request: FastifyRequest, reply: FastifyReply, result: unknown): FastifyReply {
  if (isPage(result)) return sendPage(request, reply, result)
  if (!(result instanceof RouteResponse)) return reply.send(result)
  const { etag, 'content-length': _, ...headers } = result.headers
  if (etag !== undefined && request.headers['if-none-match'] === etag) {
    if (result.body instanceof Readable) result.body.destroy()
    return reply
      .code(304)
      .headers({ etag, ...headers })
      .send()
  }
  if (result.status !== undefined) reply.code(result.status)
  return reply.headers(result.headers).send(result.body)
}

/** No response of the contract has these two fields. */
function isPage(result: unknown): result is Page<unknown> {
  return typeof result === 'object' && result !== null && 'rows' in result && 'next' in result
}

/** Sends a page with a link to the next one: the same URL with its cursor. */
function sendPage(request: FastifyRequest, reply: FastifyReply, { rows, next }: Page<unknown>): FastifyReply {
  if (next === undefined) return reply.send(rows)
  const { pathname, searchParams } = new URL(request.url, 'http://localhost')
  searchParams.set('cursor', next)
  return reply.header('link', `<${pathname}?${searchParams}>; rel="next"`).send(rows)
}

/** Parses path parameters. Throws the same 404 as for a missing row if they are invalid. */
function parseParams(endpoint: Endpoint, params: unknown): unknown {
  const parsed = endpoint.params?.safeParse(params)
  if (!parsed?.success) throw new AppError('not_found', endpoint.notFound ?? errorMessages.notFound)
  return parsed.data
}

/** Parses a value by a schema. Throws 422 with the first message of each invalid field. */
export function parse(schema: z.ZodMiniType, value: unknown): unknown {
  const parsed = schema.safeParse(value, { error: (issue) => defaultMessage(issue.path) })
  if (parsed.success) return parsed.data
  const errors = new Map<string, string>()
  for (const issue of parsed.error.issues) {
    const field = issue.path.join('.')
    if (!errors.has(field)) errors.set(field, issue.message)
  }
  throw new AppError('invalid', [...errors.values()].join('\n'), {
    errors: [...errors].map(([field, message]) => ({ field, message })),
  })
}

/** Returns the message of a rule without its own message. Only a wrong client breaks such rules. */
function defaultMessage(path: readonly PropertyKey[] = []): string {
  return path.length > 0 ? `Please check "${path.join('.')}"` : errorMessages.unreadableBody
}

interface ReadBody {
  readonly body: unknown
  readonly file?: UploadedFile | undefined
  readonly discard?: Multipart['discard']
}

function bodyReader(
  { uploads }: App,
  { body: schema, encoding = 'json', file, auth, path }: Endpoint,
): (request: FastifyRequest, reply: FastifyReply) => Promise<ReadBody> {
  if (!schema) return async () => ({ body: undefined })
  if (encoding.startsWith('multipart') && auth !== 'member' && !isOfDesk(auth))
    throw new Error(`${path} has uploads that no member's limit counts`)
  const { properties = {} } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  const convertTypes = formTypes(properties)
  const fields = { file, lists: listsIn(properties) }

  async function fromMultipart(request: FastifyRequest, reply: FastifyReply): Promise<ReadBody> {
    if (!request.caller) throw new AppError('not_authenticated', errorMessages.notAuthenticated)
    const signal = clientLeft(reply.raw)
    await using stack = new AsyncDisposableStack()
    stack.defer(await uploads.admit(request.caller.id, lengthOf(request)))
    const { discard, ...form } = await readMultipart(request, fields, signal)
    stack.defer(discard)
    requireNoText(form.fields, file)
    const body = parse(schema as z.ZodMiniType, convertTypes(form.fields))
    const rest = stack.move()
    return { body, file: form.file, discard: () => rest.disposeAsync() }
  }

  return async (request, reply) => {
    requireEncoding(request, encoding)
    if (encoding === 'multipart' || (encoding === 'multipart or json' && request.isMultipart()))
      return fromMultipart(request, reply)
    requireNoText(request.body, file)
    return { body: parse(schema, request.body === undefined ? {} : request.body) }
  }
}

/** Refuses a photo that comes as text, so that it is not lost without a word. */
function requireNoText(body: unknown, file: string | undefined): void {
  if (file === undefined || typeof body !== 'object' || body === null || !(file in body)) return
  if (!Reflect.get(body, file)) return
  throw new AppError('invalid', errorMessages.photoAsText, {
    errors: [{ field: file, message: errorMessages.photoAsText }],
  })
}

/** Returns the length of a request's body; undefined if it comes in chunks. */
function lengthOf({ headers }: FastifyRequest): number | undefined {
  const length = headers['content-length']
  return length === undefined ? undefined : Number(length)
}

const contentTypes: Record<Encoding, RegExp> = {
  json: /^application\/json\b/i,
  form: /^application\/x-www-form-urlencoded\b/i,
  multipart: /^multipart\/form-data\b/i,
  'multipart or json': /^(application\/json|multipart\/form-data)\b/i,
}

function requireEncoding(request: FastifyRequest, encoding: Encoding): void {
  const contentType = request.headers['content-type']
  if (contentType !== undefined && !contentTypes[encoding].test(contentType)) {
    throw new AppError('unsupported_type', errorMessages.unreadableBody)
  }
}

type Properties = NonNullable<z.core.JSONSchema.BaseSchema['properties']>

/** Returns the names of the fields that are lists. */
function listsIn(properties: Properties): ReadonlySet<string> {
  const lists = Object.entries(properties).filter(
    ([, property]) => typeof property === 'object' && property.type === 'array',
  )
  return new Set(lists.map(([name]) => name))
}

/** Returns a function that converts the texts of a form to the numbers, booleans and nulls of the schema. */
function formTypes(properties: Properties): (fields: Record<string, string>) => Record<string, unknown> {
  const typesOf = (field: string) => {
    const property = properties[field]
    if (typeof property !== 'object') return []
    const nullable = property.anyOf?.flatMap((one) => (typeof one === 'object' ? (one.type ?? []) : [])) ?? []
    return nullable.includes('null') ? nullable : [property.type]
  }
  return (fields) =>
    Object.fromEntries(
      Object.entries(fields).map(([field, text]) => {
        const [type, other] = typesOf(field)
        if (text === '' && other === 'null') return [field, null]
        if (type === 'number' || type === 'integer') return [field, numberOf(text) ?? text]
        if (type === 'array') return [field, text === '' ? [] : text.split(',')]
        if (type === 'boolean' && (text === 'true' || text === 'false')) return [field, text === 'true']
        return [field, text]
      }),
    )
}

/** Returns the number of a decimal text with digits of any script, or undefined. */
function numberOf(text: string): number | undefined {
  const digits = text.length > 30 ? '' : normalizeIdentifier(text)
  return /^-?\d+(\.\d+)?$/.test(digits) ? Number(digits) : undefined
}

/** Returns the schemas for the compiled serializer, which omits fields that they do not have. */
function responseSchemas({ response }: Endpoint): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(response).flatMap(([status, schema]) =>
      typeof schema === 'string'
        ? []
        : [[status, z.toJSONSchema(schema, { io: 'output', target: 'openapi-3.0' })]],
    ),
  )
}
