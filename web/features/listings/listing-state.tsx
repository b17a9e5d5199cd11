import { t } from '@lingui/core/macro'
import { states } from '#contract/constants.ts'
import type { Listing } from '#contract/listings.ts'
import { Tag } from '#web/ui/tag.tsx'
import css from './listing-state.module.css'

type ListingStateProps = {
  listing: Listing
  /** Renders white tags, for a thumbnail. */
  overlay?: boolean
}

/** Shows whether a listing is reserved, gone or hidden. Shows nothing for an available one. */
export function ListingState({ listing: { state_id, is_active }, overlay = false }: ListingStateProps) {
  const className = overlay ? css.overlay : undefined
  return (
    <>
      {state_id !== states.available && (
        <Tag icon={state_id === states.reserved ? 'clock' : 'check'} className={className}>
          {state_id === states.reserved ? t`reserved` : t`gone`}
        </Tag>
      )}
      {!is_active && (
        <Tag icon="lock" className={className}>
          {t`hidden`}
        </Tag>
      )}
    </>
  )
}
