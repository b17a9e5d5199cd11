import { states } from '#contract/constants.ts'
import type { Listing } from '#contract/listings.ts'
import { Icon } from '#web/ui/icon.tsx'
import css from './listing-state.module.css'

/** Says of a listing that it is not to be had, or that only its owner sees it; of any other, nothing. */
export function ListingState({ listing: { state_id, is_active } }: { listing: Listing }) {
  return (
    <>
      {state_id !== states.available && (
        <span className={css.state}>
          <Icon name={state_id === states.reserved ? 'clock' : 'check'} size={14} />
          {state_id === states.reserved ? 'reserved' : 'gone'}
        </span>
      )}
      {!is_active && (
        <span className={css.state}>
          <Icon name="lock" size={14} />
          hidden
        </span>
      )}
    </>
  )
}
