import { apiBase } from './constants.ts'
import type { Endpoint } from './endpoint.ts'

/** What is told in an operation's address, whatever the operation. */
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

/** What is asked at a path. Ids begin at 1: a zero in the path stands for whichever stands there, and in the calls for the same. */
export interface FirstCalls {
  readonly path: string
  readonly calls: readonly string[]
}

/** What the table says of this path; nothing of most. */
export function callsAt(table: readonly FirstCalls[], path: string): readonly string[] {
  const [, place, id] = /^((?:\/[a-z-]+)+)(?:\/([1-9]\d*))?$/.exec(path) ?? []
  const found = table.find((one) => one.path === (id === undefined ? place : `${place}/0`))
  return found?.calls.map((call) => call.replace('/0', `/${id}`)) ?? []
}
