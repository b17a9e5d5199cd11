import { zodResolver } from '@hookform/resolvers/zod'
import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { newReport, report } from '#contract/reports.ts'
import { call } from '#web/api/client.ts'
import { useFormDraft } from '#web/features/drafts/use-form-draft.ts'
import { useSubmit } from '#web/features/drafts/use-submit.ts'
import { TextArea } from '#web/ui/field.tsx'
import { fieldOf } from '#web/ui/form.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'

/** The subject of a report, by its id. */
export type ReportSubject =
  | { listing_id: number }
  | { user_id: number }
  | { message_id: number }
  | { thanks_id: number }

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
  const saved = { ...about, reason: '' }
  const form = useForm({
    resolver: zodResolver(newReport),
    defaultValues: saved,
    reValidateMode: 'onSubmit',
  })
  const key = `report-${Object.entries(about).flat().join('-')}`
  const draft = useFormDraft(form, { key, schema: newReport, saved })
  const { title, hint } = textsFor(about)
  const submit = useSubmit(form, {
    send: (body) => call(client, report, { body }),
    draft,
    toast: ({ message }) => message,
    leave: onClose,
  })
  return (
    <FormDialog title={title} onClose={onClose} form={form} onSubmit={submit} submit={{ label: t`send` }}>
      <TextArea label={t`What is wrong?`} hint={hint} {...fieldOf(form, 'reason')} />
    </FormDialog>
  )
}
