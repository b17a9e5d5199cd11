import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import { z } from 'zod/mini'
import { apiBase } from '#contract/constants.ts'
import type { Encoding, Endpoint, ResponseBody } from '#contract/endpoint.ts'
import { problem } from '#contract/problem.ts'
import type { App } from './route.ts'

const mediaTypes: Record<Encoding, string[]> = {
  json: ['application/json'],
  form: ['application/x-www-form-urlencoded'],
  multipart: ['multipart/form-data'],
  'multipart or json': ['multipart/form-data', 'application/json'],
}

function schemaOf(schema: z.ZodMiniType, io: 'input' | 'output'): z.core.JSONSchema.BaseSchema {
  const { $schema, ...described } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: withExamples,
  })
  return described
}

/** Zod omits the examples of an input that it transforms, because they might be outputs. Ours are inputs. */
function withExamples({
  zodSchema,
  jsonSchema,
}: Parameters<NonNullable<z.core.ToJSONSchemaParams['override']>>[0]) {
  const examples = z.globalRegistry.get(zodSchema)?.examples
  if (Array.isArray(examples)) jsonSchema.examples = examples
}

function parameters(schema: z.ZodMiniObject | undefined, location: 'path' | 'query') {
  if (!schema) return []
  const { properties = {}, required = [] } = schemaOf(schema, 'input')
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: location,
    required: location === 'path' || required.includes(name),
    schema: property,
  }))
}

function requestBody({ body, encoding = 'json', file }: Endpoint) {
  if (!body) return undefined
  const described = schemaOf(body, 'input')
  const withFile = file
    ? {
        ...described,
        properties: {
          ...described.properties,
          [file]: { type: 'string', contentMediaType: 'application/octet-stream' },
        },
      }
    : described
  const content = mediaTypes[encoding].map((type) => [
    type,
    { schema: type === 'multipart/form-data' ? withFile : described },
  ])
  return { required: true, content: Object.fromEntries(content) }
}

function response(body: ResponseBody) {
  if (body === 'nothing') return { description: 'Success without a body' }
  if (body === 'bytes') return { description: 'The image', content: { 'image/webp': {}, 'image/jpeg': {} } }
  return { description: 'Success', content: { 'application/json': { schema: schemaOf(body, 'output') } } }
}

/** With `optional`, guests may call it too. */
const security = {
  member: { security: [{ bearer: [] }] },
  optional: { security: [{ bearer: [] }, {}] },
  anyone: {},
}

function operation(endpoint: Endpoint) {
  const body = requestBody(endpoint)
  const responses = Object.entries(endpoint.response).map(([status, schema]) => [status, response(schema)])
  return {
    summary: endpoint.summary,
    tags: [endpoint.path.split('/')[1] ?? ''],
    parameters: [...parameters(endpoint.params, 'path'), ...parameters(endpoint.query, 'query')],
    ...(body ? { requestBody: body } : {}),
    responses: {
      ...Object.fromEntries(responses),
      default: {
        description: 'An error (RFC 9457)',
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    },
    ...security[endpoint.auth],
  }
}

/** Returns the OpenAPI 3.1 document of the endpoints, generated from their schemas. */
export function openApi(endpoints: readonly Endpoint[]) {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const endpoint of endpoints) {
    const path = `${apiBase}${endpoint.path}`
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(endpoint) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Rhubarb', version: '1', description: 'The neighborhood gardening marketplace.' },
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas: { Problem: schemaOf(problem, 'output') },
    },
  }
}

/** Serves the document at `openapi.json` and Swagger UI at `docs`, below the API's base. Call it after all routes. */
export async function serveOpenApi({ http, endpoints }: App): Promise<void> {
  const document = openApi(endpoints)
  http.get('/openapi.json', async () => document)
  await http.register(swagger, { mode: 'static', specification: { document: document as never } })
  await http.register(swaggerUi, {
    routePrefix: '/docs',
    indexPrefix: apiBase,
    staticCSP:
      "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    uiConfig: { docExpansion: 'list', validatorUrl: null },
  })
}
