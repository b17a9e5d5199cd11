import type { WholeListing } from '#contract/listings.ts'
import { ApiError } from '#web/api/api-error.ts'

const fields = [
  'title',
  'description',
  'price',
  'type_id',
  'category_id',
  'is_public',
  'is_active',
  'state_id',
] as const satisfies (keyof WholeListing)[]

/** Where on the form a sentence belongs: at a field, at the photo, or above everything. */
export interface Placed {
  place: (typeof fields)[number] | 'root.photo' | 'root.server'
  message: string
}

/** Returns the server's messages with the field of each, or `failure` if it sent none. */
export function fieldFailure(error: unknown, failure: string): Placed[] {
  const { status = 0, detail, errors = [] } = error instanceof ApiError ? error : {}
  const isRefusal = status >= 400 && status < 500
  if (!isRefusal || detail === undefined) return [{ place: 'root.server', message: failure }]
  // Too large, or no image: it can only be the photo.
  if (status === 413 || status === 415) return [{ place: 'root.photo', message: detail }]
  if (errors.length === 0) return [{ place: 'root.server', message: detail }]
  return errors.map(({ field, message }) => ({ place: placeOf(field), message }))
}

function placeOf(field: string): Placed['place'] {
  if (field === 'image') return 'root.photo'
  return fields.find((known) => known === field) ?? 'root.server'
}
