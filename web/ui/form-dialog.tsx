import { t } from '@lingui/core/macro'
import { type ComponentProps, type FormEventHandler, type ReactNode, useId } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import { ActionDialog } from './action-dialog.tsx'
import { Button } from './button.tsx'
import { Form } from './form.tsx'

type FormDialogProps<Values extends FieldValues, Sent> = {
  title: string
  onClose: () => void
  form: UseFormReturn<Values, unknown, Sent>
  onSubmit: FormEventHandler
  /** The submit button. `busy` is its label while the form is being sent. */
  submit: Pick<ComponentProps<typeof Button>, 'variant'> & { label: string; busy?: string }
  children: ReactNode
}

/** A form in a dialog with a cancel and a submit button. */
export function FormDialog<Values extends FieldValues, Sent>({
  title,
  onClose,
  form,
  onSubmit,
  submit: { label, busy = t`Sending...`, variant },
  children,
}: FormDialogProps<Values, Sent>) {
  const formId = useId()
  const { isSubmitting } = form.formState
  return (
    <ActionDialog
      title={title}
      onClose={onClose}
      busy={isSubmitting}
      action={
        <Button type="submit" form={formId} variant={variant} busy={isSubmitting && busy}>
          {label}
        </Button>
      }
    >
      <Form form={form} id={formId} onSubmit={onSubmit}>
        {children}
      </Form>
    </ActionDialog>
  )
}
