import { useQuery } from '@tanstack/react-query'
import { Link, useLocation, useNavigate, useRouter } from '@tanstack/react-router'
import type { MouseEvent } from 'react'
import { defaultPriceRange, distanceBands } from '#contract/constants.ts'
import { profileQuery } from '#web/features/profile/profile-query.ts'
import text from '#web/styles/text.module.css'
import { Chips, RadioChips } from '#web/ui/chips.tsx'
import { SelectField, TextField } from '#web/ui/field.tsx'
import { isPlainClick } from '#web/ui/plain-click.ts'
import { digitsOf, type FilterDraft, filterOfDraft, rangeProblem } from './filter-draft.ts'
import css from './filter-fields.module.css'
import { type ListingFilter, sortChoices, typeChoices } from './market-search.ts'

type FilterFieldsProps = {
  draft: FilterDraft
  /** With words to search for, the best may come first. */
  hasWords: boolean
  onChange: (draft: FilterDraft) => void
}

export function FilterFields({ draft, hasWords, onChange }: FilterFieldsProps) {
  const { data: profile } = useQuery(profileQuery)
  // Until the profile is loaded the fields are laid out for a member with a postcode, as most have one.
  const hasLocation = profile === undefined || profile.zip_code !== null
  const sorts = sortChoices.filter(
    (sort) => (sort !== 'nearest' || hasLocation || draft.sort === sort) && (sort !== 'best' || hasWords),
  )
  const problem = rangeProblem(draft)
  return (
    <div className={css.fields}>
      <RadioChips
        legend="Sort"
        choices={sorts}
        chosen={draft.sort}
        onChoose={(sort) => onChange({ ...draft, sort })}
      />
      <Chips
        legend="Show"
        choices={typeChoices}
        chosen={draft.show}
        onPress={(type) =>
          onChange({
            ...draft,
            show: draft.show.includes(type)
              ? draft.show.filter((shown) => shown !== type)
              : [...draft.show, type],
          })
        }
      />
      <fieldset className={css.price}>
        <legend>Price</legend>
        <TextField
          label="min"
          affix="$"
          inputMode="numeric"
          autoComplete="off"
          value={draft.min}
          error={problem}
          onChange={(event) => onChange({ ...draft, min: digitsOf(event.target.value) })}
        />
        <TextField
          label="max"
          affix="$"
          inputMode="numeric"
          autoComplete="off"
          value={draft.max}
          hint={Number(draft.max) === defaultPriceRange.max ? `${defaultPriceRange.max} and more` : undefined}
          onChange={(event) => onChange({ ...draft, max: digitsOf(event.target.value) })}
        />
      </fieldset>
      {hasLocation || draft.near !== '' ? (
        <SelectField
          label="Near me"
          options={distances}
          value={draft.near}
          onChange={(event) => onChange({ ...draft, near: event.target.value })}
        />
      ) : (
        <p className={css.noLocation}>
          <PostcodeLink choosing={filterOfDraft(draft, hasWords)} /> to find what is near you.
        </p>
      )}
    </div>
  )
}

/** Leads away from what is being chosen. The address that one comes back to, by Back as well, holds it. */
function PostcodeLink({ choosing }: { choosing: ListingFilter }) {
  const { options } = useRouter()
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  const back = `${pathname}${options.stringifySearch({ ...search, choosing })}`

  async function leave(event: MouseEvent) {
    if (!isPlainClick(event)) return
    event.preventDefault()
    await navigate({ href: back, replace: true })
    await navigate({ to: '/personal-info', search: { next: back } })
  }
  return (
    <Link to="/personal-info" search={{ next: back }} className={text.link} onClick={leave}>
      Add your postcode
    </Link>
  )
}

const distances = [
  { value: '', label: 'anywhere' },
  ...distanceBands.map((miles) => ({ value: String(miles), label: `within ${miles} miles` })),
]
