import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { categories, categoryName, defaultDays, limits } from '#contract/constants.ts'
import type { Listing } from '#contract/listings.ts'
import { endAfter } from '#web/features/listings/end-time.ts'
import { readNumber } from '#web/i18n/read-number.ts'
import { fieldOf } from '#web/ui/form.tsx'
import { NumberField } from '#web/ui/number-field.tsx'
import { dayOf, Time } from '#web/ui/time.tsx'
import { type ListingForm, readOptional } from './listing-values.ts'

type DaysFieldProps = {
  form: ListingForm
  /** The end of an existing listing. An empty field keeps it. */
  end: Pick<Listing, 'expires_at' | 'is_expired'> | undefined
}

/** A field for the number of days until a listing ends, with the resulting date. */
export function DaysField({ form, end }: DaysFieldProps) {
  const { watch } = form
  const category = watch('category_id')
  const categoryId = Object.values(categories).find((id) => id === Number(category))
  const usualDays = defaultDays[categoryName(categoryId ?? null)]
  const days = readOptional(watch('days'))
  return (
    <NumberField
      label={t`Days listed`}
      read={readNumber}
      inputMode="numeric"
      min={limits.days.min}
      max={limits.days.max}
      step={1}
      placeholder={end === undefined ? String(usualDays) : undefined}
      hint={
        days === undefined && end !== undefined ? (
          <CurrentEnd {...end} />
        ) : (
          <ChosenEnd days={days ?? usualDays} />
        )
      }
      {...fieldOf(form, 'days')}
    />
  )
}

function CurrentEnd({ expires_at, is_expired }: NonNullable<DaysFieldProps['end']>) {
  return is_expired ? (
    <Trans>
      Ended on <Time isDay at={expires_at} format={dayOf} />
    </Trans>
  ) : (
    <Trans>
      Until <Time isDay at={expires_at} format={dayOf} />
    </Trans>
  )
}

/** Shows nothing if the days are not allowed. */
function ChosenEnd({ days }: { days: number }) {
  const end = endAfter(days)
  return (
    end && (
      <Trans>
        Until <Time isDay at={end} format={dayOf} />
      </Trans>
    )
  )
}
