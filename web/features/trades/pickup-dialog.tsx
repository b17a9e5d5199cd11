import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { z } from 'zod/mini'
import { type Trade, tradeMessages } from '#contract/trades.ts'
import { ApiError, errorText } from '#web/api/api-error.ts'
import { useFormDraft } from '#web/features/drafts/use-form-draft.ts'
import { TextField } from '#web/ui/field.tsx'
import { FieldPair } from '#web/ui/field-pair.tsx'
import { fieldOf } from '#web/ui/form.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { useToasts } from '#web/ui/toasts.ts'
import { arrangePickup } from './trade-steps.ts'

const fields = z.object({ day: z.string(), from: z.string(), until: z.string() })
type Fields = z.output<typeof fields>

/** The dialog that proposes a pickup, in the time zone of the browser. */
export function PickupDialog({ trade: { id, pickup }, onClose }: { trade: Trade; onClose: () => void }) {
  const client = useQueryClient()
  const toasts = useToasts()
  const saved = fieldsOf(pickup)
  const form = useForm<Fields>({ defaultValues: saved })
  const draft = useFormDraft(form, { key: `pickup-${id}`, schema: fields, saved })

  async function propose({ day, from, until }: Fields) {
    const starts = new Date(`${day}T${from}`)
    const ends = new Date(`${day}T${until}`)
    const mistake = validationErrorIn({ day, from, until }, starts, ends)
    if (mistake !== undefined) {
      form.setError(mistake.field, { message: mistake.message }, { shouldFocus: true })
      return
    }
    const clear = draft.submit()
    try {
      await arrangePickup(client, id, { starts_at: starts.toISOString(), ends_at: ends.toISOString() })
      clear()
      toasts.show(t`Pickup proposed`)
      onClose()
    } catch (failure) {
      form.setError('root', { message: errorMessageOf(failure) })
    }
  }
  const today = localDay(new Date())
  return (
    <FormDialog
      title={t`arrange the pickup`}
      onClose={onClose}
      form={form}
      onSubmit={propose}
      submit={{ label: t`propose` }}
    >
      <TextField label={t`Day`} type="date" min={today} {...fieldOf(form, 'day')} />
      <FieldPair wide>
        <TextField label={t`From`} type="time" {...fieldOf(form, 'from')} />
        <TextField label={t`Until`} type="time" {...fieldOf(form, 'until')} />
      </FieldPair>
    </FormDialog>
  )
}

function validationErrorIn(
  values: Fields,
  starts: Date,
  ends: Date,
): { field: keyof Fields; message: string } | undefined {
  const field = (['day', 'from', 'until'] as const).find((name) => values[name] === '')
  if (field !== undefined) return { field, message: tradeMessages.pickupTime }
  if (starts.getTime() < Date.now()) return { field: 'day', message: tradeMessages.pickupPast }
  if (ends <= starts) return { field: 'until', message: tradeMessages.pickupOrder }
  return undefined
}

function errorMessageOf(failure: unknown): string {
  const [first] = failure instanceof ApiError ? failure.errors : []
  return first?.message ?? errorText(failure)
}

function fieldsOf(pickup: Trade['pickup']): Fields {
  if (pickup === null) return { day: '', from: '10:00', until: '11:00' }
  const [starts, ends] = [new Date(pickup.starts_at), new Date(pickup.ends_at)]
  return { day: localDay(starts), from: localTime(starts), until: localTime(ends) }
}

function localDay(date: Date): string {
  const two = (part: number) => String(part).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

function localTime(date: Date): string {
  return date.toTimeString().slice(0, 5)
}
