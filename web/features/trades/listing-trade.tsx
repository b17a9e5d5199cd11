import { lazy, Suspense, useState } from 'react'
import { states } from '#contract/constants.ts'
import type { Listing } from '#contract/listings.ts'
import { useInfiniteList } from '#web/api/infinite-list.ts'
import { Button } from '#web/ui/button.tsx'
import css from './listing-trade.module.css'
import { listingTradesQuery } from './trade-queries.ts'

const AskDialog = lazy(() => import('./ask-dialog.tsx').then((module) => ({ default: module.AskDialog })))
const AskedState = lazy(() => import('./asked-state.tsx').then((module) => ({ default: module.AskedState })))

type ListingTradeProps = {
  listing: Listing
  /** In the bar of a phone: the button only, which goes when it was pressed. */
  inBar?: boolean
}

/** On another member's listing: asks for it, or says what came of one's request. */
export function ListingTrade({ listing, inBar = false }: ListingTradeProps) {
  const [isOpen, setOpen] = useState(false)
  const { items, isPending } = useInfiniteList(listingTradesQuery(listing.id))
  const mine = items?.[0]
  if (mine !== undefined) {
    return inBar ? null : (
      <Suspense>
        <AskedState trade={mine} />
      </Suspense>
    )
  }
  if (listing.state_id === states.gone) return null
  return (
    <div className={inBar ? css.inBar : css.ask}>
      <Button
        wide={!inBar}
        size={inBar ? 'small' : undefined}
        aria-disabled={isPending}
        onClick={() => setOpen(true)}
      >
        I’d like this
      </Button>
      {isOpen && (
        <Suspense>
          <AskDialog listing={listing} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </div>
  )
}
