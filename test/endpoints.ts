import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Endpoint } from '#contract/endpoint.ts'

const folder = join(import.meta.dirname, '..', 'contract')

/** Returns all endpoints that the modules of the contract export. */
export async function allEndpoints(): Promise<Endpoint[]> {
  return [...(await endpointsByName()).values()]
}

/** Returns all endpoints that the modules of the contract export, by the names of these exports. */
export async function endpointsByName(): Promise<ReadonlyMap<string, Endpoint>> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.ts') && !file.includes('.test.'))
  const modules: Record<string, unknown>[] = await Promise.all(
    files.map((file) => import(join(folder, file))),
  )
  return new Map(
    modules.flatMap(Object.entries).filter((entry): entry is [string, Endpoint] => isEndpoint(entry[1])),
  )
}

function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value
}
