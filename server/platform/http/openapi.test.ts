import SwaggerParser from '@apidevtools/swagger-parser'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import type { OpenAPIV3_1 } from 'openapi-types'
import { afterAll, describe, expect, test } from 'vitest'
import { apiBase } from '#contract/constants.ts'
import { changeImage, uploadImage } from '#contract/images.ts'
import { allEndpoints, endpointsByName } from '#test/endpoints.ts'
import { newWorld } from '#test/world.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())

/** An operation of a dereferenced document. */
interface Operation extends Pick<OpenAPIV3_1.OperationObject, 'security' | 'operationId'> {
  readonly parameters: readonly OpenAPIV3_1.ParameterObject[]
  readonly requestBody?: OpenAPIV3_1.RequestBodyObject
  readonly responses: Readonly<Record<string, OpenAPIV3_1.ResponseObject>>
}

describe('the contract as OpenAPI', async () => {
  const { status, headers, body } = await world.guest().send<OpenAPIV3_1.Document>('GET', '/api/openapi.json')
  const written = structuredClone(body)
  // Throws for a document that is not OpenAPI, and for a reference that leads nowhere.
  const document = (await SwaggerParser.validate(body)) as OpenAPIV3_1.Document
  const operations = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    (['get', 'post', 'put', 'patch', 'delete'] as const).flatMap((method) => {
      const operation = item?.[method] as Operation | undefined
      return operation ? [{ path, method, operation }] : []
    }),
  )

  test('is served to guests as OpenAPI 3.1', () => {
    expect(status).toBe(200)
    expect(headers.get('content-type')).toContain('application/json')
    expect(document.openapi).toMatch(/^3\.1/)
  })

  test('breaks no rule of the recommended set of Redocly', async () => {
    const config = await createConfig({ extends: ['recommended'] })
    const source = JSON.stringify(written)
    const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config })
    expect(problems.filter(({ severity }) => severity === 'error')).toEqual([])
  })

  test('names each operation like the contract does, and the schemas of its bodies', async () => {
    for (const [name, { method, path }] of await endpointsByName()) {
      const found = operations.find(
        (each) => each.path === apiBase + path && each.method === method.toLowerCase(),
      )
      expect(found?.operation.operationId).toBe(name)
    }
    const schemas = written.components?.schemas ?? {}
    expect(Object.keys(schemas)).toEqual(
      expect.arrayContaining(['Listing', 'NewListing', 'Message', 'Problem']),
    )
    expect(written.paths?.[`${apiBase}/listings`]?.get?.responses?.['200']).toMatchObject({
      content: { 'application/json': { schema: { items: { $ref: '#/components/schemas/Listing' } } } },
    })
  })

  test('describes the photo of a multipart body as a file', () => {
    const { requestBody } = written.paths?.[`${apiBase}/listings`]?.post ?? {}
    expect(requestBody).toMatchObject({
      content: {
        'multipart/form-data': { schema: { properties: { image: { type: 'string', format: 'binary' } } } },
      },
    })
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
        security: {
          member: [{ bearer: [] }],
          moderator: [{ bearer: [] }],
          operator: [{ bearer: [] }],
          optional: [{ bearer: [] }, {}],
          anyone: [],
        }[auth],
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
    const bodyOf = (operation: Operation | undefined, type: string) =>
      operation?.requestBody?.content[type]?.schema as { properties: Record<string, { examples: unknown[] }> }
    const uploaded = at('/images', 'post')?.responses['201']?.content?.['application/json']?.schema
    const { examples: photos = [] } = uploaded as OpenAPIV3_1.SchemaObject
    expect(photos).toEqual([uploadImage.response[201].parse(photos[0])])
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
