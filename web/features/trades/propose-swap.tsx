import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import type { Listing } from '#contract/listings.ts'
import { Button } from '#web/ui/button.tsx'
import { lazyExport } from '#web/ui/lazy-export.tsx'
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx'

const TradeRequestDialog = lazyExport(() => import('./request-dialog.tsx'), 'TradeRequestDialog')

/** A button for a match in which each member has what the other wants. */
export function ProposeSwap({ listing }: { listing: Listing }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)}>
        <span>
          <Trans>
            Propose a swap<VisuallyHidden> for {listing.title}</VisuallyHidden>
          </Trans>
        </span>
      </Button>
      {isOpen && <TradeRequestDialog listing={listing} isSwap onClose={() => setOpen(false)} />}
    </>
  )
}
