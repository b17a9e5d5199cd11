import { t } from '@lingui/core/macro'
import { type ReactNode, useState } from 'react'
import { ActionDialog } from './action-dialog.tsx'
import { Button } from './button.tsx'
import { copyText } from './copy-text.ts'
import { TextField } from './field.tsx'
import { Icon } from './icon.tsx'
import { canShare, share } from './share-sheet.ts'
import { useToasts } from './toasts.ts'

type CopyLinkDialogProps = {
  title: string
  /** Undefined while it is loading. */
  link: string | undefined
  linkLabel: string
  /** The subject for the apps that share the link. */
  subject: string
  /** The error if the link could not be loaded. */
  error?: string | undefined
  onClose: () => void
  /** Further actions for the link. */
  children?: ReactNode
}

/** Shows a link to copy, or to send with another app of the device. */
export function CopyLinkDialog({
  title,
  link,
  linkLabel,
  subject,
  error,
  onClose,
  children,
}: CopyLinkDialogProps) {
  const [failed, setFailed] = useState(false)
  const toasts = useToasts()

  async function copy() {
    try {
      await copyText(link ?? '')
      toasts.show(t`Link copied`)
      onClose()
    } catch {
      setFailed(true)
    }
  }
  return (
    <ActionDialog
      title={title}
      onClose={onClose}
      error={failed ? t`Failed to copy link to clipboard` : error}
      cancel={t`Cancel`}
      action={
        <Button disabled={link === undefined} onClick={copy}>
          {t`Copy`}
        </Button>
      }
    >
      <TextField
        label={linkLabel}
        value={link ?? ''}
        placeholder={error === undefined ? t`Loading...` : undefined}
        readOnly
        onFocus={(event) => event.currentTarget.select()}
      />
      {canShare() && (
        <Button
          variant="quiet"
          size="small"
          disabled={link === undefined}
          onClick={() => share({ title: subject, url: link ?? '' })}
        >
          <Icon name="share" size={20} />
          {t`Send with an app`}
        </Button>
      )}
      {children}
    </ActionDialog>
  )
}
