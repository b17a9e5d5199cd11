import type { WholeListing } from '#contract/listings.ts'
import { ApiError } from '#web/api/api-error.ts'
import { PhotoNotSent } from '#web/features/images/photo-uploads.ts'
import type { ListingForm } from './listing-fields.tsx'

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

/** An error of a field, of the photos, or of the whole form. */
interface FormError {
  name: (typeof fields)[number] | 'root.photos' | 'root.server'
  message: string
}

/** Shows the server's messages at their fields and focuses the first of these, or shows `fallback` if it sent none. */
export function showListingFailure(form: ListingForm, error: unknown, fallback: string) {
  const errors = formErrorsOf(error, fallback)
  const first = errors.find(({ name }) => !name.startsWith('root.'))
  for (const each of errors)
    form.setError(each.name, { message: each.message }, { shouldFocus: each === first })
}

function formErrorsOf(error: unknown, fallback: string): FormError[] {
  if (error instanceof PhotoNotSent) return [{ name: 'root.server', message: error.message }]
  const { status = 0, detail, errors = [] } = error instanceof ApiError ? error : {}
  const isRefusal = status >= 400 && status < 500
  if (!isRefusal || detail === undefined) return [{ name: 'root.server', message: fallback }]
  if (errors.length === 0) return [{ name: 'root.server', message: detail }]
  return errors.map(({ field, message }) => ({ name: nameOf(field), message }))
}

function nameOf(field: string): FormError['name'] {
  if (field === 'image_ids') return 'root.photos'
  return fields.find((known) => known === field) ?? 'root.server'
}
