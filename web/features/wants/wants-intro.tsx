import { t } from '@lingui/core/macro'
import layout from '#web/styles/layout.module.css'
import text from '#web/styles/text.module.css'
import { classNames } from '#web/ui/class-names.ts'

/** Introduces the want list. */
export function WantsIntro() {
  return (
    <p className={classNames(text.body2, text.muted, layout.above4)}>
      {t`We send a notification when a neighbor lists one of these.`}
    </p>
  )
}
