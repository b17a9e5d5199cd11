import { t } from '@lingui/core/macro'
import { useState } from 'react'
import type { Listing } from '#contract/listings.ts'
import { Button } from '#web/ui/button.tsx'
import { CopyLinkDialog } from '#web/ui/copy-link-dialog.tsx'
import { Icon } from '#web/ui/icon.tsx'

export function ShareListing({ listing }: { listing: Listing }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button variant="secondary" size="small" onClick={() => setOpen(true)}>
        <Icon name="share" size={20} />
        {t`share`}
      </Button>
      {isOpen && (
        <CopyLinkDialog
          title={t`Share this listing`}
          link={`${location.origin}/listings/${listing.id}`}
          linkLabel={t`Link`}
          subject={listing.title}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}
