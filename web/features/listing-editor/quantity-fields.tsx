import { t } from '@lingui/core/macro'
import type { UseFormReturn } from 'react-hook-form'
import type { z } from 'zod/mini'
import { limits } from '#contract/constants.ts'
import type { WholeListing, wholeListing } from '#contract/listings.ts'
import { TextField } from '#web/ui/field.tsx'
import { fieldOf } from '#web/ui/form.tsx'
import { Grid } from '#web/ui/layout.tsx'
import { NumberField } from '#web/ui/number-field.tsx'

type QuantityFieldsProps = { form: UseFormReturn<z.input<typeof wholeListing>, unknown, WholeListing> }

/** Fields for how many of which unit a listing offers. Left empty, it is given as a whole. */
export function QuantityFields({ form }: QuantityFieldsProps) {
  return (
    <Grid columns={2} align="start">
      <NumberField
        label={t`How many`}
        optional
        inputMode="numeric"
        min={limits.quantity.min}
        max={limits.quantity.max}
        step={1}
        {...fieldOf(form, 'quantity', { setValueAs: numberOrNull })}
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

function numberOrNull(typed: unknown): number | null {
  return typed === null || typed === undefined || typed === '' ? null : Number(typed)
}

function textOrNull(typed: unknown): string | null {
  return typeof typed === 'string' && typed.trim() !== '' ? typed : null
}
