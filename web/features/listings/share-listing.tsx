import { useState } from 'react'
import type { Listing } from '#contract/listings.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { TextField } from '#web/ui/field.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { toast } from '#web/ui/toast.tsx'
import css from './share-listing.module.css'

export function ShareListing({ listing }: { listing: Listing }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant="secondary" size="small" onClick={() => setOpen(true)}>
        <Icon name="share" size={20} />
        share
      </Button>
      {open && <ShareDialog listing={listing} onClose={() => setOpen(false)} />}
    </>
  )
}

function ShareDialog({ listing, onClose }: { listing: Listing; onClose: () => void }) {
  const [failed, setFailed] = useState(false)
  const link = `${location.origin}/listings/${listing.id}`

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
      title="Share this listing"
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
        <TextField label="Link" value={link} readOnly onFocus={(event) => event.currentTarget.select()} />
        {canShare() && <ShareSheet title={listing.title} url={link} />}
      </div>
    </Dialog>
  )
}

/** The phone's own way of sharing, with the apps that are on it. */
function ShareSheet(shared: { title: string; url: string }) {
  async function share() {
    // A member who closes the sheet has not failed: the link is still there to copy.
    await navigator.share(shared).catch(() => undefined)
  }
  return (
    <Button variant="quiet" size="small" onClick={share}>
      <Icon name="share" size={20} />
      Send with an app
    </Button>
  )
}

function canShare() {
  return 'share' in navigator
}
