import { t } from '@lingui/core/macro'
import type { FormEventHandler, ReactNode } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import layout from '#web/styles/layout.module.css'
import { Button } from '#web/ui/button.tsx'
import { Form } from '#web/ui/form.tsx'

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

/** A form with one button. */
export function AuthForm<Values extends FieldValues, Sent>({
  form,
  onSubmit,
  prefetch,
  action,
  busy = t`Loading...`,
  children,
}: AuthFormProps<Values, Sent>) {
  return (
    <Form form={form} className={layout.above5} onSubmit={onSubmit} onFocus={prefetch}>
      {children}
      <Button type="submit" wide busy={form.formState.isSubmitting && busy}>
        {action}
      </Button>
    </Form>
  )
}
