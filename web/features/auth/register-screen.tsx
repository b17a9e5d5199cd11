import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { type UseFormReturn, useForm } from 'react-hook-form'
import { limits } from '#contract/constants.ts'
import { lazyResolver } from '#web/api/lazy-resolver.ts'
import { AuthCard } from '#web/features/auth/auth-card.tsx'
import { AuthForm } from '#web/features/auth/auth-form.tsx'
import { useRegistrationNotice } from '#web/features/auth/registration-texts.ts'
import { useSubmit } from '#web/features/drafts/use-submit.ts'
import layout from '#web/styles/layout.module.css'
import text from '#web/styles/text.module.css'
import { classNames } from '#web/ui/class-names.ts'
import { PasswordField, TextField } from '#web/ui/field.tsx'
import { fieldOf } from '#web/ui/form.tsx'
import { Grid } from '#web/ui/layout.tsx'
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx'

const fetchBecomeMember = () => import('#web/features/auth/become-member.ts')
const rules = lazyResolver(async () => (await fetchBecomeMember()).registerRules)

const empty = { first_name: '', last_name: '', username: '', email: '', password: '', confirm_password: '' }

const route = getRouteApi('/register')

export function RegisterScreen() {
  const { needsInvitation } = route.useLoaderData()
  const notice = useRegistrationNotice(!needsInvitation)
  const [isWaiting, setWaiting] = useState(false)
  return (
    <AuthCard title={t`Register`}>
      {notice && !isWaiting && <p className={layout.above5}>{notice}</p>}
      {!needsInvitation && !isWaiting && <RegisterForm onWaiting={() => setWaiting(true)} />}
      <p className={classNames(isWaiting && layout.above5)} role="status">
        {isWaiting && t`Thank you. A volunteer looks at your registration, and then we send you a mail.`}
      </p>
    </AuthCard>
  )
}

function RegisterForm({ onWaiting }: { onWaiting: () => void }) {
  const client = useQueryClient()
  const { next, invitation } = route.useSearch()
  const navigate = useNavigate()
  const form = useForm({ resolver: rules, defaultValues: empty, reValidateMode: 'onSubmit' })
  const submit = useSubmit(form, {
    async send(member) {
      const { becomeMember } = await fetchBecomeMember()
      if (await becomeMember(client, member, invitation))
        await navigate({ to: '/personal-info', search: { next }, replace: true })
      else onWaiting()
    },
  })

  return (
    <>
      <AuthForm form={form} onSubmit={submit} prefetch={fetchBecomeMember} action={t`Register`}>
        <RegisterFields form={form} />
      </AuthForm>
      <p className={classNames(text.caption, text.muted, text.centered, layout.above4)}>
        <Trans>
          By signing up you agree to the <AgreedPage to="/terms">terms</AgreedPage> and have read the{' '}
          <AgreedPage to="/privacy">privacy notice</AgreedPage>.
        </Trans>
      </p>
    </>
  )
}

function RegisterFields({ form }: { form: UseFormReturn<typeof empty> }) {
  return (
    <>
      <Grid columns="7rem" gap="3">
        <TextField label={t`First name`} autoComplete="given-name" {...fieldOf(form, 'first_name')} />
        <TextField label={t`Last name`} autoComplete="family-name" {...fieldOf(form, 'last_name')} />
      </Grid>
      <TextField
        label={t`Username`}
        autoComplete="nickname"
        autoCapitalize="none"
        spellCheck={false}
        {...fieldOf(form, 'username')}
      />
      <TextField label={t`Email`} type="email" autoComplete="email" {...fieldOf(form, 'email')} />
      <PasswordField
        label={t`Password`}
        autoComplete="new-password"
        hint={t`At least ${{ min: limits.password.min }} characters`}
        {...fieldOf(form, 'password')}
      />
      <PasswordField
        label={t`Confirm password`}
        autoComplete="new-password"
        {...fieldOf(form, 'confirm_password')}
      />
    </>
  )
}

/** Links to a page in a new tab, so that the form keeps its input. */
function AgreedPage({ to, children }: { to: '/terms' | '/privacy'; children: string }) {
  return (
    <a className={text.link} href={to} target="_blank" rel="noopener">
      {children}
      <VisuallyHidden> {t`(opens in a new tab)`}</VisuallyHidden>
    </a>
  )
}
