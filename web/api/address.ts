import { apiBase } from '#contract/constants.ts'
import type { Endpoint } from '#contract/endpoint.ts'

/** The parts of an endpoint's URL. */
export interface AddressParts {
  readonly params?: Record<string, unknown>
  readonly query?: Record<string, unknown>
}

/** Where an operation is asked for. */
export function addressOf(
  { path }: Pick<Endpoint, 'path'>,
  { params = {}, query = {} }: AddressParts,
): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const search = new URLSearchParams(textPairs(query)).toString()
  return `${apiBase}${filled}${search === '' ? '' : `?${search}`}`
}

/** A form or a query leaves out what is not given; a list repeats its name. */
export function textPairs(fields: Record<string, unknown>): [string, string][] {
  return Object.entries(fields).flatMap(([name, value]) =>
    [value]
      .flat()
      .filter((one) => one !== undefined && one !== null)
      .map((one): [string, string] => [name, String(one)]),
  )
}
