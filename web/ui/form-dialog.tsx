import { type ComponentProps, type ReactNode, useId } from 'react'
import { ActionDialog } from './action-dialog.tsx'
import { Button } from './button.tsx'
import css from './form-dialog.module.css'

type FormDialogProps = {
  title: string
  onClose: () => void
  onSubmit: () => void
  /** Called when a field changes. */
  onChange: () => void
  /** An error without a field. */
  error: string | undefined
  /** The submit button. */
  submit: Pick<ComponentProps<typeof Button>, 'variant' | 'busy'> & { label: string }
  children: ReactNode
}

/** A form in a dialog with a cancel and a submit button. */
export function FormDialog({
  title,
  onClose,
  onSubmit,
  onChange,
  error,
  submit: { label, ...button },
  children,
}: FormDialogProps) {
  const formId = useId()
  return (
    <ActionDialog
      title={title}
      onClose={onClose}
      error={error}
      action={
        <Button type="submit" form={formId} {...button}>
          {label}
        </Button>
      }
    >
      <form id={formId} className={css.form} noValidate onSubmit={onSubmit} onChange={onChange}>
        {children}
      </form>
    </ActionDialog>
  )
}
