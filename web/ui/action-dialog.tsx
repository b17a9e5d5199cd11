import type { ReactNode } from 'react'
import css from './action-dialog.module.css'
import { Banner } from './banner.tsx'
import { Button } from './button.tsx'
import { Dialog, leaveDialog } from './dialog.tsx'

type ActionDialogProps = {
  title: string
  onClose: () => void
  /** An error of no particular field. */
  error: string | undefined
  /** The word for letting it be. */
  cancel?: string
  /** The button that does it. */
  action: ReactNode
  children: ReactNode
}

/** A dialog that does something, or lets it be. */
export function ActionDialog({
  title,
  onClose,
  error,
  cancel = 'cancel',
  action,
  children,
}: ActionDialogProps) {
  return (
    <Dialog
      open
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button variant="secondary" onClick={({ currentTarget }) => leaveDialog(currentTarget, onClose)}>
            {cancel}
          </Button>
          {action}
        </>
      }
    >
      <div className={css.body}>
        {error !== undefined && <Banner kind="error">{error}</Banner>}
        {children}
      </div>
    </Dialog>
  )
}
