import { zodResolver } from '@hookform/resolvers/zod'
import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import type { FormEventHandler } from 'react'
import { useForm } from 'react-hook-form'
import { passwordForm } from '#contract/profile.ts'
import { useSubmit } from '#web/features/drafts/use-submit.ts'
import layout from '#web/styles/layout.module.css'
import { Button } from '#web/ui/button.tsx'
import { PasswordField } from '#web/ui/field.tsx'
import { Form, fieldOf } from '#web/ui/form.tsx'
import { GroupHead } from '#web/ui/group-head.tsx'
import { HiddenUsername } from '#web/ui/hidden-username.tsx'
import { Stack } from '#web/ui/layout.tsx'
import { useToasts } from '#web/ui/toasts.ts'
import css from './profile-section.module.css'
import { sendChanges } from './save-profile.ts'

const empty = { password: '', confirm_password: '', current_password: '' }

/** Thrown when the password was not changed. Its form shows why. */
export class PasswordNotSaved extends Error {
  override readonly name = 'PasswordNotSaved'
}

type NewPassword = ReturnType<typeof useNewPassword>

/** Holds the form of a new password. It has no draft. */
export function useNewPassword() {
  const client = useQueryClient()
  const form = useForm({
    resolver: zodResolver(passwordForm),
    defaultValues: empty,
    reValidateMode: 'onSubmit',
  })
  const submit = useSubmit(form, {
    async send({ password, current_password }) {
      await sendChanges(client, { password, ...(current_password !== '' && { current_password }) })
      form.reset(empty)
    },
    failure: { text: t`Failed to update profile` },
  })
  return {
    form,
    isTyped: form.watch('password') !== '',
    /** Changes the password. Throws if the form shows an error. */
    async save() {
      await submit()
      if (form.getValues('password') !== '') throw new PasswordNotSaved()
    },
  }
}

export function PasswordForm({ email, form, isTyped, save }: NewPassword & { email: string }) {
  const toasts = useToasts()
  const { isSubmitting } = form.formState
  const submit: FormEventHandler = async (event) => {
    event.preventDefault()
    await save().then(
      () => toasts.show(t`Password changed`),
      () => undefined,
    )
  }
  return (
    <section className={css.section} aria-labelledby="new-password">
      <GroupHead id="new-password" icon="lock" title={t`password`} />
      <Form form={form} className={layout.above4} onSubmit={submit}>
        <HiddenUsername value={email} />
        <Stack className={css.fields}>
          <PasswordField
            label={t`Password`}
            autoComplete="new-password"
            placeholder={t`Leave blank to keep the current one`}
            {...fieldOf(form, 'password')}
          />
          <PasswordField
            label={t`Confirm password`}
            autoComplete="new-password"
            {...fieldOf(form, 'confirm_password')}
          />
          {isTyped && (
            <PasswordField
              label={t`Current password`}
              autoComplete="current-password"
              {...fieldOf(form, 'current_password')}
            />
          )}
        </Stack>
        <div>
          <Button
            type="submit"
            variant="secondary"
            size="small"
            // Not `disabled`, so that the button keeps the focus after saving.
            aria-disabled={!isTyped}
            busy={isSubmitting && t`Saving...`}
          >
            {t`change password`}
          </Button>
        </div>
      </Form>
    </section>
  )
}
