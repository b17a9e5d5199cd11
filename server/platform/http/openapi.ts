import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import { z } from 'zod/mini'
import { apiBase } from '#contract/constants.ts'
import type { Encoding, Endpoint, ResponseBody } from '#contract/endpoint.ts'
import { problem } from '#contract/problem.ts'
import { type ContractExports, readContract } from './contract-exports.ts'
import type { App } from './route.ts'

const mediaTypes: Record<Encoding, string[]> = {
  json: ['application/json'],
  form: ['application/x-www-form-urlencoded'],
  multipart: ['multipart/form-data'],
  'multipart or json': ['multipart/form-data', 'application/json'],
}

type JsonSchema = z.core.JSONSchema.BaseSchema
type Direction = 'input' | 'output'

/** The contract's names, and the schemas of the document by their names. */
interface Names {
  /** By `operationKey`. */
  readonly operations: ReadonlyMap<string, string>
  readonly registry: z.core.$ZodRegistry<{ id: string }>
  readonly schemas: Record<string, JsonSchema>
}

/** Names the exported objects of the contract like its types: `newListing` is `NewListing`. */
function namesOf({ endpoints, schemas }: ContractExports): Names {
  const registry = z.registry<{ id: string }>()
  for (const [name, schema] of schemas)
    if (schema instanceof z.ZodMiniObject)
      registry.add(schema, { id: name.replace(/^./, (first) => first.toUpperCase()) })
  return {
    operations: new Map([...endpoints].map(([name, endpoint]) => [operationKey(endpoint), name])),
    registry,
    schemas: {},
  }
}

/** Some routes use a copy of an endpoint. */
const operationKey = ({ method, path }: Endpoint) => `${method} ${path}`

function schemaOf(schema: z.ZodMiniType, io: Direction): JsonSchema {
  const { $schema, ...described } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: withExamples,
    metadata: z.registry(),
  })
  return described
}

/** Returns a schema whose named parts are references to the schemas of the document, and adds them there. */
function schemaWithNames({ registry, schemas }: Names, schema: z.ZodMiniType, io: Direction): JsonSchema {
  const { $schema, $defs, ...described } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: withExamples,
    metadata: registry,
  })
  const inDocument = (part: JsonSchema): JsonSchema =>
    JSON.parse(JSON.stringify(part).replaceAll('"#/$defs/', '"#/components/schemas/'))
  for (const [name, { id: _, ...definition }] of Object.entries($defs ?? {}))
    schemas[name] = inDocument(definition)
  return inDocument(described)
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

function requestBody(names: Names, { body, encoding = 'json', file }: Endpoint) {
  if (!body) return undefined
  const described = schemaWithNames(names, body, 'input')
  const content = mediaTypes[encoding].map((type) => [
    type,
    { schema: file && type === 'multipart/form-data' ? withFile(body, file) : described },
  ])
  return { required: true, content: Object.fromEntries(content) }
}

/** `format` is for generators of clients that know OpenAPI 3.0 only. */
function withFile(body: z.ZodMiniType, file: string): JsonSchema {
  const { properties, ...described } = schemaOf(body, 'input')
  const binary = { type: 'string', format: 'binary', contentMediaType: 'application/octet-stream' } as const
  return { ...described, properties: { ...properties, [file]: binary } }
}

function response(names: Names, body: ResponseBody) {
  if (body === 'nothing') return { description: 'Success without a body' }
  if (body === 'bytes') return { description: 'The image', content: { 'image/webp': {}, 'image/jpeg': {} } }
  return {
    description: 'Success',
    content: { 'application/json': { schema: schemaWithNames(names, body, 'output') } },
  }
}

/** With `optional`, guests may call it too. */
const security = {
  member: { security: [{ bearer: [] }] },
  moderator: { security: [{ bearer: [] }] },
  operator: { security: [{ bearer: [] }] },
  optional: { security: [{ bearer: [] }, {}] },
  anyone: { security: [] },
}

function operation(names: Names, endpoint: Endpoint) {
  const body = requestBody(names, endpoint)
  const responses = Object.entries(endpoint.response).map(([status, schema]) => [
    status,
    response(names, schema),
  ])
  return {
    operationId: names.operations.get(operationKey(endpoint)),
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

interface Described {
  readonly endpoints: readonly Endpoint[]
  readonly contract: ContractExports
  /** The site's address. */
  readonly url: string
}

/** Returns the OpenAPI 3.1 document of the endpoints, generated from their schemas. */
function openApi({ endpoints, contract, url }: Described) {
  const names = namesOf(contract)
  const paths: Record<string, Record<string, unknown>> = {}
  for (const endpoint of endpoints) {
    const path = `${apiBase}${endpoint.path}`
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(names, endpoint) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Rhubarb', version: '1', description: 'The neighborhood gardening marketplace.' },
    servers: [{ url }],
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas: { ...names.schemas, Problem: schemaOf(problem, 'output') },
    },
  }
}

/** Serves the document at `openapi.json` and Swagger UI at `docs`, below the API's base. Call it after all routes. */
export async function serveOpenApi({ http, endpoints }: App, url: string): Promise<void> {
  const document = openApi({ endpoints, contract: await readContract(), url })
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
