import { useState } from 'react'
import { Banner } from './banner.tsx'
import { Button } from './button.tsx'
import css from './copy-link-dialog.module.css'
import { Dialog } from './dialog.tsx'
import { TextField } from './field.tsx'
import { Icon } from './icon.tsx'
import { canShare, share } from './share-sheet.ts'
import { toast } from './toast.tsx'

type CopyLinkDialogProps = {
  title: string
  link: string
  linkLabel: string
  /** What the link leads to, for the apps it is sent with. */
  subject: string
  onClose: () => void
}

export function CopyLinkDialog({ title, link, linkLabel, subject, onClose }: CopyLinkDialogProps) {
  const [failed, setFailed] = useState(false)

  async function copy() {
    try {
      await navigator.clipboard.writeText(link)
      toast('Link copied')
      onClose()
    } catch {
      setFailed(true)
    }
  }
  return (
    <Dialog
      open
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button onClick={copy}>Copy</Button>
        </>
      }
    >
      <div className={css.body}>
        {failed && <Banner kind="error">Failed to copy link to clipboard</Banner>}
        <TextField
          label={linkLabel}
          value={link}
          readOnly
          onFocus={(event) => event.currentTarget.select()}
        />
        {canShare() && (
          <Button variant="quiet" size="small" onClick={() => share({ title: subject, url: link })}>
            <Icon name="share" size={20} />
            Send with an app
          </Button>
        )}
      </div>
    </Dialog>
  )
}
