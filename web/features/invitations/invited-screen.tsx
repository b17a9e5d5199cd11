import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useSuspenseQuery } from '@tanstack/react-query'
import { type ErrorComponentProps, getRouteApi } from '@tanstack/react-router'
import type { RedirectTarget } from '#web/features/auth/redirect-target.ts'
import { useRegistrationNotice, useSignUpLabel } from '#web/features/auth/registration-texts.ts'
import { cityAndState } from '#web/features/members/location.ts'
import { LocationLine } from '#web/features/members/location-line.tsx'
import { Username } from '#web/features/members/username.tsx'
import { translateMessage } from '#web/i18n/translate-message.ts'
import { useIsMember } from '#web/login/login-store.ts'
import layout from '#web/styles/layout.module.css'
import { AuthLayout } from '#web/ui/auth-layout.tsx'
import { Avatar } from '#web/ui/avatar.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Cluster, Stack } from '#web/ui/layout.tsx'
import { PageHead } from '#web/ui/page.tsx'
import { useSiteName } from '#web/ui/site-name.tsx'
import { useRouteRetry } from '#web/ui/use-route-retry.ts'
import { inviterQuery } from './invitation-link.ts'
import { parseInviterId } from './invite-search.ts'
import css from './invited-screen.module.css'

const route = getRouteApi('/invited')

/** Shows a guest who invites them and what Rhubarb is, with links to the registration and the login. */
export function InvitedScreen() {
  const { invite = '' } = route.useSearch()
  const { data: inviter } = useSuspenseQuery(inviterQuery(invite))
  const location = cityAndState(inviter)
  const search = { next: `/seller/${inviter.id}`, invitation: invite }
  const notice = useRegistrationNotice(true)
  return (
    <AuthLayout roomy>
      <PageHead title={t`you are invited`} />
      <Cluster className={css.who}>
        <Avatar id={inviter.id} name={inviter.username} picture={inviter.profile_picture} size="md" />
        <Stack gap="1" className={layout.grow}>
          <p>
            <Trans>
              <b>
                @<Username name={inviter.username} />
              </b>{' '}
              would like to be your friend
            </Trans>
          </p>
          {location !== '' && (
            <LocationLine>
              <bdi>{location}</bdi>
            </LocationLine>
          )}
        </Stack>
      </Cluster>
      <Stack gap="3">
        <p>
          {t`${{ site: useSiteName() }} is where neighbors list the produce, seeds and plants they have, to sell, exchange or give away, and find what they want. It is free.`}
        </p>
        <p>{t`Sign up, and the friend request is waiting for you. As friends you see what others don’t.`}</p>
        {notice && <p>{notice}</p>}
      </Stack>
      <GuestLinks search={search} />
    </AuthLayout>
  )
}

/** Says why an invitation is not valid, and leads on without it. */
export function InviteRefused({ reason }: { reason: string }) {
  const { invite = '' } = route.useSearch()
  const id = parseInviterId(invite)
  const isMember = useIsMember()
  const site = useSiteName()
  const notice = useRegistrationNotice()
  return (
    <AuthLayout roomy>
      <PageHead title={t`invitation`} />
      <Stack className={layout.above5}>
        <Banner kind="error">{translateMessage(reason)}</Banner>
        {isMember ? (
          <MemberLink id={id} />
        ) : (
          <>
            <p>{notice ?? t`You can sign up without an invitation, too. ${{ site }} is free.`}</p>
            <GuestLinks search={{ next: id && `/seller/${id}` }} />
          </>
        )}
      </Stack>
    </AuthLayout>
  )
}

function MemberLink({ id }: { id: string | undefined }) {
  return id === undefined ? (
    <ButtonLink to="/my-listings" wide>
      {t`My lists`}
    </ButtonLink>
  ) : (
    <ButtonLink to="/seller/$id" params={{ id }} wide>
      {t`See the profile`}
    </ButtonLink>
  )
}

function GuestLinks({ search }: { search: RedirectTarget }) {
  const signUp = useSignUpLabel(search.invitation !== undefined)
  return (
    <Stack gap="3" className={layout.above5}>
      <ButtonLink to="/register" search={search} wide>
        {signUp}
      </ButtonLink>
      <ButtonLink to="/login" search={search} variant="secondary" wide>
        {t`Log in`}
      </ButtonLink>
    </Stack>
  )
}

export function InvitedNotLoaded({ reset }: ErrorComponentProps) {
  const tryAgain = useRouteRetry({ reset })
  return (
    <AuthLayout roomy>
      <PageHead title={t`you are invited`} />
      <ErrorState text={t`Failed to load data`} onRetry={tryAgain} />
    </AuthLayout>
  )
}
