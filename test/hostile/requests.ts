import { type Agent, type IncomingHttpHeaders, request } from 'node:http'
import fc, { type Arbitrary } from 'fast-check'
import type { z } from 'zod/mini'
import { apiBase } from '#contract/constants.ts'
import { isOfDesk } from '#contract/desk-roles.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { anyPart, anyValue, misfits } from './values.ts'

/** A request. Without `withToken` it has no `Authorization` header of the member. */
export interface HostileRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | undefined
  readonly withToken: boolean
}

const unknownId = '999999999999'
const validPath = (path: string) => apiBase + path.replaceAll(/\{\w+\}/g, unknownId)
const json = { 'content-type': 'application/json' }
const escaped = (text: string) => encodeURIComponent(text.toWellFormed())

/** Generates requests that every endpoint must refuse, because they are malformed or name unknown things. */
export function hostileRequests(endpoints: readonly Endpoint[]): Arbitrary<HostileRequest> {
  return fc.oneof(...endpoints.flatMap(attacksOn), anywhere)
}

function attacksOn(endpoint: Endpoint): Arbitrary<HostileRequest>[] {
  const { method, path, params, query, body, auth, encoding = 'json' } = endpoint
  const plain = { method, path: validPath(path), headers: {}, body: undefined, withToken: true }
  const attacks: Arbitrary<HostileRequest>[] = []
  if (auth === 'member' || isOfDesk(auth))
    attacks.push(anyAuthorization.map((headers) => ({ ...plain, headers, withToken: false })))
  if (params)
    attacks.push(anyPathOf(path, params).map((path) => ({ ...plain, path, headers: body ? json : {} })))
  if (query) attacks.push(anyQuery(query).map((search) => ({ ...plain, path: `${plain.path}?${search}` })))
  if (body) {
    attacks.push(brokenBody.map((broken) => ({ ...plain, ...broken })))
    if (encoding.includes('json'))
      attacks.push(misfits(body).map((value) => ({ ...plain, headers: json, body: textOf(value) })))
    if (encoding === 'form') attacks.push(urlencoded.map((broken) => ({ ...plain, ...broken })))
    if (encoding.includes('multipart')) attacks.push(brokenForm.map((broken) => ({ ...plain, ...broken })))
  }
  return attacks
}

function textOf(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value))
}

const headerText = fc.string({ unit: fc.constantFrom(...'abAB09 -_=.,;:/+~"\\{}<>'), maxLength: 60 })

const anyAuthorization = fc
  .oneof(
    headerText,
    headerText.map((text) => `Bearer ${text}`),
    fc.base64String({ minLength: 44, maxLength: 44 }).map((text) => `Bearer ${text.slice(0, 43)}`),
    fc.constantFrom('Bearer', 'Bearer ', 'bearer null', 'Basic YTpi', `Bearer ${'A'.repeat(8000)}`),
  )
  .map((authorization) => ({ authorization }))

function anyPathOf(path: string, params: z.ZodMiniObject): Arbitrary<string> {
  const raw = fc.constantFrom(
    '%',
    '%zz',
    '%00',
    '%c0%ae',
    '%ff',
    '..',
    '.',
    '%2e%2e%2f',
    '%2F',
    ';',
    '//',
    '0x1',
  )
  return fc.oneof(anyPart.map(escaped), raw).chain((part) => {
    const names = Object.keys(params.shape)
    return fc.constantFrom(...names).map((wrong) => {
      const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) => (name === wrong ? part : unknownId))
      return apiBase + filled
    })
  })
}

/** Generates valid and invalid query strings. */
function anyQuery(query: z.ZodMiniObject): Arbitrary<string> {
  const name = fc.oneof(fc.constantFrom(...Object.keys(query.shape)), anyPart.map(escaped))
  return fc
    .array(
      fc
        .tuple(name, fc.constantFrom('', '[]', '[x]', '.y'), anyPart.map(escaped))
        .map(([name, odd, value]) => `${name}${odd}=${value}`),
      { minLength: 1, maxLength: 6 },
    )
    .map((parts) => parts.join('&').slice(0, 8000))
}

const anyType = fc.oneof(
  fc.constantFrom(
    'application/json',
    'application/json; charset=utf-16',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'multipart/form-data; boundary=',
    'multipart/form-data; boundary=fence',
    'text/plain',
    'application/xml',
    'application/merge-patch+json',
  ),
  headerText,
)

/** Generates bodies that are neither JSON nor forms. Multipart forms need a closing boundary, which these lack. */
const brokenBody = fc.record({
  headers: fc.record(
    { 'content-type': anyType, 'content-encoding': fc.constantFrom('gzip', 'br', 'identity', 'x') },
    { requiredKeys: ['content-type'] },
  ),
  body: fc.oneof(
    fc
      .uint8Array({ minLength: 1, maxLength: 300 })
      .map((bytes) => Buffer.concat([Buffer.from('{\u0001'), bytes])),
    anyValue.map((value) => Buffer.from(`{"title": ${JSON.stringify(value)}`)),
    fc.integer({ min: 6, max: 30_000 }).map((depth) => Buffer.from('[{"a":'.repeat(depth / 6))),
    fc
      .constantFrom('{"__proto__":{"is_admin":true}}', '{"constructor":{"prototype":{}}}', '{"a":1}{}')
      .map(Buffer.from),
    fc.constant(Buffer.alloc(70_000, 'a')),
  ),
})

const urlencoded = fc.record({
  headers: fc.constant({ 'content-type': 'application/x-www-form-urlencoded' }),
  // Registration refuses addresses without a dot in the host, so no member has this one.
  body: fc
    .array(
      fc.tuple(fc.constantFrom('username', 'username[]', 'password', '__proto__', 'x'), anyPart.map(escaped)),
    )
    .map((fields) =>
      Buffer.from(`username=nobody@here&${fields.map(([name, value]) => `${name}=${value}`).join('&')}`),
    ),
})

const partHead = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('title', 'image', 'file', 'city', '__proto__', 'postcode', ''),
      fc.option(
        fc.constantFrom(
          'photo.jpg',
          '../../etc/passwd',
          'a\u0000.png',
          '\ud83c\udf45.jpg',
          '',
          'a".svg',
          'x'.repeat(3000),
        ),
      ),
    )
    .map(
      ([name, file]) =>
        `Content-Disposition: form-data; name="${name}"${file === null ? '' : `; filename="${file}"`}`,
    ),
  fc.constantFrom('', 'Content-Disposition', ': :', 'Content-Disposition: attachment', 'X'.repeat(20_000)),
)

/** Generates multipart forms without a closing boundary or with an invalid second title. */
const brokenForm = fc.record({
  headers: fc.constant({ 'content-type': 'multipart/form-data; boundary=fence' }),
  body: fc
    .tuple(
      fc.array(fc.tuple(partHead, anyPart), { maxLength: 5 }),
      fc.constantFrom(
        '',
        '--fence',
        '--fence--',
        '\r\n--fenc',
        '--fence\r\nContent-Disposition: form-data; name="title"\r\n\r\nno\r\n--fence',
      ),
    )
    .map(([parts, end]) =>
      Buffer.from(`${parts.map(([head, value]) => `--fence\r\n${head}\r\n\r\n${value}\r\n`).join('')}${end}`),
    )
    .filter((body) => body.length > 0 && !body.includes('--fence--')),
})

/** Generates requests with any path and method below the API. They have no body and no token, so they have no effect. */
const anywhere = fc.record({
  method: fc.constantFrom(
    'GET',
    'POST',
    'PUT',
    'PATCH',
    'DELETE',
    'OPTIONS',
    'HEAD',
    'PROPFIND',
    'LOCK',
    'TRACE',
  ),
  path: fc
    .array(fc.oneof(anyPart.map(escaped), fc.constantFrom('auth', 'listings', 'messages', '..', '%2e')), {
      maxLength: 5,
    })
    .map((parts) => `${apiBase}/${parts.join('/')}`.slice(0, 8000)),
  headers: fc.record(
    {
      host: headerText,
      origin: headerText,
      cookie: headerText,
      range: fc.constantFrom('bytes=0-', 'bytes=99-1', 'x'),
      accept: headerText,
      'accept-encoding': headerText,
      'if-none-match': headerText,
      'x-forwarded-for': headerText,
      'x-forwarded-host': fc.constant('evil.example'),
      'x-http-method-override': fc.constant('DELETE'),
      'content-type': anyType,
    },
    { requiredKeys: [] },
  ),
  body: fc.constant(undefined),
  withToken: fc.constant(false),
})

export interface HostileResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** Sends a request on a keep-alive connection. Returns undefined if the server closed it without a response. */
export function deliver(
  server: string,
  agent: Agent,
  token: string,
  hostile: HostileRequest,
): Promise<HostileResponse | undefined> {
  const { hostname, port } = new URL(server)
  const { method, path, headers, body, withToken } = hostile
  return new Promise((resolve) => {
    const sent = request(
      {
        hostname,
        port,
        method,
        path,
        agent,
        headers: {
          ...(withToken ? { authorization: `Bearer ${token}` } : {}),
          ...headers,
          ...(body ? { 'content-length': body.length } : {}),
        },
      },
      (response) => {
        const parts: Buffer[] = []
        response.on('data', (part) => parts.push(part))
        response.on('error', () => resolve(undefined))
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: Buffer.concat(parts).toString(),
          }),
        )
      },
    )
    sent.on('error', () => resolve(undefined))
    sent.end(body)
  })
}
