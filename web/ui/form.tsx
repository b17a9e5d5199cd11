import type { FormEventHandler } from 'react'
import { type FieldValues, get, type Path, type RegisterOptions, type UseFormReturn } from 'react-hook-form'
import { translateMessage } from '#web/i18n/translate-message.ts'
import { FailureBanner } from './failure-banner.tsx'
import { type LayoutProps, Stack } from './layout.tsx'

type FormProps<Values extends FieldValues, Sent> = Omit<LayoutProps<'form'>, 'as' | 'onSubmit'> & {
  form: UseFormReturn<Values, unknown, Sent>
  onSubmit: FormEventHandler
}

/** A stack of fields with a banner for errors without a field. Typing clears the errors. */
export function Form<Values extends FieldValues, Sent>({
  form,
  children,
  ...props
}: FormProps<Values, Sent>) {
  const { root } = form.formState.errors
  const failure = root?.server?.message ?? root?.message
  return (
    <Stack as="form" noValidate onChange={() => form.clearErrors()} {...props}>
      <FailureBanner text={failure && translateMessage(failure)} />
      {children}
    </Stack>
  )
}

/** Returns the properties that connect a component of `field.tsx` with a field of the form. */
export function fieldOf<Values extends FieldValues, Sent, Name extends Path<Values>>(
  form: UseFormReturn<Values, unknown, Sent>,
  name: Name,
  options?: RegisterOptions<Values, Name>,
) {
  const { formState } = form
  const error = form.getFieldState(name, formState).error?.message
  const value: unknown = get(formState.defaultValues, name)
  return {
    error: error && translateMessage(error),
    // React Hook Form itself sets values in the browser only, so that a rendered page would show an empty form.
    defaultValue: typeof value === 'string' || typeof value === 'number' ? value : undefined,
    ...form.register(name, options),
  }
}

/** Returns the properties that connect a `Check` with a field of the form. */
export function checkOf<Values extends FieldValues, Sent>(
  form: UseFormReturn<Values, unknown, Sent>,
  name: Path<Values>,
) {
  // Only until hydration: React Hook Form keeps the state of a box with `defaultChecked` when the form is reset.
  const defaultChecked = !form.formState.isReady && form.getValues(name) === true
  const { error } = form.getFieldState(name, form.formState)
  return { defaultChecked, error: error?.message && translateMessage(error.message), ...form.register(name) }
}
