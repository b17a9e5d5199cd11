import { t } from '@lingui/core/macro'
import { Button } from '#web/ui/button.tsx'
import { Row } from '#web/ui/layout.tsx'
import css from './restored-draft-notice.module.css'

type RestoredDraftNoticeProps = { onDiscard: () => void }

/** Shows above a form that its values are a restored draft, with a button that discards it. */
export function RestoredDraftNotice({ onDiscard }: RestoredDraftNoticeProps) {
  return (
    <Row className={css.note}>
      <p>{t`Your changes from before are back. They are not saved yet.`}</p>
      <Button variant="quiet" size="small" onClick={onDiscard}>
        {t`discard`}
      </Button>
    </Row>
  )
}
