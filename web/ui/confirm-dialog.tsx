import type { ReactNode } from 'react'
import { ActionDialog } from './action-dialog.tsx'
import { Button } from './button.tsx'

type ConfirmDialogProps = {
  /** The question. */
  title: string
  /** The label of the action's button. */
  action: string
  /** The label while the action runs. */
  busy: string | false
  /** The error of the action. */
  error?: string | undefined
  onConfirm: () => void
  onClose: () => void
  /** The consequences. */
  children: ReactNode
}

/** Asks for confirmation of a destructive action. The cancel button has the focus. */
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
      busy={busy !== false}
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
