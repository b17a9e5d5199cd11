import type { FormEventHandler, ReactNode } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import layout from '#web/styles/layout.module.css'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { FailureBanner } from '#web/ui/failure-banner.tsx'

interface AuthFormProps<Values extends FieldValues, Sent> {
  form: UseFormReturn<Values, unknown, Sent>
  onSubmit: FormEventHandler
  /** Prefetches the code of the submission. */
  prefetch?: () => void
  action: string
  /** The button's label while the form is being submitted. */
  busy?: string
  children: ReactNode
}

/** A form with a banner for errors without a field, the fields and one button. Typing clears the errors. */
export function AuthForm<Values extends FieldValues, Sent>({
  form,
  onSubmit,
  prefetch,
  action,
  busy = 'Loading...',
  children,
}: AuthFormProps<Values, Sent>) {
  const { errors, isSubmitting } = form.formState
  return (
    <form
      className={classNames(layout.stack, layout.above5)}
      noValidate
      onSubmit={onSubmit}
      onChange={() => form.clearErrors()}
      onFocus={prefetch}
    >
      <FailureBanner text={errors.root?.message} />
      {children}
      <Button type="submit" wide busy={isSubmitting && busy}>
        {action}
      </Button>
    </form>
  )
}
