import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { CallOutput, Encoding, Endpoint } from '#contract/endpoint.ts'
import { errorMessages } from '#contract/error-messages.ts'
import { foreignKeyViolated } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { asAppError } from './problem.ts'
import { type Multipart, readMultipart, type UploadedFile } from './upload.ts'

/** The caller: a member with a valid session. */
export interface Caller {
  readonly id: number
  readonly session: Buffer
}

/** The session behind a bearer token; undefined when there is none. */
export type Authenticate = (token: string) => Promise<Caller | undefined>

export type RunInSession = <Result>(session: Buffer, work: () => Promise<Result>) => Promise<Result>

/** The HTTP server that features register their operations on. */
export interface App {
  readonly http: FastifyInstance
  readonly authenticate: Authenticate
  /** Whether a member may make one more call now. */
  readonly mayCall: (member: number) => boolean
  /** Whether a session is valid no more, though `authenticate` may remember it for another moment. */
  readonly hasEnded: (session: Buffer) => Promise<boolean>
  /** Runs the work for a session: a transaction of the work throws `not_authenticated` when the session has ended. */
  readonly runInSession: RunInSession
  /** Every operation registered, for the OpenAPI document. */
  readonly endpoints: Endpoint[]
}

type Output<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined

/** The input of a handler: the parsed parts of the request, the caller and the address. */
export interface Call<E extends Endpoint> {
  readonly params: Output<E['params']>
  readonly query: Output<E['query']>
  readonly body: Output<E['body']>
  readonly file: UploadedFile | undefined
  readonly member: E['auth'] extends 'member' ? Caller : undefined
  readonly address: string
}

/** An answer with more than a body: a stream (of JSON, say, that has its form already), headers, or another of the endpoint's statuses than its first. */
export class Answer<Body> {
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
  ? Promise<Answer<Readable | Buffer>>
  : [CallOutput<E>] extends [undefined]
    ? Promise<void>
    : Promise<CallOutput<E> | Answer<CallOutput<E> | Readable>>

type Handler<E extends Endpoint> = (call: Call<E>) => Result<E>

/** Registers an operation: checks who calls, parses what comes by the contract, and answers through its schema. */
export function route<E extends Endpoint>(app: App, endpoint: E, handler: Handler<E>): void {
  app.endpoints.push(endpoint)
  const read = bodyReader(endpoint)
  const [status] = Object.keys(endpoint.response).map(Number)
  if (status === undefined) throw new Error(`${endpoint.path} names no response`)

  app.http.route({
    method: endpoint.method,
    url: endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    schema: { response: responseSchemas(endpoint) },
    onRequest: async (request) => {
      if (endpoint.auth === 'member') request.caller = await requireCaller(app, request)
    },
    handler: async (request, reply) => {
      const { body, file, discard } = await read(request)
      try {
        const call = {
          params: endpoint.params ? parseParams(endpoint, request.params) : undefined,
          query: endpoint.query ? parse(endpoint.query, request.query) : undefined,
          body,
          file,
          member: request.caller,
          address: request.ip,
        } as Call<E>
        const result = await runForCaller(app, endpoint, request.caller, async () => handler(call))
        return send(reply.code(status), result)
      } catch (error) {
        throw await orEnded(app, request.caller, error)
      } finally {
        await discard?.()
      }
    },
  })
}

declare module 'fastify' {
  interface FastifyRequest {
    caller?: Caller
  }
}

async function requireCaller({ authenticate, mayCall }: App, request: FastifyRequest): Promise<Caller> {
  const [scheme, token] = request.headers.authorization?.split(' ') ?? []
  const caller = scheme?.toLowerCase() === 'bearer' && token ? await authenticate(token) : undefined
  if (!caller) throw new AppError('not_authenticated', errorMessages.notAuthenticated)
  if (!mayCall(caller.id)) throw new AppError('too_many', errorMessages.tooManyAttempts, { retryAfter: 1 })
  return caller
}

/** Runs a handler once the body is complete. That can take minutes, and the session may have ended meanwhile. */
async function runForCaller(
  { hasEnded, runInSession }: App,
  { method }: Endpoint,
  caller: Caller | undefined,
  work: () => Promise<unknown>,
): Promise<unknown> {
  if (!caller || method === 'GET') return work()
  if (await hasEnded(caller.session)) throw new AppError('not_authenticated', errorMessages.notAuthenticated)
  return runInSession(caller.session, work)
}

/** If the session ended during the request, answers 401 instead of the unexpected error. */
async function orEnded({ hasEnded }: App, caller: Caller | undefined, error: unknown): Promise<unknown> {
  if (!caller || !isSurprise(error) || !(await hasEnded(caller.session))) return error
  return new AppError('not_authenticated', errorMessages.notAuthenticated)
}

function isSurprise(error: unknown): boolean {
  return asAppError(error).code === 'unexpected' || foreignKeyViolated(error)
}

function send(reply: FastifyReply, result: unknown): FastifyReply {
  if (!(result instanceof Answer)) return reply.send(result)
  if (result.status !== undefined) reply.code(result.status)
  return reply.headers(result.headers).send(result.body)
}

/** A path that names no possible row is the same answer as a row that is not there. */
function parseParams(endpoint: Endpoint, params: unknown): unknown {
  const read = endpoint.params?.safeParse(params)
  if (!read?.success) throw new AppError('not_found', endpoint.notFound ?? errorMessages.notFound)
  return read.data
}

/** Parses by a schema; what does not fit is one 422 with the first message of each field. */
export function parse(schema: z.ZodType, value: unknown): unknown {
  const read = schema.safeParse(value, { error: (issue) => unexplained(issue.path) })
  if (read.success) return read.data
  const errors = new Map<string, string>()
  for (const issue of read.error.issues) {
    const field = issue.path.join('.')
    if (!errors.has(field)) errors.set(field, issue.message)
  }
  throw new AppError('invalid', [...errors.values()].join('\n'), {
    errors: [...errors].map(([field, message]) => ({ field, message })),
  })
}

/** For a rule that has no sentence of its own: only a client's mistake gets here, not a person's. */
function unexplained(path: readonly PropertyKey[] = []): string {
  return path.length > 0 ? `Please check "${path.join('.')}"` : errorMessages.unreadableBody
}

interface Read {
  readonly body: unknown
  readonly file?: UploadedFile | undefined
  readonly discard?: Multipart['discard']
}

function bodyReader({
  body: schema,
  encoding = 'json',
  file,
}: Endpoint): (request: FastifyRequest) => Promise<Read> {
  if (!schema) return async () => ({ body: undefined })
  const typed = formTypes(schema)

  async function fromMultipart(request: FastifyRequest): Promise<Read> {
    const { discard, ...sent } = await readMultipart(request, file)
    try {
      return { body: parse(schema as z.ZodType, typed(sent.fields)), file: sent.file, discard }
    } catch (error) {
      await discard()
      throw error
    }
  }

  return async (request) => {
    requireEncoding(request, encoding)
    if (encoding === 'multipart' || (encoding === 'multipart or json' && request.isMultipart()))
      return fromMultipart(request)
    return { body: parse(schema, request.body === undefined ? {} : request.body) }
  }
}

const contentTypes: Record<Encoding, RegExp> = {
  json: /^application\/json\b/i,
  form: /^application\/x-www-form-urlencoded\b/i,
  multipart: /^multipart\/form-data\b/i,
  'multipart or json': /^(application\/json|multipart\/form-data)\b/i,
}

function requireEncoding(request: FastifyRequest, encoding: Encoding): void {
  const sent = request.headers['content-type']
  if (sent !== undefined && !contentTypes[encoding].test(sent)) {
    throw new AppError('unsupported_type', errorMessages.unreadableBody)
  }
}

/** Forms send text: turns a field into the number or the boolean that the schema wants there. */
function formTypes(schema: z.ZodType): (fields: Record<string, string>) => Record<string, unknown> {
  const { properties = {} } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  const typeOf = (field: string) => {
    const property = properties[field]
    return typeof property === 'object' ? property.type : undefined
  }
  return (fields) =>
    Object.fromEntries(
      Object.entries(fields).map(([field, text]) => {
        const type = typeOf(field)
        if ((type === 'number' || type === 'integer') && /^-?\d+(\.\d+)?$/.test(text))
          return [field, Number(text)]
        if (type === 'boolean' && (text === 'true' || text === 'false')) return [field, text === 'true']
        return [field, text]
      }),
    )
}

/** The schemas as the compiled serialiser wants them: only what they name leaves the server. */
function responseSchemas({ response }: Endpoint): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(response).flatMap(([status, answer]) =>
      typeof answer === 'string'
        ? []
        : [[status, z.toJSONSchema(answer, { io: 'output', target: 'openapi-3.0' })]],
    ),
  )
}
