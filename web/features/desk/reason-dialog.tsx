import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useForm } from 'react-hook-form'
import { useAppContext } from '#web/context/app-context.ts'
import { useSubmit } from '#web/features/drafts/use-submit.ts'
import { announce } from '#web/ui/announcements.ts'
import { TextArea } from '#web/ui/field.tsx'
import { fieldOf } from '#web/ui/form.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { refreshDesk } from './desk-queries.ts'
import { reasonRules } from './reason-rules.ts'

interface ReasonDialogProps {
  title: string
  /** The label of the button. */
  label: string
  /** Says who reads the reason. */
  hint?: string
  /** Announces the success. */
  done: string
  send: (body: { reason: string }) => Promise<unknown>
  onClose: () => void
  children?: ReactNode
}

/** Asks for the reason of an action of the desk, and does it. */
export function ReasonDialog({ title, label, hint, done, send, onClose, children }: ReasonDialogProps) {
  const client = useQueryClient()
  const { announcement } = useAppContext()
  const form = useForm({ defaultValues: { reason: '' }, reValidateMode: 'onSubmit' })
  const submit = useSubmit(form, {
    async send(body) {
      try {
        await send(body)
      } finally {
        void refreshDesk(client)
      }
    },
    leave() {
      announce(announcement, done)
      onClose()
    },
  })
  return (
    <FormDialog title={title} onClose={onClose} form={form} onSubmit={submit} submit={{ label }}>
      {children}
      <TextArea label={t`Reason`} hint={hint} {...fieldOf(form, 'reason', reasonRules)} />
    </FormDialog>
  )
}
