import type { FieldValues, Path, UseFormReturn } from 'react-hook-form'
import { ApiError, errorText } from '#web/api/api-error.ts'

export interface FailureOptions {
  /** The banner's text, by default the server's message. Undefined shows no banner. */
  readonly text?: string | ((failure: unknown) => string | undefined)
  /** The fields of the form that show the errors of the server's fields with other names. */
  readonly places?: Readonly<Record<string, string>>
}

/** Shows the server's errors at their fields and focuses the first one, and all others in the banner of the form. */
export function showFailure<Values extends FieldValues, Sent>(
  form: UseFormReturn<Values, unknown, Sent>,
  failure: unknown,
  { text = errorText, places = {} }: FailureOptions = {},
) {
  const errors = failure instanceof ApiError ? failure.errors : []
  const fields = form.getValues()
  const isShown = (name: string): name is Path<Values> =>
    Object.hasOwn(fields, name) && document.getElementsByName(name).length > 0

  const isRoot = (name: string): name is `root.${string}` => name.startsWith('root.')

  const messages = new Map<Path<Values> | `root.${string}`, string>()
  const banner = typeof text === 'string' ? errorText(failure, text) : text(failure)
  if (banner !== undefined && errors.length === 0) messages.set('root.server', banner)
  for (const { field, message } of errors) {
    const name = places[field] ?? field
    if (isShown(name) || isRoot(name)) messages.set(name, messages.get(name) ?? message)
    else messages.set('root.server', banner ?? message)
  }
  for (const [name, message] of messages) form.setError(name, { type: 'server', message })
  const first = [...messages.keys()].find(isShown)
  if (first !== undefined) form.setFocus(first)
}
