import { t } from '@lingui/core/macro'
import { Button } from '#web/ui/button.tsx'
import css from './restored-draft-notice.module.css'

type RestoredDraftNoticeProps = {
  onDiscard: () => void
  /** True if the draft had a profile photo. Only photos of listings and messages are stored. */
  lacksPhoto?: boolean
}

/** Shows above a form that its values are a restored draft, with a button that discards it. */
export function RestoredDraftNotice({ onDiscard, lacksPhoto = false }: RestoredDraftNoticeProps) {
  return (
    <div className={css.note}>
      <p>
        {t`Your changes from before are back. They are not saved yet.`}
        {lacksPhoto && ` ${t`Please choose your photo again.`}`}
      </p>
      <Button variant="quiet" size="small" onClick={onDiscard}>
        {t`discard`}
      </Button>
    </div>
  )
}
