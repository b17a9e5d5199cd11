import type { FieldValues, Path, UseFormReturn } from 'react-hook-form'
import { ApiError, errorText, unknownFailure } from '#web/api/api-error.ts'

/**
 * Shows the server's errors at their fields and focuses the first one. Errors without a field of the form become its `root`
 * error, with `fallback` as the text if the server sent none.
 */
export function showFailure<Values extends FieldValues, Context, Sent>(
  form: UseFormReturn<Values, Context, Sent>,
  failure: unknown,
  fallback = unknownFailure(),
) {
  const fieldErrors = failure instanceof ApiError ? failure.errors : []
  const fields = form.getValues()
  const isField = (name: string): name is Path<Values> => Object.hasOwn(fields, name)

  const messages = new Map<Path<Values>, string>()
  for (const { field, message } of fieldErrors) {
    if (isField(field) && !messages.has(field)) messages.set(field, message)
  }
  for (const [field, message] of messages) form.setError(field, { type: 'server', message })

  const [first] = messages.keys()
  if (first !== undefined) form.setFocus(first)
  if (first === undefined || fieldErrors.some(({ field }) => !isField(field))) {
    form.setError('root', { type: 'server', message: errorText(failure, fallback) })
  }
}
