import { zodResolver } from '@hookform/resolvers/zod'
import { useQueryClient } from '@tanstack/react-query'
import type { FormEventHandler } from 'react'
import { type UseFormReturn, useForm } from 'react-hook-form'
import type { z } from 'zod/mini'
import { passwordForm } from '#contract/profile.ts'
import { showFailure } from '#web/api/form-failure.ts'
import layout from '#web/styles/layout.module.css'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { PasswordField } from '#web/ui/field.tsx'
import { Form, fieldOf } from '#web/ui/form.tsx'
import { GroupHead } from '#web/ui/group-head.tsx'
import { useToasts } from '#web/ui/toasts.ts'
import css from './profile-section.module.css'
import { sendChanges } from './save-profile.ts'

type Fields = z.output<typeof passwordForm>

const empty: Fields = { password: '', confirm_password: '', current_password: '' }

interface NewPassword {
  readonly form: UseFormReturn<Fields>
  readonly isTyped: boolean
  /** Changes the password. Returns whether it was changed. The form shows the errors. */
  readonly save: () => Promise<boolean>
}

/** Holds the form of a new password. It has no draft. */
export function useNewPassword(): NewPassword {
  const client = useQueryClient()
  const form = useForm({
    resolver: zodResolver(passwordForm),
    defaultValues: empty,
    reValidateMode: 'onSubmit',
  })
  const { password } = form.watch()

  async function send({ password, current_password }: Fields) {
    try {
      await sendChanges(client, { password, ...(current_password !== '' && { current_password }) })
      form.reset(empty)
      return true
    } catch (failure) {
      showFailure(form, failure, 'Failed to update profile')
      return false
    }
  }
  return {
    form,
    isTyped: password !== '',
    async save() {
      let isSaved = false
      await form.handleSubmit(async (fields) => {
        isSaved = await send(fields)
      })()
      return isSaved
    },
  }
}

export function PasswordForm({ form, isTyped, save }: NewPassword) {
  const toasts = useToasts()
  const { isSubmitting } = form.formState
  const submit: FormEventHandler = async (event) => {
    event.preventDefault()
    if (await save()) toasts.show('Password changed')
  }
  return (
    <section className={css.section} aria-labelledby="new-password">
      <GroupHead id="new-password" icon="lock" title="password" />
      <Form form={form} className={classNames(layout.stack, layout.above4)} onSubmit={submit}>
        <div className={classNames(layout.stack, css.fields)}>
          <PasswordField
            label="Password"
            autoComplete="new-password"
            placeholder="Leave blank to keep the current one"
            {...fieldOf(form, 'password')}
          />
          <PasswordField
            label="Confirm password"
            autoComplete="new-password"
            {...fieldOf(form, 'confirm_password')}
          />
          {isTyped && (
            <PasswordField
              label="Current password"
              autoComplete="current-password"
              {...fieldOf(form, 'current_password')}
            />
          )}
        </div>
        <div>
          <Button
            type="submit"
            variant="secondary"
            size="small"
            // Not `disabled`, so that the button keeps the focus after saving.
            aria-disabled={!isTyped}
            busy={isSubmitting && 'Saving...'}
          >
            change password
          </Button>
        </div>
      </Form>
    </section>
  )
}
