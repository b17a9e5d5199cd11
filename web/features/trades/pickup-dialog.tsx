import { zodResolver } from '@hookform/resolvers/zod'
import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { z } from 'zod/mini'
import { type Trade, tradeMessages } from '#contract/trades.ts'
import { useFormDraft } from '#web/features/drafts/use-form-draft.ts'
import { useSubmit } from '#web/features/drafts/use-submit.ts'
import { TextField } from '#web/ui/field.tsx'
import { fieldOf } from '#web/ui/form.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { Grid } from '#web/ui/layout.tsx'
import { arrangePickup } from './trade-steps.ts'

const needed = z.string().check(z.minLength(1, tradeMessages.pickupTime))
const pickupForm = z.object({ day: needed, from: needed, until: needed }).check(
  z.refine((fields) => startOf(fields).getTime() >= Date.now(), {
    path: ['day'],
    message: tradeMessages.pickupPast,
  }),
  z.refine((fields) => endOf(fields) > startOf(fields), {
    path: ['until'],
    message: tradeMessages.pickupOrder,
  }),
)
type Fields = z.output<typeof pickupForm>

/** The dialog that proposes a pickup, in the time zone of the browser. */
export function PickupDialog({ trade: { id, pickup }, onClose }: { trade: Trade; onClose: () => void }) {
  const client = useQueryClient()
  const saved = fieldsOf(pickup)
  const form = useForm({ resolver: zodResolver(pickupForm), defaultValues: saved })
  const draft = useFormDraft(form, { key: `pickup-${id}`, schema: pickupForm, saved })
  const submit = useSubmit(form, {
    send: (fields) =>
      arrangePickup(client, id, {
        starts_at: startOf(fields).toISOString(),
        ends_at: endOf(fields).toISOString(),
      }),
    draft,
    toast: t`Pickup proposed`,
    leave: onClose,
    failure: { places: { starts_at: 'day', ends_at: 'until' } },
  })
  const today = localDay(new Date())
  return (
    <FormDialog
      title={t`arrange the pickup`}
      onClose={onClose}
      form={form}
      onSubmit={submit}
      submit={{ label: t`propose` }}
    >
      <TextField label={t`Day`} type="date" required min={today} {...fieldOf(form, 'day')} />
      <Grid columns="9rem" gap="3">
        <TextField label={t`From`} type="time" required {...fieldOf(form, 'from')} />
        <TextField label={t`Until`} type="time" required {...fieldOf(form, 'until')} />
      </Grid>
    </FormDialog>
  )
}

function startOf({ day, from }: Fields) {
  return new Date(`${day}T${from}`)
}

function endOf({ day, until }: Fields) {
  return new Date(`${day}T${until}`)
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
