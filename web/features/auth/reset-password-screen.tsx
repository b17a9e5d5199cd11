import { zodResolver } from '@hookform/resolvers/zod'
import { t } from '@lingui/core/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'
import { getResetAccount, passwordReset, resetPassword } from '#contract/auth.ts'
import { limits, resetRedirectMs } from '#contract/constants.ts'
import { ApiError, errorText } from '#web/api/api-error.ts'
import { call } from '#web/api/client.ts'
import { endpointQuery } from '#web/api/endpoint-query.ts'
import { AuthForm } from '#web/features/auth/auth-form.tsx'
import { useSubmit } from '#web/features/drafts/use-submit.ts'
import { translateMessage } from '#web/i18n/translate-message.ts'
import layout from '#web/styles/layout.module.css'
import text from '#web/styles/text.module.css'
import { AuthLayout } from '#web/ui/auth-layout.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { PasswordField } from '#web/ui/field.tsx'
import { fieldOf } from '#web/ui/form.tsx'
import { HiddenUsername } from '#web/ui/hidden-username.tsx'
import { Stack } from '#web/ui/layout.tsx'
import { PageHead } from '#web/ui/page.tsx'

export function ResetPasswordScreen() {
  const { token } = useSearch({ from: '/reset-password' })
  const [successMessage, setSuccessMessage] = useState<string>()
  return (
    <AuthLayout>
      <PageHead title={t`new password`} />
      {token === undefined && <NoToken />}
      {token !== undefined && successMessage === undefined && (
        <ResetForm token={token} onSuccess={setSuccessMessage} />
      )}
      {successMessage !== undefined && <Success message={successMessage} />}
    </AuthLayout>
  )
}

function NoToken() {
  return (
    <Stack className={layout.above5}>
      <Banner kind="error">{t`Invalid or missing reset token`}</Banner>
      <p>{t`Please request a new password reset link.`}</p>
      <ButtonLink to="/forgot-password" wide>
        {t`Go to Forgot Password`}
      </ButtonLink>
    </Stack>
  )
}

function ResetForm({ token, onSuccess }: { token: string; onSuccess: (message: string) => void }) {
  const client = useQueryClient()
  const { data: account } = useQuery(endpointQuery(['reset', token], getResetAccount, { body: { token } }))
  const form = useForm({
    resolver: zodResolver(passwordReset),
    defaultValues: { token, new_password: '', confirm_password: '' },
    reValidateMode: 'onSubmit',
  })
  const { errors } = form.formState
  const [hasEnded, setEnded] = useState(false)
  const submit = useSubmit(form, {
    send: (body) => call(client, resetPassword, { body }),
    leave: ({ message }) => onSuccess(message),
    failure: {
      text(failure) {
        const isAnswer = failure instanceof ApiError
        // Only a link that does not work any more is a bad request.
        setEnded(isAnswer && failure.status === 400)
        return errorText(failure, isAnswer ? t`An unknown error occurred.` : t`An unexpected error occurred.`)
      },
    },
  })

  return (
    <AuthForm form={form} onSubmit={submit} action={t`Reset Password`} busy={t`Resetting...`}>
      {errors.token !== undefined && (
        <Banner kind="error">{translateMessage(errors.token.message ?? '')}</Banner>
      )}
      {hasEnded && (
        <Link to="/forgot-password" className={classNames(text.link, text.standalone)}>
          {t`Request a new link`}
        </Link>
      )}
      <HiddenUsername value={account?.email ?? ''} />
      <PasswordField
        label={t`New password`}
        autoComplete="new-password"
        hint={t`At least ${{ min: limits.password.min }} characters`}
        {...fieldOf(form, 'new_password')}
      />
      <PasswordField
        label={t`Confirm new password`}
        autoComplete="new-password"
        {...fieldOf(form, 'confirm_password')}
      />
    </AuthForm>
  )
}

/** Shows the message for two seconds, then the login, which replaces the address with the token. */
function Success({ message }: { message: string }) {
  const navigate = useNavigate()
  useEffect(() => {
    const timer = setTimeout(() => void navigate({ to: '/login', replace: true }), resetRedirectMs)
    return () => clearTimeout(timer)
  }, [navigate])
  return (
    <Stack className={layout.above5}>
      <Banner kind="success">{translateMessage(message)}</Banner>
      <ButtonLink to="/login" replace wide>
        {t`Login`}
      </ButtonLink>
    </Stack>
  )
}
