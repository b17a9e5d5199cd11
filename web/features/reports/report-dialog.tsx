import { zodResolver } from '@hookform/resolvers/zod'
import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { z } from 'zod/mini'
import { type NewReport, newReport, report } from '#contract/reports.ts'
import { call } from '#web/api/client.ts'
import { showFailure } from '#web/api/form-failure.ts'
import { useFormDraft } from '#web/features/drafts/use-form-draft.ts'
import { TextArea } from '#web/ui/field.tsx'
import { fieldOf } from '#web/ui/form.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { useToasts } from '#web/ui/toasts.ts'

/** The subject of a report, by its id. */
export type ReportSubject =
  | { listing_id: number }
  | { user_id: number }
  | { message_id: number }
  | { thanks_id: number }

/** The draft. It may be longer than the field allows. */
const typed = z.object({ reason: z.string() })

function textsFor(about: ReportSubject) {
  const hint = t`Only those who run this site read it.`
  if ('listing_id' in about) return { title: t`report this listing`, hint }
  if ('user_id' in about) return { title: t`report this member`, hint }
  if ('thanks_id' in about) return { title: t`report this thank-you`, hint }
  return {
    title: t`report this message`,
    hint: t`Only those who run this site read it. The message goes along with it.`,
  }
}

export function ReportDialog({ about, onClose }: { about: ReportSubject; onClose: () => void }) {
  const client = useQueryClient()
  const toasts = useToasts()
  const saved = { ...about, reason: '' }
  const form = useForm({
    resolver: zodResolver(newReport),
    defaultValues: saved,
    reValidateMode: 'onSubmit',
  })
  const key = `report-${Object.entries(about).flat().join('-')}`
  const draft = useFormDraft(form, { key, schema: typed, saved })
  const { title, hint } = textsFor(about)

  async function send(body: NewReport) {
    const clear = draft.submit()
    try {
      const { message } = await call(client, report, { body })
      clear()
      toasts.show(message)
      onClose()
    } catch (failure) {
      showFailure(form, failure)
    }
  }
  return (
    <FormDialog title={title} onClose={onClose} form={form} onSubmit={send} submit={{ label: t`send` }}>
      <TextArea label={t`What is wrong?`} hint={hint} {...fieldOf(form, 'reason')} />
    </FormDialog>
  )
}
