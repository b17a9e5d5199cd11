import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useLocation, useNavigate, useRouter } from '@tanstack/react-router'
import { type MouseEvent, useId } from 'react'
import type { Profile } from '#contract/auth.ts'
import { defaultPriceRange, sorts } from '#contract/constants.ts'
import type { Sort } from '#contract/listing-queries.ts'
import { distances, withinDistance } from '#web/features/listings/distance.ts'
import { currencyAffix, formatPrice } from '#web/features/listings/price.ts'
import { PlaceNote } from '#web/features/members/place-note.tsx'
import { profileQuery } from '#web/features/members/profile-query.ts'
import { textOf } from '#web/i18n/i18n.ts'
import text from '#web/styles/text.module.css'
import { Chips, RadioChips } from '#web/ui/chips.tsx'
import { ErrorNote } from '#web/ui/error-note.tsx'
import { SelectField, TextField } from '#web/ui/field.tsx'
import { Stack } from '#web/ui/layout.tsx'
import { isPlainClick } from '#web/ui/plain-click.ts'
import { digitsOf, type FilterDraft, filterOfDraft, rangeProblem } from './filter-draft.ts'
import css from './filter-fields.module.css'
import { type ListingFilter, type TypeName, typeChoices } from './market-search.ts'

type FilterFieldsProps = {
  draft: FilterDraft
  /** True in a search by words, which can be sorted by `best`. */
  hasWords: boolean
  onChange: (draft: FilterDraft) => void
}

export function FilterFields({ draft, hasWords, onChange }: FilterFieldsProps) {
  const { data: profile } = useQuery(profileQuery)
  // Most members have a known place, so assume one until the profile is loaded.
  const hasLocation = profile === undefined || profile.location_known
  const sortChoices = sorts.filter(
    (sort) => (sort !== 'nearest' || hasLocation || draft.sort === sort) && (sort !== 'best' || hasWords),
  )
  return (
    <Stack gap="5">
      <RadioChips
        legend={t`Sort`}
        choices={sortChoices}
        labelOf={sortLabel}
        chosen={draft.sort}
        onChoose={(sort) => onChange({ ...draft, sort })}
      />
      <Chips
        legend={t`Show`}
        choices={typeChoices}
        labelOf={typeLabel}
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
      <PriceRange draft={draft} onChange={onChange} />
      {hasLocation || draft.near !== '' ? (
        <SelectField
          label={t`Near me`}
          options={distanceOptions()}
          value={draft.near}
          onChange={(event) => onChange({ ...draft, near: event.target.value })}
        />
      ) : (
        <p className={css.noLocation}>
          {profile && <PlaceLine me={profile} choosing={filterOfDraft(draft, hasWords)} />}
        </p>
      )}
    </Stack>
  )
}

function PriceRange({ draft, onChange }: Pick<FilterFieldsProps, 'draft' | 'onChange'>) {
  const problem = rangeProblem(draft)
  const problemId = useId()
  const invalid = problem === undefined ? {} : { 'aria-invalid': true, 'aria-describedby': problemId }
  return (
    <fieldset className={css.price}>
      <legend className={text.label}>{t`Price`}</legend>
      <TextField
        label={t`min`}
        affix={currencyAffix()}
        inputMode="numeric"
        autoComplete="off"
        value={draft.min}
        {...invalid}
        onChange={(event) => onChange({ ...draft, min: digitsOf(event.target.value) })}
      />
      <TextField
        label={t`max`}
        affix={currencyAffix()}
        inputMode="numeric"
        autoComplete="off"
        value={draft.max}
        hint={
          Number(draft.max) === defaultPriceRange.max
            ? t`${{ price: formatPrice(defaultPriceRange.max) }} and more`
            : undefined
        }
        {...invalid}
        onChange={(event) => onChange({ ...draft, max: digitsOf(event.target.value) })}
      />
      {problem !== undefined && (
        <ErrorNote id={problemId} role="alert" className={css.problem}>
          {problem}
        </ErrorNote>
      )}
    </fieldset>
  )
}

/** Leads to the form for the place. The unsaved filter is stored in the address, so that Back and the form return to it. */
function PlaceLine({ me, choosing }: { me: Profile; choosing: ListingFilter }) {
  const { options } = useRouter()
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  const returnTo = `${pathname}${options.stringifySearch({ ...search, choosing })}`

  async function leave(event: MouseEvent) {
    if (!isPlainClick(event)) return
    event.preventDefault()
    await navigate({ href: returnTo, replace: true })
    await navigate({ to: '/personal-info', search: { next: returnTo } })
  }
  return <PlaceNote me={me} next={returnTo} onClick={leave} />
}

const distanceOptions = () => [
  { value: '', label: t`anywhere` },
  ...distances().map((distance) => ({ value: String(distance), label: withinDistance(distance) })),
]

const sortLabels: Record<Sort, MessageDescriptor> = {
  newest: msg`newest`,
  oldest: msg`oldest`,
  highest: msg`highest`,
  lowest: msg`lowest`,
  nearest: msg`nearest`,
  best: msg`best`,
}
const sortLabel = (sort: Sort) => textOf(sortLabels[sort])

const typeLabels: Record<TypeName, MessageDescriptor> = {
  exchange: msg`exchange`,
  sell: msg`sell`,
  giveaway: msg`giveaway`,
}
const typeLabel = (type: TypeName) => textOf(typeLabels[type])
