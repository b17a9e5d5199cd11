import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { states } from '#contract/constants.ts'
import type { Listing } from '#contract/listings.ts'
import { useInfiniteList } from '#web/api/infinite-list.ts'
import { useStoredLogin } from '#web/login/login-store.ts'
import { Button } from '#web/ui/button.tsx'
import { lazyExport } from '#web/ui/lazy-export.tsx'
import css from './listing-trade.module.css'
import { listingTradesQuery } from './trade-queries.ts'

const TradeRequestDialog = lazyExport(() => import('./request-dialog.tsx'), 'TradeRequestDialog')
const RequestState = lazyExport(() => import('./request-state.tsx'), 'RequestState')

type ListingTradeProps = {
  listing: Listing
  /** True in the bottom bar of a phone, which has the button only until it is pressed. */
  inBar?: boolean
}

/** Shows a button that requests another member's listing, or the state of the trade in which the member would get it. */
export function ListingTrade({ listing, inBar = false }: ListingTradeProps) {
  const [isOpen, setOpen] = useState(false)
  const { items, isPending } = useInfiniteList(listingTradesQuery(listing.id))
  const me = useStoredLogin()?.user.id
  const mine = items?.find(({ legs }) =>
    legs.some((leg) => leg.listing.id === listing.id && leg.taker_id === me),
  )
  if (mine !== undefined) {
    return inBar ? null : <RequestState trade={mine} />
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
        {t`I’d like this`}
      </Button>
      {isOpen && <TradeRequestDialog listing={listing} onClose={() => setOpen(false)} />}
    </div>
  )
}
