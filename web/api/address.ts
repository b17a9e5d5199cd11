import { apiBase } from '#contract/constants.ts'
import type { Endpoint } from '#contract/endpoint.ts'

/** The parts of an endpoint's URL. */
export interface AddressParts {
  readonly params?: Record<string, unknown>
  readonly query?: Record<string, unknown>
}

/** Returns the URL path of an endpoint with its parameters and query. */
export function addressOf(
  { path }: Pick<Endpoint, 'path'>,
  { params = {}, query = {} }: AddressParts,
): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const search = new URLSearchParams(textPairs(query)).toString()
  return `${apiBase}${filled}${search === '' ? '' : `?${search}`}`
}

/** Returns the fields of a form or a query as text. Leaves out null and undefined; a list repeats its name. */
export function textPairs(fields: Record<string, unknown>): [string, string][] {
  return Object.entries(fields).flatMap(([name, value]) =>
    [value]
      .flat()
      .filter((item) => item !== undefined && item !== null)
      .map((item): [string, string] => [name, String(item)]),
  )
}
