import { zodResolver } from '@hookform/resolvers/zod'
import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { z } from 'zod/mini'
import { limits } from '#contract/constants.ts'
import { type Trade, thankForTrade } from '#contract/trades.ts'
import { showFailure } from '#web/api/form-failure.ts'
import { useFormDraft } from '#web/features/drafts/use-form-draft.ts'
import { useStoredLogin } from '#web/login/login-store.ts'
import { TextArea } from '#web/ui/field.tsx'
import { fieldOf } from '#web/ui/form.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { useToasts } from '#web/ui/toasts.ts'
import { sendThankYou } from './trade-steps.ts'
import { namesToThank } from './trade-text.ts'

const saved = { text: '' }
/** The draft. It may be longer than the field allows. */
const typed = z.object({ text: z.string() })

/** The dialog that stores the member's thank-you for a trade. */
export function ThanksDialog({ trade, onClose }: { trade: Trade; onClose: () => void }) {
  const client = useQueryClient()
  const toasts = useToasts()
  const me = useStoredLogin()?.user.id
  const form = useForm({
    resolver: zodResolver(thankForTrade.body),
    defaultValues: saved,
    reValidateMode: 'onSubmit',
  })
  const draft = useFormDraft(form, { key: `thanks-${trade.id}`, schema: typed, saved })
  const count = form.watch('text').trim().length

  async function send({ text }: { text: string }) {
    const clear = draft.submit()
    try {
      await sendThankYou(client, trade.id, text)
      clear()
      toasts.show(t`Thank-you sent`)
      onClose()
    } catch (failure) {
      showFailure(form, failure)
    }
  }
  return (
    <FormDialog
      title={t`say thank you`}
      onClose={onClose}
      form={form}
      onSubmit={send}
      submit={{ label: t`send` }}
    >
      <TextArea
        label={t`To ${{ names: namesToThank(trade, me) }}`}
        hint={t`Everyone who sees their profile can read it.`}
        counter={{ count, max: limits.trade.thanks }}
        {...fieldOf(form, 'text')}
      />
    </FormDialog>
  )
}
