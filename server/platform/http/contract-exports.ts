import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod/mini'
import type { Endpoint } from '#contract/endpoint.ts'

const folder = join(import.meta.dirname, '..', '..', '..', 'contract')

/** Holds the endpoints and schemas of the contract by the names of their exports. */
export interface ContractExports {
  readonly endpoints: ReadonlyMap<string, Endpoint>
  readonly schemas: ReadonlyMap<string, z.ZodMiniType>
}

/** Reads all modules of the contract, so that none can be forgotten. */
export async function readContract(): Promise<ContractExports> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.ts') && !file.includes('.test.'))
  const modules: Record<string, unknown>[] = await Promise.all(
    files.map((file) => import(join(folder, file))),
  )
  const exported = modules.flatMap(Object.entries)
  return {
    endpoints: new Map(exported.filter((entry): entry is [string, Endpoint] => isEndpoint(entry[1]))),
    schemas: new Map(
      exported.filter((entry): entry is [string, z.ZodMiniType] => entry[1] instanceof z.core.$ZodType),
    ),
  }
}

function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value
}
