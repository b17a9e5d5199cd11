import type { ReactNode } from 'react'
import { ActionDialog } from './action-dialog.tsx'
import { Button } from './button.tsx'

type ConfirmDialogProps = {
  /** The question. */
  title: string
  /** The word for doing it. */
  action: string
  /** The label while the action runs. */
  busy: string | false
  /** Why it could not be done. */
  error?: string | undefined
  onConfirm: () => void
  onClose: () => void
  /** The consequences. */
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
