import { type RawBuilder, sql } from 'kysely'

/** Returns the right side of `column = any (array)`. Unlike `in`, it is the same statement for every number of values, even for none. */
export function anyOf<Value>(values: readonly Value[]): RawBuilder<Value> {
  return sql<Value>`any(${values})`
}

/** Escapes a text for a `like` pattern, so that it matches only itself. */
export function escapeLike(text: string): string {
  return text.replaceAll(/[\\%_]/g, '\\$&')
}
