import { t } from '@lingui/core/macro'
import { type FormEvent, useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Grid, Stack } from '#web/ui/layout.tsx'
import { draftOf, filterOfDraft, rangeProblem } from './filter-draft.ts'
import { FilterFields } from './filter-fields.tsx'
import type { ListingFilter } from './market-search.ts'

type RailFilterProps = {
  /** The filter that the fields start from. */
  filter: ListingFilter
  hasWords: boolean
  onSave: (filter: ListingFilter) => void
}

/** The filter of the marketplace, open beside the listings. */
export function RailFilter({ filter, hasWords, onSave }: RailFilterProps) {
  const [draft, setDraft] = useState(() => draftOf(filter, hasWords))

  function save(event: FormEvent) {
    event.preventDefault()
    if (rangeProblem(draft) === undefined) onSave(filterOfDraft(draft, hasWords))
  }
  return (
    <Stack as="form" gap="5" aria-label={t`Filter listings`} onSubmit={save}>
      <FilterFields draft={draft} hasWords={hasWords} onChange={setDraft} />
      <Grid columns={2} gap="3">
        <Button variant="secondary" size="small" onClick={() => setDraft(draftOf({}, hasWords))}>
          {t`reset`}
        </Button>
        <Button type="submit" size="small" aria-disabled={rangeProblem(draft) !== undefined}>
          {t`save`}
        </Button>
      </Grid>
    </Stack>
  )
}
