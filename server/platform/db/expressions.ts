import { type RawBuilder, sql } from 'kysely'

/** Returns the right side of `column = any (array)`. Unlike `in`, it is the same statement for every number of values, even for none. */
export function anyOf<Value>(values: readonly Value[]): RawBuilder<Value> {
  return sql<Value>`any(${values})`
}

/** Escapes a text for a `like` pattern, so that it matches only itself. */
export function escapeLike(text: string): string {
  return text.replaceAll(/[\\%_]/g, '\\$&')
}

/** Selects a timestamp in the form of the API, as a part of JSON. The time zone of the session is UTC. */
export function isoTimestamp(column: string): string {
  return `to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}

/** Returns the names of the columns that are true. The type of the record makes a list of columns complete. */
export function namesOf<Name extends string>(columns: Readonly<Record<Name, boolean>>): Name[] {
  return (Object.keys(columns) as Name[]).filter((name) => columns[name])
}
