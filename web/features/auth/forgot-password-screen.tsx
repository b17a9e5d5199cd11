import { zodResolver } from '@hookform/resolvers/zod'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import type { z } from 'zod/mini'
import { authMessages, passwordResetRequest, requestPasswordReset } from '#contract/auth.ts'
import { ApiError } from '#web/api/api-error.ts'
import { call } from '#web/api/client.ts'
import { showFailure } from '#web/api/form-failure.ts'
import { AuthForm } from '#web/features/auth/auth-form.tsx'
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

  async function send(body: z.output<typeof passwordResetRequest>) {
    // The message is the same for every address, so it does not wait for the response.
    setNote(authMessages.resetRequested)
    try {
      await call(client, requestPasswordReset, { body })
    } catch (failure) {
      if (failure instanceof ApiError && failure.isMessage && failure.detail !== undefined) {
        setNote(failure.detail)
      } else {
        setNote(undefined)
        showFailure(form, failure)
      }
    }
  }

  return (
    <AuthLayout>
      <PageHead title="forgot password" />
      <AuthForm
        form={form}
        onSubmit={form.handleSubmit(send, () => setNote(undefined))}
        action="Reset Password"
        busy="Sending..."
      >
        {note !== undefined && <Banner kind="success">{note}</Banner>}
        <TextField label="Email" type="email" autoComplete="username" {...fieldOf(form, 'email')} />
      </AuthForm>
      <p className={classNames(text.centered, layout.above2)}>
        <Link to="/login" className={classNames(text.link, text.standalone)}>
          Remembered your password?
        </Link>
      </p>
    </AuthLayout>
  )
}
