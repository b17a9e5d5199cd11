import { zodResolver } from '@hookform/resolvers/zod'
import { useId, useState } from 'react'
import { useForm } from 'react-hook-form'
import { type NewReport, newReport, report } from '#contract/reports.ts'
import { call } from '#web/api/client.ts'
import { showFailure } from '#web/api/form-failure.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { TextArea } from '#web/ui/field.tsx'
import { toast } from '#web/ui/toast.tsx'
import css from './report-button.module.css'

type Subject = { listing_id: number } | { user_id: number }

export function ReportButton({ about }: { about: Subject }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant="quiet" size="small" onClick={() => setOpen(true)}>
        report
      </Button>
      {open && <ReportDialog about={about} onClose={() => setOpen(false)} />}
    </>
  )
}

function ReportDialog({ about, onClose }: { about: Subject; onClose: () => void }) {
  const formId = useId()
  const form = useForm({
    resolver: zodResolver(newReport),
    defaultValues: { ...about, reason: '' },
    reValidateMode: 'onSubmit',
  })
  const { errors, isSubmitting } = form.formState

  async function send(body: NewReport) {
    try {
      const { message } = await call(report, { body })
      toast(message)
      onClose()
    } catch (failure) {
      showFailure(form, failure, 'An error occurred')
    }
  }
  return (
    <Dialog
      open
      title={'listing_id' in about ? 'report this listing' : 'report this member'}
      onClose={onClose}
      actions={
        <>
          <Button variant="secondary" onClick={onClose}>
            cancel
          </Button>
          <Button type="submit" form={formId} busy={isSubmitting && 'Sending...'}>
            send
          </Button>
        </>
      }
    >
      <form
        id={formId}
        className={css.form}
        noValidate
        onSubmit={form.handleSubmit(send)}
        onChange={() => form.clearErrors()}
      >
        {errors.root !== undefined && <Banner kind="error">{errors.root.message}</Banner>}
        <TextArea
          label="What is wrong?"
          hint="Only those who run this site read it."
          error={errors.reason?.message}
          {...form.register('reason')}
        />
      </form>
    </Dialog>
  )
}
