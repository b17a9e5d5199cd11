import type { ReactNode } from 'react'
import { ActionDialog } from './action-dialog.tsx'
import { Button } from './button.tsx'

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
    <ActionDialog
      title={title}
      onClose={onClose}
      error={error}
      action={
        <Button variant="dangerSolid" busy={busy} onClick={onConfirm}>
          {action}
        </Button>
      }
    >
      <p>{children}</p>
    </ActionDialog>
  )
}
