import type { ReactNode } from 'react'
import { Banner } from './banner.tsx'
import { Button } from './button.tsx'
import css from './confirm-dialog.module.css'
import { Dialog } from './dialog.tsx'

type ConfirmDialogProps = {
  /** What is asked. */
  title: string
  /** The word for doing it. */
  action: string
  /** What that word becomes while it is being done. */
  busy: string | false
  /** Why it could not be done. */
  error?: string | undefined
  onConfirm: () => void
  onClose: () => void
  /** What it comes to. */
  children: ReactNode
}

/** Asks before something is taken away. The safe answer has the focus. */
export function ConfirmDialog({
  title,
  action,
  busy,
  error,
  onConfirm,
  onClose,
  children,
}: ConfirmDialogProps) {
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
          <Button variant="dangerSolid" busy={busy} onClick={onConfirm}>
            {action}
          </Button>
        </>
      }
    >
      <div className={css.body}>
        {error !== undefined && <Banner kind="error">{error}</Banner>}
        <p>{children}</p>
      </div>
    </Dialog>
  )
}
