import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { Match } from '#contract/matches.ts'
import { Tag } from '#web/ui/tag.tsx'
import css from './reason.module.css'

/** Shows the want that a listing matches, the reason, and whether it is a swap. */
export function Reason({ want, reason, is_swap }: Pick<Match, 'want' | 'reason' | 'is_swap'>) {
  return (
    <p className={css.reason}>
      {is_swap && (
        <Tag icon="swap" color="green" className={css.swap}>
          {t`swap`}
        </Tag>
      )}
      <Trans>
        for “<bdi>{want.title}</bdi>”: {reason}
      </Trans>
    </p>
  )
}
