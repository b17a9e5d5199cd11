// `npm run scan` runs Debian's security scanners. First against a server with planted holes, which each scanner must find, then
// against the product, where they must find nothing. `--only=ffuf,sqlmap,wapiti` selects scanners.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod/mini'
import { logOut } from '#contract/auth.ts'
import { apiBase, types } from '#contract/constants.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { createListing } from '#contract/listings.ts'
import { Actor } from '#test/actor.ts'
import { allEndpoints } from '#test/endpoints.ts'
import { findProgram, installFromApt } from '../../scripts/programs.mjs'
import { startServer } from '../global-setup.ts'
import { plantHoles } from './planted.ts'
import { type Finding, ffuf, sqlmap, type Target, wapiti } from './scanners.ts'

const known = ['ffuf', 'wapiti', 'sqlmap']
const { values } = parseArgs({ options: { only: { type: 'string', default: known.join(',') } } })
const chosen = values.only.split(',')
for (const name of chosen) {
  if (!known.includes(name)) throw new Error(`There is no scanner ${name}. There are ${known.join(', ')}.`)
  if (!findProgram(name)) await installFromApt(name)
  if (!findProgram(name)) throw new Error(`Install ${name} first`)
}

const folder = await mkdtemp(join(tmpdir(), 'rhubarb-scan-'))
try {
  await using server = await startServer(
    { DEMO_DATA: 'on', PUBLIC_URL: 'https://rhubarb.example' },
    join(folder, 'server.log'),
  )
  const ann = new Actor(server.url)
  await ann.join({ username: 'ann' })
  const { id } = await ann.call(createListing, {
    body: { title: 'Rhubarb crowns', type_id: types.giveaway, is_public: true },
  })
  const token = ann.token ?? ''

  print('A server with planted holes')
  await using planted = await plantHoles(server.url)
  const seen = await scan(
    planted.url,
    [{ method: 'GET', url: `${planted.url}/planted/seeds?id=1`, token }],
    [`${planted.url}/planted/`],
    token,
  )
  const holes = [
    ['ffuf', /\.env/],
    ['sqlmap', /planted\/seeds/],
    ['wapiti', /planted\/greeting/],
  ] as const
  for (const [scanner, hole] of holes) {
    if (!chosen.includes(scanner)) continue
    if (!seen.some((finding) => finding.scanner === scanner && hole.test(finding.where)))
      throw new Error(
        `${scanner} did not find the hole planted for it, so its clean result would mean nothing`,
      )
    print(`  ✓ ${scanner} finds its hole`)
  }

  print('The product')
  const targets = (await allEndpoints()).flatMap((endpoint) => targetOf(endpoint, server.url, { id, token }))
  const pages = ['/', '/login', '/register', '/listings', `/listings/${id}`, '/api/docs']
  const gets = targets.filter(({ method }) => method === 'GET').map(({ url }) => url.replaceAll('*', ''))
  const found = await scan(server.url, targets, [...pages.map((page) => server.url + page), ...gets], token)
  for (const { scanner, where, what } of found) print(`  ✗ ${scanner}: ${where}: ${what}`)
  if (found.length === 0) print(`  ✓ nothing found by ${chosen.join(', ')} at ${targets.length} endpoints`)
  else process.exitCode = 1
} finally {
  await rm(folder, { recursive: true, force: true })
}

async function scan(url: string, targets: readonly Target[], starts: readonly string[], token: string) {
  const found: Finding[] = []
  if (chosen.includes('ffuf')) found.push(...(await ffuf(url, folder)))
  if (chosen.includes('wapiti')) found.push(...(await wapiti(url, starts, token, folder)))
  if (chosen.includes('sqlmap')) found.push(...(await sqlmap(targets, folder)))
  return found
}

/**
 * Returns a valid request of an endpoint, whose parts a scanner then manipulates. `id` is the value of each path parameter. Returns none
 * for calls that could end the scan's session.
 */
function targetOf(
  { method, path, params, query, body }: Endpoint,
  server: string,
  { id, token }: { id: number; token: string },
): Target[] {
  if (method === 'DELETE' || path === logOut.path) return []
  const filledPath = path.replaceAll(/\{\w+\}/g, `${id}*`)
  const search = query ? new URLSearchParams(sampleFields(query)).toString() : ''
  const sampleBody =
    body && JSON.stringify(sample(z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' })))
  if (!params && !query && !sampleBody) return []
  const url = `${server}${apiBase}${filledPath}${search && `?${search}`}`
  return [{ method, url, token, ...(sampleBody !== undefined && { body: sampleBody }) }]
}

function sampleFields(schema: z.ZodMiniObject): Record<string, string> {
  const fields = sample(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }))
  return Object.fromEntries(
    Object.entries(fields as Record<string, unknown>).map(([name, value]) => [name, String(value)]),
  )
}

type JsonSchema = z.core.JSONSchema.BaseSchema

/** Returns a value that fits the schema, without regard to lengths and ranges. */
function sample(schema: JsonSchema | boolean): unknown {
  if (typeof schema === 'boolean') return 'rhubarb'
  const { enum: choices, const: only, anyOf, allOf, type, format, properties = {}, items } = schema
  if (only !== undefined) return only
  if (choices) return choices[0]
  if (anyOf) return sample(anyOf[0] ?? true)
  if (allOf) return Object.assign({}, ...allOf.map(sample))
  if (type === 'object')
    return Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, sample(part)]))
  if (type === 'array') return Array.isArray(items) || items === undefined ? [] : [sample(items)]
  if (type === 'integer' || type === 'number') return 1
  if (type === 'boolean') return true
  if (format === 'email') return 'who@example.com'
  return 'rhubarb'
}

function print(line: string) {
  process.stdout.write(`${line}\n`)
}
