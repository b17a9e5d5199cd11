import type { BaseSyntheticEvent } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import { errorText } from '#web/api/api-error.ts'
import { type FailureOptions, showFailure } from '#web/api/form-failure.ts'
import { useToasts } from '#web/ui/toasts.ts'
import { useIsMounted } from '#web/ui/use-is-mounted.ts'

interface SubmitOptions<Sent, Result> {
  /** Sends the validated fields. */
  readonly send: (fields: Sent) => Promise<Result>
  /** The draft of the form. It is removed when it was sent, unless it has changed since. */
  readonly draft?: { readonly submit: () => () => void } | undefined
  /** The toast of a success. */
  readonly toast?: string | ((result: Result) => string)
  /** Runs after a success unless the member has left the form: closes the dialog, or leads to the next screen. */
  readonly leave?: (result: Result) => unknown
  /** Where and how the form shows a failure. */
  readonly failure?: FailureOptions
  /** Runs after a failure if the member has left the form. By default a toast shows the failure of a form with a draft. */
  readonly onFailedLater?: (failure: unknown) => void
}

/** Returns the submit handler of a form. What was typed stays in the form and its draft until it was sent. */
export function useSubmit<Values extends FieldValues, Sent, Result>(
  form: UseFormReturn<Values, unknown, Sent>,
  { send, draft, toast, leave, failure, onFailedLater }: SubmitOptions<Sent, Result>,
): (event?: BaseSyntheticEvent) => Promise<void> {
  const toasts = useToasts()
  const isMounted = useIsMounted()

  async function submit(fields: Sent) {
    const clearDraft = draft?.submit()
    let result: Result
    try {
      result = await send(fields)
    } catch (error) {
      if (isMounted()) showFailure(form, error, failure)
      else if (onFailedLater) onFailedLater(error)
      else if (draft) toasts.show(errorText(error))
      return
    }
    clearDraft?.()
    if (toast !== undefined) toasts.show(typeof toast === 'string' ? toast : toast(result))
    if (isMounted()) await leave?.(result)
  }
  return form.handleSubmit((fields) => submit(fields))
}
