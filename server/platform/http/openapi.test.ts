import { afterAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { apiBase } from '#contract/constants.ts'
import { changeImage, uploadImage } from '#contract/images.ts'
import { allEndpoints } from '#test/endpoints.ts'
import { newWorld } from '#test/world.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())

const content = z.record(
  z.string().regex(/^[\w.+-]+\/[\w.+*-]+$/),
  z.looseObject({ schema: z.looseObject({}).optional() }),
)
const operation = z.strictObject({
  summary: z.string().min(5),
  tags: z.array(z.string().min(1)),
  parameters: z.array(
    z.strictObject({
      name: z.string().min(1),
      in: z.enum(['path', 'query']),
      required: z.boolean(),
      schema: z.looseObject({}),
    }),
  ),
  requestBody: z.strictObject({ required: z.boolean(), content }).optional(),
  responses: z.record(
    z.string().regex(/^([1-5]\d\d|default)$/),
    z.strictObject({ description: z.string().min(1), content: content.optional() }),
  ),
  security: z.array(z.record(z.string(), z.array(z.string()))).optional(),
})
/** The part of OpenAPI 3.1 that the contract uses. */
const openApi = z.strictObject({
  openapi: z.string().regex(/^3\.1\.\d$/),
  info: z.looseObject({ title: z.string().min(1), version: z.string().min(1) }),
  paths: z.record(
    z.string().regex(/^\/\S*$/),
    z.partialRecord(z.enum(['get', 'post', 'put', 'patch', 'delete']), operation),
  ),
  components: z.strictObject({
    securitySchemes: z.record(z.string(), z.looseObject({ type: z.string() })),
    schemas: z.record(z.string(), z.looseObject({})),
  }),
})

describe('the contract as OpenAPI', async () => {
  const { status, headers, body } = await world.guest().send<unknown>('GET', '/api/openapi.json')
  const document = openApi.parse(body)
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
  )

  test('is served to guests as OpenAPI 3.1', () => {
    expect(status).toBe(200)
    expect(headers.get('content-type')).toContain('application/json')
    expect(document.openapi).toMatch(/^3\.1/)
  })

  test('lists exactly the operations of the contract', async () => {
    const ofContract = (await allEndpoints()).map(({ method, path }) => `${method} ${apiBase}${path}`)

    expect(operations.map(({ method, path }) => `${method.toUpperCase()} ${path}`).sort()).toEqual(
      ofContract.sort(),
    )
  })

  test('requires a bearer token for the endpoints of members only', async () => {
    for (const { method, path, auth } of await allEndpoints()) {
      const found = operations.find(
        (each) => each.path === apiBase + path && each.method === method.toLowerCase(),
      )
      expect({ path, security: found?.operation.security }).toEqual({
        path,
        security: { member: [{ bearer: [] }], optional: [{ bearer: [] }, {}], anyone: undefined }[auth],
      })
    }
  })

  test('declares exactly the parameters of each path', () => {
    for (const { path, operation } of operations) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      const declared = operation.parameters.filter((parameter) => parameter.in === 'path')
      expect(declared.map(({ name }) => name)).toEqual(inPath)
      expect(declared.every(({ required }) => required)).toBe(true)
    }
  })

  test('gives valid examples of photos', () => {
    const at = (path: string, method: string) =>
      operations.find((each) => each.path === apiBase + path && each.method === method)?.operation
    const bodyOf = (operation: ReturnType<typeof at>, type: string) =>
      operation?.requestBody?.content[type]?.schema as { properties: Record<string, { examples: unknown[] }> }
    const photos = at('/images', 'post')?.responses['201']?.content?.['application/json']?.schema?.examples
    expect(photos).toEqual([uploadImage.response[201].parse((photos as unknown[])[0])])
    const { alt } = bodyOf(at('/images/{id}', 'patch'), 'application/json').properties
    expect(changeImage.body.parse({ alt: alt?.examples[0] })).toEqual({ alt: expect.any(String) })
    for (const [path, method] of [
      ['/listings', 'post'],
      ['/listings/{id}', 'patch'],
      ['/messages', 'post'],
    ] as const)
      expect(bodyOf(at(path, method), 'application/json').properties.image_ids?.examples).toEqual([[12, 14]])
  })

  test('describes problem details for every operation', () => {
    for (const { operation } of operations)
      expect(operation.responses.default?.content).toHaveProperty(['application/problem+json'])
  })

  test('has no dangling references', () => {
    const pointers = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(
      ([, pointer]) => pointer ?? '',
    )

    expect(pointers.length).toBeGreaterThan(0)
    for (const pointer of new Set(pointers)) {
      const found = pointer
        .split('/')
        .slice(1)
        .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], document)
      expect({ pointer, found: typeof found }).toEqual({ pointer, found: 'object' })
    }
  })
})

test.each(['/api/docs', '/api/docs/'])(
  'serves the API documentation at %s with its own scripts and styles only',
  async (path) => {
    const guest = world.guest()
    const page = await guest.send<Blob>('GET', path)
    const markup = await page.body.text()
    const assets = [...markup.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, asset]) => asset ?? '')

    expect(page.status).toBe(200)
    expect(page.headers.get('content-type')).toContain('text/html')
    expect(assets.length).toBeGreaterThan(2)
    for (const asset of assets) {
      const { pathname, origin } = new URL(asset, world.url + path)
      expect(origin).toBe(world.url)
      expect({ pathname, status: (await guest.send('GET', pathname)).status }).toEqual({
        pathname,
        status: 200,
      })
    }
  },
)
