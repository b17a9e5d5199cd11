import { t } from '@lingui/core/macro'
import { type FormEvent, useId, useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Dialog, leaveDialog } from '#web/ui/dialog.tsx'
import { draftOf, filterOfDraft, rangeProblem } from './filter-draft.ts'
import { FilterFields } from './filter-fields.tsx'
import type { ListingFilter } from './market-search.ts'

type FilterDialogProps = {
  /** The filter that the fields start from. */
  filter: ListingFilter
  hasWords: boolean
  onSave: (filter: ListingFilter) => void
  onClose: () => void
}

export function FilterDialog({ filter, hasWords, onSave, onClose }: FilterDialogProps) {
  const formId = useId()
  const [draft, setDraft] = useState(() => draftOf(filter, hasWords))

  function save(event: FormEvent) {
    event.preventDefault()
    leaveDialog(event.currentTarget, () => onSave(filterOfDraft(draft, hasWords)))
  }
  return (
    <Dialog
      title={t`Filter listings`}
      onClose={onClose}
      actions={
        <>
          <Button variant="secondary" onClick={() => setDraft(draftOf({}, hasWords))}>
            {t`reset`}
          </Button>
          <Button type="submit" form={formId} aria-disabled={rangeProblem(draft) !== undefined}>
            {t`save`}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={save}>
        <FilterFields draft={draft} hasWords={hasWords} onChange={setDraft} />
      </form>
    </Dialog>
  )
}
