import type { FormEventHandler, ReactNode } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import css from './auth-form.module.css'

interface AuthFormProps<Values extends FieldValues, Sent> {
  form: UseFormReturn<Values, unknown, Sent>
  onSubmit: FormEventHandler
  /** Fetches ahead what pressing the button will need. */
  onApproach?: () => void
  action: string
  /** The button's label while the work goes on. */
  busy?: string
  children: ReactNode
}

/** A form of the auth card: a banner for what belongs to no field, the fields, one button. Typing clears what was wrong. */
export function AuthForm<Values extends FieldValues, Sent>({
  form,
  onSubmit,
  onApproach,
  action,
  busy = 'Loading...',
  children,
}: AuthFormProps<Values, Sent>) {
  const { errors, isSubmitting } = form.formState
  return (
    <form
      className={css.form}
      noValidate
      onSubmit={onSubmit}
      onChange={() => form.clearErrors()}
      onFocus={onApproach}
    >
      {errors.root !== undefined && <Banner kind="error">{errors.root.message}</Banner>}
      {children}
      <Button type="submit" wide busy={isSubmitting && busy}>
        {action}
      </Button>
    </form>
  )
}
