import { t } from '@lingui/core/macro'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { defaultPriceRange } from '#contract/constants.ts'
import { BackLink } from '#web/features/page-head/back-link.tsx'
import { MemberHead } from '#web/features/page-head/member-head.tsx'
import { Button } from '#web/ui/button.tsx'
import { Stack } from '#web/ui/layout.tsx'
import { Page } from '#web/ui/page.tsx'
import {
  countChoices,
  draftOf,
  emptyDraft,
  type FilterDraft,
  filterOf,
  filterOfDraft,
  rangeProblem,
} from './filter-draft.ts'
import { FilterFields } from './filter-fields.tsx'
import css from './filter-page-screen.module.css'

const route = getRouteApi('/_members/filter-page')

/** The filter of the page without a query string. */
const defaultDraft: FilterDraft = {
  ...emptyDraft,
  show: ['exchange'],
  min: String(defaultPriceRange.min),
  max: '',
}

export function FilterPageScreen() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const hasWords = search.q !== undefined
  const filter = filterOf(search)
  const [initial] = useState(() =>
    countChoices(filter, hasWords) === 0 ? defaultDraft : draftOf(filter, hasWords),
  )
  const { tab, category, q, choosing } = search
  const [draft, setDraft] = useState(() => (choosing === undefined ? initial : draftOf(choosing, hasWords)))

  function save() {
    void navigate({ to: '/listings', search: { tab, category, q, ...filterOfDraft(draft, hasWords) } })
  }
  return (
    <Page column>
      <MemberHead title={t`filter`} back={<BackLink to="/listings" />} />
      <Stack
        as="form"
        gap="6"
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault()
          save()
        }}
      >
        <FilterFields draft={draft} hasWords={hasWords} onChange={setDraft} />
        <Button
          type="submit"
          wide
          disabled={draft === initial}
          aria-disabled={rangeProblem(draft) !== undefined}
        >
          {t`save`}
        </Button>
      </Stack>
    </Page>
  )
}
