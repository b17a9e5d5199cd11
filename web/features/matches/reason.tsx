import type { Match } from '#contract/matches.ts'
import { Icon } from '#web/ui/icon.tsx'
import css from './reason.module.css'

/** Shows the want that a listing matches, the reason, and whether it is a swap. */
export function Reason({ want, reason, is_swap }: Pick<Match, 'want' | 'reason' | 'is_swap'>) {
  return (
    <p className={css.reason}>
      {is_swap && (
        <span className={css.swap}>
          <Icon name="swap" size={16} />
          swap
        </span>
      )}
      for “<bdi>{want.title}</bdi>”: {reason}
    </p>
  )
}
