import { type ComponentProps, type ReactNode, useId } from 'react'
import { ActionDialog } from './action-dialog.tsx'
import { Button } from './button.tsx'
import css from './form-dialog.module.css'

type FormDialogProps = {
  title: string
  onClose: () => void
  onSubmit: () => void
  /** Something was typed. */
  onChange: () => void
  /** An error of no particular field. */
  error: string | undefined
  /** The button that sends the form. */
  submit: Pick<ComponentProps<typeof Button>, 'variant' | 'busy'> & { label: string }
  children: ReactNode
}

/** A form in a dialog, with a way out and a way on. */
export function FormDialog({
  title,
  onClose,
  onSubmit,
  onChange,
  error,
  submit: { label, ...look },
  children,
}: FormDialogProps) {
  const formId = useId()
  return (
    <ActionDialog
      title={title}
      onClose={onClose}
      error={error}
      action={
        <Button type="submit" form={formId} {...look}>
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
