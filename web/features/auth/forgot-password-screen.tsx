import { zodResolver } from '@hookform/resolvers/zod'
import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { authMessages, passwordResetRequest, requestPasswordReset } from '#contract/auth.ts'
import { ApiError } from '#web/api/api-error.ts'
import { call } from '#web/api/client.ts'
import { AuthForm } from '#web/features/auth/auth-form.tsx'
import { useSubmit } from '#web/features/drafts/use-submit.ts'
import { translateMessage } from '#web/i18n/translate-message.ts'
import layout from '#web/styles/layout.module.css'
import text from '#web/styles/text.module.css'
import { AuthLayout } from '#web/ui/auth-layout.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { TextField } from '#web/ui/field.tsx'
import { fieldOf } from '#web/ui/form.tsx'
import { PageHead } from '#web/ui/page.tsx'

export function ForgotPasswordScreen() {
  const client = useQueryClient()
  const [note, setNote] = useState<string>()
  const form = useForm({
    resolver: zodResolver(passwordResetRequest),
    defaultValues: { email: '' },
    reValidateMode: 'onSubmit',
  })
  const submit = useSubmit(form, {
    send(body) {
      // The message is the same for every address, so it does not wait for the response.
      setNote(authMessages.resetRequested)
      return call(client, requestPasswordReset, { body }).catch((failure) => {
        const isNote = failure instanceof ApiError && failure.isMessage
        setNote(isNote ? failure.detail : undefined)
        if (!isNote || failure.detail === undefined) throw failure
      })
    },
  })

  return (
    <AuthLayout>
      <PageHead title={t`forgot password`} />
      <AuthForm form={form} onSubmit={submit} action={t`Reset Password`} busy={t`Sending...`}>
        {note !== undefined && form.formState.errors.email === undefined && (
          <Banner kind="success">{translateMessage(note)}</Banner>
        )}
        <TextField label={t`Email`} type="email" autoComplete="username" {...fieldOf(form, 'email')} />
      </AuthForm>
      <p className={classNames(text.centered, layout.above2)}>
        <Link to="/login" className={classNames(text.link, text.standalone)}>
          {t`Remembered your password?`}
        </Link>
      </p>
    </AuthLayout>
  )
}
