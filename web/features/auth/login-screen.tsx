import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useForm } from 'react-hook-form'
import type { Credentials } from '#contract/auth.ts'
import { showFailure } from '#web/api/form-failure.ts'
import { lazyResolver } from '#web/api/lazy-resolver.ts'
import { AuthCard } from '#web/features/auth/auth-card.tsx'
import { AuthForm } from '#web/features/auth/auth-form.tsx'
import text from '#web/styles/text.module.css'
import { classNames } from '#web/ui/class-names.ts'
import { PasswordField, TextField } from '#web/ui/field.tsx'
import { fieldOf } from '#web/ui/form.tsx'
import css from './auth-form.module.css'

const fetchLogIn = () => import('#web/features/auth/log-in.ts')
const rules = lazyResolver(async () => (await fetchLogIn()).loginRules)

export function LoginScreen() {
  const client = useQueryClient()
  const { next = '/my-listings' } = useSearch({ from: '/login' })
  const navigate = useNavigate()
  const form = useForm({
    resolver: rules,
    defaultValues: { username: '', password: '' },
    reValidateMode: 'onSubmit',
  })

  async function logIn(credentials: Credentials) {
    try {
      const { logInWith } = await fetchLogIn()
      if (await logInWith(client, credentials)) await navigate({ href: next, replace: true })
      else form.setError('root', { message: 'Invalid credentials' })
    } catch (failure) {
      showFailure(form, failure)
    }
  }

  return (
    <AuthCard title="Login">
      {next.startsWith('/messages') && <p className={css.why}>Please log in to see your messages.</p>}
      <AuthForm form={form} onSubmit={form.handleSubmit(logIn)} prefetch={fetchLogIn} action="Login">
        <TextField label="Email" type="email" autoComplete="username" {...fieldOf(form, 'username')} />
        <PasswordField label="Password" autoComplete="current-password" {...fieldOf(form, 'password')} />
        <Link to="/forgot-password" className={classNames(text.link, text.standalone, css.forgot)}>
          forgot your password?
        </Link>
      </AuthForm>
    </AuthCard>
  )
}
