import { useState } from 'react'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { TextField } from '#web/ui/field.tsx'
import { toast } from '#web/ui/toast.tsx'
import { profileLink } from './profile-link.ts'
import css from './share-dialogs.module.css'

export function LinkDialog({ id, onClose }: { id: number; onClose: () => void }) {
  const [failed, setFailed] = useState(false)
  const link = profileLink(id)

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
      title="Share your profile link"
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
          label="Your link"
          value={link}
          readOnly
          onFocus={(event) => event.currentTarget.select()}
        />
      </div>
    </Dialog>
  )
}
