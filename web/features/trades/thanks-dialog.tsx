import { zodResolver } from '@hookform/resolvers/zod'
import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { limits } from '#contract/constants.ts'
import { newThankYou, type Trade } from '#contract/trades.ts'
import { useFormDraft } from '#web/features/drafts/use-form-draft.ts'
import { useSubmit } from '#web/features/drafts/use-submit.ts'
import { useStoredLogin } from '#web/login/login-store.ts'
import { TextArea } from '#web/ui/field.tsx'
import { fieldOf } from '#web/ui/form.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { sendThankYou } from './trade-steps.ts'
import { namesToThank } from './trade-text.ts'

const saved = { text: '' }

/** The dialog that stores the member's thank-you for a trade. */
export function ThanksDialog({ trade, onClose }: { trade: Trade; onClose: () => void }) {
  const client = useQueryClient()
  const me = useStoredLogin()?.user.id
  const form = useForm({
    resolver: zodResolver(newThankYou),
    defaultValues: saved,
    reValidateMode: 'onSubmit',
  })
  const draft = useFormDraft(form, { key: `thanks-${trade.id}`, schema: newThankYou, saved })
  const count = form.watch('text').trim().length
  const submit = useSubmit(form, {
    send: ({ text }) => sendThankYou(client, trade.id, text),
    draft,
    toast: t`Thank-you sent`,
    leave: onClose,
  })
  return (
    <FormDialog
      title={t`say thank you`}
      onClose={onClose}
      form={form}
      onSubmit={submit}
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
