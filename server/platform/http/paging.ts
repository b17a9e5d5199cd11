import { apiBase } from '#contract/constants.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { invalid } from '#server/platform/errors.ts'
import { Answer } from './route.ts'

/** A page of a list as an answer: while there is more, a Link header (RFC 8288) says where. */
export function nextPage<Rows>(
  { path }: Pick<Endpoint, 'path'>,
  query: Readonly<Record<string, unknown>>,
  rows: Rows,
  cursor: string | undefined,
): Rows | Answer<Rows> {
  if (cursor === undefined) return rows
  const next = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    for (const one of [value].flat())
      if (one !== undefined && name !== 'cursor') next.append(name, String(one))
  }
  next.set('cursor', cursor)
  return new Answer(rows, { link: `<${apiBase}${path}?${next}>; rel="next"` })
}

/** Where a list goes on, as clients carry it: opaque to them. */
export function cursorAt(position: string | number): string {
  return Buffer.from(String(position)).toString('base64url')
}

/** The position that a cursor stands for. Throws `invalid` when it has not the form of one. */
export function positionOf(cursor: string, form: RegExp): string {
  const position = Buffer.from(cursor, 'base64url').toString()
  if (!form.test(position)) throw invalid('cursor', 'Please check "cursor"')
  return position
}

/** The position of a row, for lists in the order of their ids. From the start it is above all of them. */
export function decodeIdCursor(cursor: string | undefined): number {
  return cursor === undefined ? Number.MAX_SAFE_INTEGER : Number(positionOf(cursor, /^[1-9]\d{0,14}$/))
}

/** Cuts off the one row more than was asked for, which tells that the list goes on. */
export function paginate<Row>(
  rows: readonly Row[],
  limit: number,
  position: (row: Row) => string | number,
): { rows: Row[]; next: string | undefined } {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return { rows: shown, next: rows.length > limit && last ? cursorAt(position(last)) : undefined }
}
