import { useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { draftOf, emptyDraft, filterOfDraft, rangeProblem } from './filter-draft.ts'
import { FilterFields } from './filter-fields.tsx'
import type { ListingFilter } from './market-search.ts'

type FilterDialogProps = {
  filter: ListingFilter
  hasWords: boolean
  onSave: (filter: ListingFilter) => void
  onClose: () => void
}

export function FilterDialog({ filter, hasWords, onSave, onClose }: FilterDialogProps) {
  const [draft, setDraft] = useState(() => draftOf(filter, hasWords))
  return (
    <Dialog
      open
      title="Filter listings"
      onClose={onClose}
      actions={
        <>
          <Button
            variant="secondary"
            onClick={() => setDraft({ ...emptyDraft, sort: hasWords ? 'best' : 'newest' })}
          >
            reset
          </Button>
          <Button
            disabled={rangeProblem(draft) !== undefined}
            onClick={() => onSave(filterOfDraft(draft, hasWords))}
          >
            save
          </Button>
        </>
      }
    >
      <FilterFields draft={draft} hasWords={hasWords} onChange={setDraft} />
    </Dialog>
  )
}
