import { useState } from 'react'
import { ActionDialog } from './action-dialog.tsx'
import { Button } from './button.tsx'
import { TextField } from './field.tsx'
import { Icon } from './icon.tsx'
import { canShare, share } from './share-sheet.ts'
import { useToasts } from './toasts.ts'

type CopyLinkDialogProps = {
  title: string
  link: string
  linkLabel: string
  /** The subject for the apps that share the link. */
  subject: string
  onClose: () => void
}

export function CopyLinkDialog({ title, link, linkLabel, subject, onClose }: CopyLinkDialogProps) {
  const [failed, setFailed] = useState(false)
  const toasts = useToasts()

  async function copy() {
    try {
      await navigator.clipboard.writeText(link)
      toasts.show('Link copied')
      onClose()
    } catch {
      setFailed(true)
    }
  }
  return (
    <ActionDialog
      title={title}
      onClose={onClose}
      error={failed ? 'Failed to copy link to clipboard' : undefined}
      cancel="Cancel"
      action={<Button onClick={copy}>Copy</Button>}
    >
      <TextField label={linkLabel} value={link} readOnly onFocus={(event) => event.currentTarget.select()} />
      {canShare() && (
        <Button variant="quiet" size="small" onClick={() => share({ title: subject, url: link })}>
          <Icon name="share" size={20} />
          Send with an app
        </Button>
      )}
    </ActionDialog>
  )
}
