import type { FieldValues, Path, UseFormReturn } from 'react-hook-form'
import { ApiError, sentenceFor } from '#web/api/api-error.ts'

/**
 * Shows why a form was refused: at the fields that the server names, the first of them focused, and as the form's `root`
 * error what belongs to no field of it. `otherwise` is said when the server says nothing.
 */
export function showFailure<Values extends FieldValues, Context, Sent>(
  form: UseFormReturn<Values, Context, Sent>,
  failure: unknown,
  otherwise: string,
) {
  const named = failure instanceof ApiError ? failure.errors : []
  const fields = form.getValues()
  const isField = (name: string): name is Path<Values> => Object.hasOwn(fields, name)

  const mistakes = new Map<Path<Values>, string>()
  for (const { field, message } of named) {
    if (isField(field) && !mistakes.has(field)) mistakes.set(field, message)
  }
  for (const [field, message] of mistakes) form.setError(field, { type: 'server', message })

  const [first] = mistakes.keys()
  if (first !== undefined) form.setFocus(first)
  if (first === undefined || named.some(({ field }) => !isField(field))) {
    form.setError('root', { type: 'server', message: sentenceFor(failure, otherwise) })
  }
}
