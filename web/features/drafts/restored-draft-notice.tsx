import { Button } from '#web/ui/button.tsx'
import css from './restored-draft-notice.module.css'

type RestoredDraftNoticeProps = {
  onDiscard: () => void
  /** A photo was chosen, too. It is not stored. */
  lacksPhoto?: boolean
}

/** Says above a form that it shows a restored draft, and offers to discard it. */
export function RestoredDraftNotice({ onDiscard, lacksPhoto = false }: RestoredDraftNoticeProps) {
  return (
    <div className={css.note}>
      <p>
        Your changes from before are back. They are not saved yet.
        {lacksPhoto && ' Please choose your photo again.'}
      </p>
      <Button variant="quiet" size="small" onClick={onDiscard}>
        discard
      </Button>
    </div>
  )
}
