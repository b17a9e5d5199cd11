import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { type ComponentProps, useState } from 'react'
import { useForm } from 'react-hook-form'
import { lazyResolver } from '#web/api/lazy-resolver.ts'
import { AuthCard } from '#web/features/auth/auth-card.tsx'
import { AuthForm } from '#web/features/auth/auth-form.tsx'
import { useSubmit } from '#web/features/drafts/use-submit.ts'
import text from '#web/styles/text.module.css'
import { classNames } from '#web/ui/class-names.ts'
import { PasswordField, TextField } from '#web/ui/field.tsx'
import { fieldOf } from '#web/ui/form.tsx'
import { lazyExport } from '#web/ui/lazy-export.tsx'
import css from './auth-form.module.css'

const fetchLogIn = () => import('#web/features/auth/log-in.ts')
const SuspensionNote = lazyExport(() => import('./suspension-note.tsx'), 'SuspensionNote')
const rules = lazyResolver(async () => (await fetchLogIn()).loginRules)

export function LoginScreen() {
  const client = useQueryClient()
  const { next = '/my-listings' } = useSearch({ from: '/login' })
  const navigate = useNavigate()
  const [suspended, setSuspended] = useState<ComponentProps<typeof SuspensionNote>>()
  const form = useForm({
    resolver: rules,
    defaultValues: { username: '', password: '' },
    reValidateMode: 'onSubmit',
  })
  const submit = useSubmit(form, {
    async send(credentials) {
      const { logInWith, suspensionOf } = await fetchLogIn()
      setSuspended(undefined)
      try {
        const reloadDocument = await logInWith(client, credentials)
        await navigate({ href: next, replace: true, reloadDocument })
      } catch (failure) {
        setSuspended(await suspensionOf(client, failure, credentials))
        throw failure
      }
    },
  })

  return (
    <AuthCard title={t`Login`}>
      {next.startsWith('/messages') && <p className={css.why}>{t`Please log in to see your messages.`}</p>}
      <AuthForm form={form} onSubmit={submit} prefetch={fetchLogIn} action={t`Login`}>
        <TextField label={t`Email`} type="email" autoComplete="username" {...fieldOf(form, 'username')} />
        <PasswordField label={t`Password`} autoComplete="current-password" {...fieldOf(form, 'password')} />
        <Link to="/forgot-password" className={classNames(text.link, text.standalone, css.forgot)}>
          {t`forgot your password?`}
        </Link>
      </AuthForm>
      {suspended && <SuspensionNote {...suspended} />}
    </AuthCard>
  )
}
