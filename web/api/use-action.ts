import { t } from '@lingui/core/macro'
import { type UseMutationOptions, useMutation } from '@tanstack/react-query'
import type { MouseEvent } from 'react'
import { isSecondTap } from '#web/ui/is-second-tap.ts'
import { errorText } from './api-error.ts'

interface ActionOptions<Result, Input> extends Omit<UseMutationOptions<Result, Error, Input>, 'mutationFn'> {
  /** The text of an error without a message of the server. */
  readonly fallback?: string
}

/** Runs an action by a press, one at a time. `failure` is the text of its error. */
export function useAction<Result, Input = void>(
  run: (input: Input) => Promise<Result>,
  { fallback = t`Not changed. Please try again.`, ...options }: ActionOptions<Result, Input> = {},
) {
  const mutation = useMutation({ ...options, mutationFn: run })
  function press(event: MouseEvent, input: Input) {
    if (!mutation.isPending && !isSecondTap(event)) mutation.mutate(input)
  }
  const failure = mutation.isError ? errorText(mutation.error, fallback) : undefined
  return { ...mutation, press, failure }
}
