import { t } from '@lingui/core/macro'
import { limits } from '#contract/constants.ts'
import { readNumber } from '#web/i18n/read-number.ts'
import { TextField } from '#web/ui/field.tsx'
import { fieldOf } from '#web/ui/form.tsx'
import { Grid } from '#web/ui/layout.tsx'
import { NumberField } from '#web/ui/number-field.tsx'
import type { ListingForm } from './listing-values.ts'

type QuantityFieldsProps = { form: ListingForm }

/** Fields for how many of which unit a listing offers. Left empty, it is given as a whole. */
export function QuantityFields({ form }: QuantityFieldsProps) {
  return (
    <Grid columns={2} align="start">
      <NumberField
        label={t`How many`}
        optional
        read={readNumber}
        inputMode="numeric"
        min={limits.quantity.min}
        max={limits.quantity.max}
        step={1}
        {...fieldOf(form, 'quantity')}
      />
      <TextField
        label={t`Unit`}
        optional
        autoComplete="off"
        hint={t`For example bunches, lb or starts`}
        {...fieldOf(form, 'unit', { setValueAs: textOrNull })}
      />
    </Grid>
  )
}

function textOrNull(typed: unknown): string | null {
  return typeof typed === 'string' && typed.trim() !== '' ? typed : null
}
