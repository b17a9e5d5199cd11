import { type ComponentProps, type ReactNode, useId } from 'react'
import { Banner } from './banner.tsx'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import css from './form-dialog.module.css'

type FormDialogProps = {
  title: string
  onClose: () => void
  onSubmit: () => void
  /** Something was typed. */
  onChange: () => void
  /** What is wrong with no field in particular. */
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
    <Dialog
      open
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button variant="secondary" onClick={onClose}>
            cancel
          </Button>
          <Button type="submit" form={formId} {...look}>
            {label}
          </Button>
        </>
      }
    >
      <form id={formId} className={css.form} noValidate onSubmit={onSubmit} onChange={onChange}>
        {error !== undefined && <Banner kind="error">{error}</Banner>}
        {children}
      </form>
    </Dialog>
  )
}
