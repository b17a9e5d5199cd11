import { invalid } from '#server/platform/errors.ts'

/** A page of a list, and the cursor of the next page if there is one. A route sends it with a Link header (RFC 8288). */
export interface Page<Row> {
  readonly rows: Row[]
  readonly next: string | undefined
}

/** Encodes a position as an opaque cursor. */
export function cursorAt(position: string | number): string {
  return Buffer.from(String(position)).toString('base64url')
}

/** Decodes the position of a cursor. Throws `invalid` if it does not match the pattern. */
export function positionOf(cursor: string, pattern: RegExp): string {
  const position = Buffer.from(cursor, 'base64url').toString()
  if (!pattern.test(position)) throw invalid('cursor', 'Please check "cursor"')
  return position
}

/** Decodes the id of a cursor for lists with descending ids. Without a cursor it is above all ids. */
export function decodeIdCursor(cursor: string | undefined): number {
  return cursor === undefined ? Number.MAX_SAFE_INTEGER : Number(positionOf(cursor, /^[1-9]\d{0,14}$/))
}

/** Splits rows, which were queried with `limit + 1`, into a page and the cursor of the next page. */
export function paginate<Row>(
  rows: readonly Row[],
  limit: number,
  position: (row: Row) => string | number,
): Page<Row> {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return { rows: shown, next: rows.length > limit && last ? cursorAt(position(last)) : undefined }
}
