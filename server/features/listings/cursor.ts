import { type Sort, sorts } from '#contract/listings.ts'
import { invalid } from '#server/platform/errors.ts'
import type { Position } from './orders.ts'

/** Where a page ended: in which stretch of the list, and how far along it. */
export interface Bookmark extends Position {
  readonly stretch: number
}

/** Opaque to clients, and good for the one sort only. */
export function cursorOf(sort: Sort, { stretch, id, key }: Bookmark): string {
  return Buffer.from(`${sort} ${stretch} ${id} ${key}`).toString('base64url')
}

const form = new RegExp(
  `^(?<sort>${sorts.join('|')}) (?<stretch>\\d{1,2}) (?<id>[1-9]\\d{0,14}) (?<key>\\d{1,5}(?:\\.\\d{1,2})?)$`,
)

/** Throws `invalid` for what no page of this sort has given out. */
export function bookmarkIn(cursor: string, sort: Sort): Bookmark {
  const found = form.exec(Buffer.from(cursor, 'base64url').toString())?.groups
  if (found?.sort !== sort) throw wrongCursor()
  return { stretch: Number(found.stretch), id: Number(found.id), key: Number(found.key) }
}

export function wrongCursor() {
  return invalid('cursor', 'Please check "cursor"')
}
