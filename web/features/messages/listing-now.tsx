import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { states } from '#contract/constants.ts'
import type { Listing } from '#contract/listings.ts'
import { isNotFound } from '#web/api/api-error.ts'
import { listingQuery } from '#web/features/listings/listing-queries.ts'
import { priceText } from '#web/features/listings/price.ts'
import { Cluster } from '#web/ui/layout.tsx'
import { useOnScreen } from '#web/ui/use-on-screen.ts'
import css from './bubbles.module.css'

/** Shows what a mentioned listing costs now, and whether it is still there. Fetches it once it is on the screen. */
export function ListingNow({ id }: { id: number }) {
  const line = useRef<HTMLElement>(null)
  const enabled = useOnScreen(line, 0)
  const { data: listing, error } = useQuery({ ...listingQuery(String(id)), enabled })
  return (
    <Cluster as="span" gap="2" ref={line} className={css.now}>
      {isNotFound(error) ? <span>{t`no longer listed`}</span> : listing && <State listing={listing} />}
    </Cluster>
  )
}

function State({ listing }: { listing: Listing }) {
  const { state_id, is_active } = listing
  return (
    <>
      <span>{priceText(listing)}</span>
      {state_id === states.reserved && <span className={css.state}>{t`reserved`}</span>}
      {state_id === states.gone && <span className={css.state}>{t`gone`}</span>}
      {!is_active && <span className={css.state}>{t`hidden`}</span>}
    </>
  )
}
