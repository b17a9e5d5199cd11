import { zodResolver } from '@hookform/resolvers/zod'
import { t } from '@lingui/core/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { limits } from '#contract/constants.ts'
import { newPlace } from '#contract/trades.ts'
import { useFormDraft } from '#web/features/drafts/use-form-draft.ts'
import { useSubmit } from '#web/features/drafts/use-submit.ts'
import { profileQuery } from '#web/features/members/profile-query.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/field.tsx'
import { fieldOf } from '#web/ui/form.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { Cluster } from '#web/ui/layout.tsx'
import { setPlace } from './trade-steps.ts'

type PlaceDialogProps = { tradeId: number; place: string | null; onClose: () => void }

/** The dialog in which a giver says where a promised listing is handed over. Their street address can fill it in. */
export function PlaceDialog({ tradeId, place, onClose }: PlaceDialogProps) {
  const client = useQueryClient()
  const { data: me } = useQuery(profileQuery)
  const saved = { place: place ?? '' }
  const form = useForm({ resolver: zodResolver(newPlace), defaultValues: saved })
  const draft = useFormDraft(form, { key: `place-${tradeId}`, schema: newPlace, saved })
  const submit = useSubmit(form, {
    send: (fields) => setPlace(client, tradeId, fields.place),
    draft,
    toast: t`Place saved`,
    leave: onClose,
  })
  const address = [me?.address, me?.apt].filter(Boolean).join(', ').slice(0, limits.trade.place)
  return (
    <FormDialog
      title={t`where to meet`}
      onClose={onClose}
      form={form}
      onSubmit={submit}
      submit={{ label: t`save` }}
    >
      <TextField
        label={t`Place`}
        autoComplete="off"
        maxLength={limits.trade.place}
        hint={t`Only who gets it sees this. It is deleted 30 days after the pickup.`}
        {...fieldOf(form, 'place')}
      />
      {address !== '' && (
        <Cluster>
          <Button
            variant="secondary"
            size="small"
            onClick={() => form.setValue('place', address, { shouldDirty: true })}
          >
            {t`use my address`}
          </Button>
        </Cluster>
      )}
    </FormDialog>
  )
}
