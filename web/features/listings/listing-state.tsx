import { states } from '#contract/constants.ts'
import type { Listing } from '#contract/listings.ts'
import { classNames } from '#web/ui/class-names.ts'
import { Icon } from '#web/ui/icon.tsx'
import css from './listing-state.module.css'

type ListingStateProps = {
  listing: Listing
  /** Renders it for a thumbnail. */
  hanging?: boolean
}

/** Shows whether a listing is reserved, gone or hidden. Shows nothing for an available one. */
export function ListingState({ listing: { state_id, is_active }, hanging = false }: ListingStateProps) {
  const className = classNames(css.state, hanging && css.hanging)
  return (
    <>
      {state_id !== states.available && (
        <span className={className}>
          <Icon name={state_id === states.reserved ? 'clock' : 'check'} size={14} />
          {state_id === states.reserved ? 'reserved' : 'gone'}
        </span>
      )}
      {!is_active && (
        <span className={className}>
          <Icon name="lock" size={14} />
          hidden
        </span>
      )}
    </>
  )
}
