import { useId, useState } from 'react'
import { useForm } from 'react-hook-form'
import { deleteProfile } from '#contract/profile.ts'
import { call } from '#web/api/client.ts'
import { showFailure } from '#web/api/form-failure.ts'
import { removeLogin } from '#web/features/auth/stored-login.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { TextField } from '#web/ui/field.tsx'
import { Icon } from '#web/ui/icon.tsx'
import css from './my-data.module.css'

export function DeleteProfile() {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant="danger" size="small" onClick={() => setOpen(true)}>
        <Icon name="trash" size={20} />
        delete my profile
      </Button>
      {open && <DeleteDialog onClose={() => setOpen(false)} />}
    </>
  )
}

function DeleteDialog({ onClose }: { onClose: () => void }) {
  const formId = useId()
  const form = useForm({ defaultValues: { password: '' } })
  const { errors, isSubmitting } = form.formState

  async function remove(body: { password: string }) {
    try {
      await call(deleteProfile, { body })
      removeLogin()
      // The front page is no screen of this app: nothing that was loaded here outlives the way to it.
      location.replace('/')
    } catch (failure) {
      showFailure(form, failure, 'An error occurred')
    }
  }
  return (
    <Dialog
      open
      title="delete my profile?"
      onClose={onClose}
      actions={
        <>
          <Button variant="secondary" onClick={onClose}>
            cancel
          </Button>
          <Button type="submit" form={formId} variant="dangerSolid" busy={isSubmitting && 'Deleting...'}>
            delete
          </Button>
        </>
      }
    >
      <form
        id={formId}
        className={css.form}
        noValidate
        onSubmit={form.handleSubmit(remove)}
        onChange={() => form.clearErrors()}
      >
        {errors.root !== undefined && <Banner kind="error">{errors.root.message}</Banner>}
        <p>
          Your listings, wish list, photos and friends go with it. Messages stay with those you wrote to,
          without your name. This can not be undone.
        </p>
        <TextField
          label="Password"
          type="password"
          autoComplete="current-password"
          error={errors.password?.message}
          {...form.register('password')}
        />
      </form>
    </Dialog>
  )
}
