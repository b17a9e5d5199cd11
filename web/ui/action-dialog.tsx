import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import css from './action-dialog.module.css'
import { Banner } from './banner.tsx'
import { Button } from './button.tsx'
import { Dialog, leaveDialog } from './dialog.tsx'
import { Stack } from './layout.tsx'

type ActionDialogProps = {
  title: string
  onClose: () => void
  /** True while the action runs. */
  busy?: boolean
  /** An error without a field. */
  error?: string | undefined
  /** The label of the cancel button. */
  cancel?: string
  /** The button of the action. */
  action: ReactNode
  children: ReactNode
}

/** A dialog with a cancel button and a button for its action. */
export function ActionDialog({
  title,
  onClose,
  busy = false,
  error,
  cancel = t`cancel`,
  action,
  children,
}: ActionDialogProps) {
  return (
    <Dialog
      title={title}
      onClose={onClose}
      busy={busy}
      actions={
        <>
          <Button
            variant="secondary"
            aria-disabled={busy}
            onClick={({ currentTarget }) => leaveDialog(currentTarget, onClose)}
          >
            {cancel}
          </Button>
          {action}
        </>
      }
    >
      <Stack className={css.body}>
        {error !== undefined && <Banner kind="error">{error}</Banner>}
        {children}
      </Stack>
    </Dialog>
  )
}
