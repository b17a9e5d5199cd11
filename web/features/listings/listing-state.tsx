import { states } from '#contract/constants.ts'
import type { Listing } from '#contract/listings.ts'
import { classNames } from '#web/ui/class-names.ts'
import { Icon } from '#web/ui/icon.tsx'
import css from './listing-state.module.css'

type ListingStateProps = {
  listing: Listing
  /** On a thumbnail. */
  hanging?: boolean
}

/** Says of a listing that it is not to be had, or that only its owner sees it; of any other, nothing. */
export function ListingState({ listing: { state_id, is_active }, hanging = false }: ListingStateProps) {
  const look = classNames(css.state, hanging && css.hanging)
  return (
    <>
      {state_id !== states.available && (
        <span className={look}>
          <Icon name={state_id === states.reserved ? 'clock' : 'check'} size={14} />
          {state_id === states.reserved ? 'reserved' : 'gone'}
        </span>
      )}
      {!is_active && (
        <span className={look}>
          <Icon name="lock" size={14} />
          hidden
        </span>
      )}
    </>
  )
}
