import { zodResolver } from '@hookform/resolvers/zod'
import { useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { type NewReport, newReport, report } from '#contract/reports.ts'
import { call } from '#web/api/client.ts'
import { showFailure } from '#web/api/form-failure.ts'
import { TextArea } from '#web/ui/field.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { useToasts } from '#web/ui/toasts.ts'

export type Subject = { listing_id: number } | { user_id: number }

export function ReportDialog({ about, onClose }: { about: Subject; onClose: () => void }) {
  const client = useQueryClient()
  const toasts = useToasts()
  const form = useForm({
    resolver: zodResolver(newReport),
    defaultValues: { ...about, reason: '' },
    reValidateMode: 'onSubmit',
  })
  const { errors, isSubmitting } = form.formState

  async function send(body: NewReport) {
    try {
      const { message } = await call(client, report, { body })
      toasts.show(message)
      onClose()
    } catch (failure) {
      showFailure(form, failure, 'An error occurred')
    }
  }
  return (
    <FormDialog
      title={'listing_id' in about ? 'report this listing' : 'report this member'}
      onClose={onClose}
      onSubmit={form.handleSubmit(send)}
      onChange={() => form.clearErrors()}
      error={errors.root?.message}
      submit={{ label: 'send', busy: isSubmitting && 'Sending...' }}
    >
      <TextArea
        label="What is wrong?"
        hint="Only those who run this site read it."
        error={errors.reason?.message}
        {...form.register('reason')}
      />
    </FormDialog>
  )
}
