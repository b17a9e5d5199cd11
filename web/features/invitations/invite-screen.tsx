import { zodResolver } from '@hookform/resolvers/zod'
import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { invitation, invite } from '#contract/invitations.ts'
import { call } from '#web/api/client.ts'
import { useSubmit } from '#web/features/drafts/use-submit.ts'
import { BackLink } from '#web/features/page-head/back-link.tsx'
import layout from '#web/styles/layout.module.css'
import text from '#web/styles/text.module.css'
import { AuthLayout } from '#web/ui/auth-layout.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { TextField } from '#web/ui/field.tsx'
import { Form, fieldOf } from '#web/ui/form.tsx'
import { Cluster, Stack } from '#web/ui/layout.tsx'
import { PageHead } from '#web/ui/page.tsx'
import { ToastHost } from '#web/ui/toast-host.tsx'
import { Connect } from './connect.tsx'
import css from './invite-screen.module.css'

/**
 * Shares the profile by QR code or link, or invites a friend by mail: as the last step of the registration, or for a member who comes
 * from the friends, with a way back.
 */
export function InviteScreen() {
  const isSetup = useSearch({ from: '/invite-your-friends' }).from === undefined
  return (
    <AuthLayout roomy>
      <PageHead title={t`invite your friends`} back={isSetup ? undefined : <BackLink to="/myfriends" />} />
      <Stack gap="6" className={layout.above5}>
        <Connect />
        <InviteByMail />
        {isSetup && (
          <ButtonLink to="/listings/new" wide>
            {t`finish setup`}
          </ButtonLink>
        )}
      </Stack>
      {isSetup && (
        <p className={classNames(text.centered, layout.above2)}>
          <Link to="/listings/new" className={classNames(text.link, text.standalone)}>
            {t`skip for now`}
          </Link>
        </p>
      )}
      <ToastHost />
    </AuthLayout>
  )
}

function InviteByMail() {
  const client = useQueryClient()
  const [sentTo, setSentTo] = useState<string>()
  const form = useForm({
    resolver: zodResolver(invitation),
    defaultValues: { email: '' },
    reValidateMode: 'onSubmit',
  })
  const { isSubmitting } = form.formState
  const submit = useSubmit(form, {
    async send(body) {
      await call(client, invite, { body })
      setSentTo(body.email)
    },
    leave() {
      form.setFocus('email')
      form.reset()
    },
  })
  return (
    <Form
      form={form}
      gap="3"
      onSubmit={submit}
      onChange={() => {
        form.clearErrors()
        setSentTo(undefined)
      }}
    >
      {sentTo !== undefined && (
        <Banner kind="success">{t`Your invitation to ${sentTo} is on its way.`}</Banner>
      )}
      <TextField
        label={t`Invite by e-mail`}
        type="email"
        autoComplete="off"
        placeholder="neighbor@example.com"
        {...fieldOf(form, 'email')}
      />
      <Cluster className={css.send}>
        <Button type="submit" variant="secondary" size="small" busy={isSubmitting && t`Sending...`}>
          {t`Send invitation`}
        </Button>
        <Link to="/friend-invi" className={classNames(text.link, text.standalone, text.body2)}>
          {t`See what they get`}
        </Link>
      </Cluster>
    </Form>
  )
}
