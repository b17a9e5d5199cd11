import { expect } from 'vitest'
import { z } from 'zod/mini'
import { apiBase } from '#contract/constants.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { problem } from '#contract/problem.ts'
import { AppError } from '#server/platform/errors.ts'
import { parse } from '#server/platform/http/route.ts'
import { allEndpoints } from '#test/endpoints.ts'
import { type RawResponse, sendRequest } from '#test/raw-http.ts'
import type { World } from '#test/world.ts'

/** Returns the path of an endpoint with this value for each parameter. */
export function pathOf({ path }: Endpoint, value: string | number): string {
  return apiBase + path.replaceAll(/\{\w+\}/g, String(value))
}

/** Returns the endpoints that a node serves. Another test checks that it serves all of them. */
async function servedEndpoints(world: World): Promise<Endpoint[]> {
  const { body } = await world.guest().send<{ paths: Record<string, object> }>('GET', '/api/openapi.json')
  return (await allEndpoints()).filter(
    ({ method, path }) => method.toLowerCase() in (body.paths[apiBase + path] ?? {}),
  )
}

/** Returns the endpoints with a JSON body, with a query and with path parameters, by their names. */
export async function endpointsByInput(world: World) {
  const all = (await servedEndpoints(world)).map((endpoint): [string, Endpoint] => [
    `${endpoint.method} ${endpoint.path}`,
    endpoint,
  ])
  return {
    withBody: all.filter(([, { body, encoding }]) => body && encoding !== 'multipart' && encoding !== 'form'),
    withQuery: all.filter(([, { query }]) => query),
    withPath: all.filter(([, { params }]) => params),
  }
}

/** Expects problem details with one sentence (or one per field) and without internals of the server. */
export function expectRefusal({ status, headers, text }: RawResponse, expectedStatus?: number): void {
  expect(status).toBeGreaterThanOrEqual(400)
  expect(status).toBeLessThan(500)
  if (expectedStatus !== undefined) expect(status).toBe(expectedStatus)
  expect(headers.get('content-type')).toContain('application/problem+json')
  const { detail, ...rest } = problem.parse(JSON.parse(text))
  expect(rest.status).toBe(status)
  expectSentence(detail)
  if (rest.errors) expect(detail).toBe(rest.errors.map(({ message }) => message).join('\n'))
}

function expectSentence(detail: string): void {
  expect(detail).toMatch(/^\S[^{}]{2,}\S$/s)
  expect(detail).not.toMatch(
    /undefined|null|Invalid input|Expected|received|Error|\bat \w+ \(|node:|\.ts|sql/,
  )
}

function expectParseError(schema: z.ZodMiniType | undefined, value: unknown): void {
  let error: unknown
  try {
    if (schema) parse(schema, value)
  } catch (thrown) {
    error = thrown
  }
  expect(error).toBeInstanceOf(AppError)
  expect(error).toMatchObject({ code: 'invalid' })
  expectSentence((error as AppError).message)
}

interface Check {
  readonly world: World
  readonly endpoint: Endpoint
  readonly headers: Readonly<Record<string, string>>
  /** The id in the path. */
  readonly id: number
  /** Whether values that the contract refuses are sent too. Otherwise they are only parsed like the server does. */
  readonly sendsAll: boolean
}

/** Checks each field of a JSON body with each hostile value: the server accepts and refuses it like the contract. */
export async function checkBody({ world, endpoint, headers, id, sendsAll }: Check): Promise<void> {
  for (const field of fieldsOf(endpoint.body)) {
    for (const value of hostileValues) {
      const body = `{${JSON.stringify(field)}: ${value}}`
      const isValid = endpoint.body?.safeParse(JSON.parse(body)).success ?? true
      if (!isValid && !sendsAll) {
        expectParseError(endpoint.body, JSON.parse(body))
        continue
      }
      const response = await sendRequest(world.url, endpoint.method, pathOf(endpoint, id), headers, body)
      if (isValid) expect(response.status).toBeLessThan(500)
      else expectRefusal(response, 422)
    }
  }
}

/**
 * Returns the possible statuses of a query that the contract accepts. A cursor or token can be well-formed and invalid, the path
 * may name an unknown id, and a distance requires the caller's location.
 */
function possibleStatuses(field: string): number[] {
  if (field === 'cursor') return [200, 400, 404, 422]
  if (field === 'near' || field === 'sort') return [200, 404, 422]
  return field === 'token' ? [200, 303, 400, 404] : [200, 404]
}

/** Checks each parameter of a query like `checkBody`, and that it may come twice. */
export async function checkQuery({ world, endpoint, headers, id, sendsAll }: Check): Promise<void> {
  const path = pathOf(endpoint, id)
  for (const field of fieldsOf(endpoint.query)) {
    for (const value of hostileTexts) {
      const isValid = endpoint.query?.safeParse({ [field]: value }).success ?? true
      if (!isValid && !sendsAll) {
        expectParseError(endpoint.query, { [field]: value })
        continue
      }
      const url = `${path}?${field}=${encodeURIComponent(value)}`
      const response = await sendRequest(world.url, endpoint.method, url, headers)
      if (isValid) expect(possibleStatuses(field)).toContain(response.status)
      else expectRefusal(response, 422)
    }
    if (!sendsAll) continue
    const repeated = `${path}?${field}=1&${field}=2&${field}[x]=3`
    expect((await sendRequest(world.url, endpoint.method, repeated, headers)).status).toBeLessThan(500)
  }
}

/** Checks that an endpoint returns 404 for invalid ids. The server does so for each path that the contract refuses. */
export async function checkPath({ world, endpoint, headers, sendsAll }: Check): Promise<void> {
  for (const value of invalidIds) {
    const params = Object.fromEntries(
      Object.keys(endpoint.params?.shape ?? {}).map((name) => [name, decodeURIComponent(value)]),
    )
    if (!sendsAll && endpoint.params?.safeParse(params).success === false) continue
    const path = pathOf(endpoint, encodeURI(value))
    const response = await sendRequest(world.url, endpoint.method, path, headers)
    // A 422 for the body may come before the 404 for the path.
    const { status } = response
    expectRefusal(response, endpoint.body && (status === 415 || status === 422) ? status : 404)
  }
}

function fieldsOf(schema: z.ZodMiniType | undefined): string[] {
  if (!schema) return []
  return Object.keys(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }).properties ?? {})
}

const invalidIds = [
  ...['0', '-1', '01', '1.5', '1e3', '0x1', '%20', '%00', 'null', '٣', "1'--"],
  ...['9'.repeat(25), 'a'.repeat(300)],
]
const hostileTexts = [
  '',
  ' ',
  '0',
  '-1',
  '1.5',
  '1e400',
  'NaN',
  'null',
  'true',
  '[]',
  '\u0000',
  "'; drop table users; --",
  '9'.repeat(400),
  '../../etc/passwd',
  '\u{1f345}',
  '\u202e',
]
const hostileValues = [
  ...hostileTexts.map((text) => JSON.stringify(text)),
  ...['null', 'true', '0', '-1', '-0', '0.1', '1e-9', '1e308', '1e400', '-1e400', '9007199254740993'],
  ...['[]', '[[]]', '[1]', '["a"]', '{}', '{"$ne":null}', '{"toString":1}', '{"length":5}'],
  ...['"\\ud800"', '"\\udc00\\ud800"', '"abc\\u0000def"', '"a\\nb@example.com"'],
  JSON.stringify('a'.repeat(20_000)),
  `${'['.repeat(500)}${']'.repeat(500)}`,
]
