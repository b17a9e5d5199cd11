import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { deleteProfile } from '#contract/profile.ts'
import { call } from '#web/api/client.ts'
import { useAppContext } from '#web/context/app-context.ts'
import { useSubmit } from '#web/features/drafts/use-submit.ts'
import { Button } from '#web/ui/button.tsx'
import { PasswordField } from '#web/ui/field.tsx'
import { fieldOf } from '#web/ui/form.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { Icon } from '#web/ui/icon.tsx'

/** A button that deletes the profile after the password is confirmed. */
export function DeleteProfile() {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant="danger" size="small" onClick={() => setOpen(true)}>
        <Icon name="trash" size={20} />
        {t`delete my profile`}
      </Button>
      {open && <DeleteDialog onClose={() => setOpen(false)} />}
    </>
  )
}

function DeleteDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient()
  const { login } = useAppContext()
  const form = useForm({ defaultValues: { password: '' } })
  const submit = useSubmit(form, {
    async send(body) {
      await call(client, deleteProfile, { body })
      login.remove()
      // Loads a new document, which discards all data of the app.
      location.replace('/goodbye')
    },
  })
  return (
    <FormDialog
      title={t`delete my profile?`}
      onClose={onClose}
      form={form}
      onSubmit={submit}
      submit={{ label: t`delete`, variant: 'dangerSolid', busy: t`Deleting...` }}
    >
      <p>
        {t`Your listings, wish list, photos and friends go with it. Messages stay with those you wrote to, without your name. This can not be undone.`}
      </p>
      <PasswordField label={t`Password`} autoComplete="current-password" {...fieldOf(form, 'password')} />
    </FormDialog>
  )
}
