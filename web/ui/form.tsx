import type { ComponentProps, FormEventHandler } from 'react'
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form'
import { FailureBanner } from './failure-banner.tsx'

type FormProps<Values extends FieldValues, Sent> = Omit<ComponentProps<'form'>, 'onSubmit'> & {
  form: UseFormReturn<Values, unknown, Sent>
  onSubmit: FormEventHandler
}

/** A form with a banner for errors without a field. Typing clears the errors. */
export function Form<Values extends FieldValues, Sent>({
  form,
  children,
  ...props
}: FormProps<Values, Sent>) {
  const { root } = form.formState.errors
  return (
    <form noValidate onChange={() => form.clearErrors()} {...props}>
      <FailureBanner text={root?.message} />
      {children}
    </form>
  )
}

/** Returns the properties that connect a component of `field.tsx` with a field of the form. */
export function fieldOf<Values extends FieldValues, Sent>(
  form: UseFormReturn<Values, unknown, Sent>,
  name: Path<Values>,
) {
  return { error: form.getFieldState(name, form.formState).error?.message, ...form.register(name) }
}
