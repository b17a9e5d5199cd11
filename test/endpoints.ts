import type { Endpoint } from '#contract/endpoint.ts'
import { readContract } from '#server/platform/http/contract-exports.ts'

/** Returns all endpoints that the modules of the contract export. */
export async function allEndpoints(): Promise<Endpoint[]> {
  return [...(await endpointsByName()).values()]
}

/** Returns all endpoints that the modules of the contract export, by the names of these exports. */
export async function endpointsByName(): Promise<ReadonlyMap<string, Endpoint>> {
  return (await readContract()).endpoints
}
