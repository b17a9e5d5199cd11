import type { WholeListing } from '#contract/listings.ts'
import { ApiError } from '#web/api/api-error.ts'
import { PhotoNotSent } from '#web/features/images/photo-uploads.ts'

const fields = [
  'title',
  'description',
  'price',
  'type_id',
  'category_id',
  'is_public',
  'is_active',
  'state_id',
  'days',
] as const satisfies (keyof WholeListing)[]

/** An error message and its place in the form: a field, the photos, or above the form. */
export interface PlacedError {
  place: (typeof fields)[number] | 'root.photos' | 'root.server'
  message: string
}

/** Returns the server's messages with their places, or `failure` above the form if it sent none. */
export function fieldFailure(error: unknown, failure: string): PlacedError[] {
  if (error instanceof PhotoNotSent) return [{ place: 'root.server', message: error.message }]
  const { status = 0, detail, errors = [] } = error instanceof ApiError ? error : {}
  const isRefusal = status >= 400 && status < 500
  if (!isRefusal || detail === undefined) return [{ place: 'root.server', message: failure }]
  if (errors.length === 0) return [{ place: 'root.server', message: detail }]
  return errors.map(({ field, message }) => ({ place: placeOf(field), message }))
}

function placeOf(field: string): PlacedError['place'] {
  if (field === 'image_ids') return 'root.photos'
  return fields.find((known) => known === field) ?? 'root.server'
}
