import { plural, t } from '@lingui/core/macro'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import type { ErrorComponentProps } from '@tanstack/react-router'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Profile } from '#contract/auth.ts'
import { isNotFound } from '#web/api/api-error.ts'
import { useAppContext } from '#web/context/app-context.ts'
import { useLogOut } from '#web/features/auth/use-log-out.ts'
import { fullLocation, placeProblem } from '#web/features/members/location.ts'
import { profileQuery } from '#web/features/members/profile-query.ts'
import { publicMemberQuery } from '#web/features/members/public-member-query.ts'
import { Username } from '#web/features/members/username.tsx'
import { MemberHead } from '#web/features/page-head/member-head.tsx'
import { ThanksSection } from '#web/features/trades/thanks-section.tsx'
import { TradeCounts } from '#web/features/trades/trade-counts.tsx'
import layout from '#web/styles/layout.module.css'
import text from '#web/styles/text.module.css'
import { Avatar } from '#web/ui/avatar.tsx'
import { Button, IconLink } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Fact, Facts } from '#web/ui/facts.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { Cluster, Stack } from '#web/ui/layout.tsx'
import { Loading } from '#web/ui/loading.tsx'
import { Page } from '#web/ui/page.tsx'
import { useRouteRetry } from '#web/ui/use-route-retry.ts'
import { ConfirmEmailLine } from './confirm-email-line.tsx'
import { DeleteProfile } from './delete-profile.tsx'
import { DownloadData } from './download-data.tsx'
import css from './profile-screen.module.css'

export function ProfileScreen() {
  const { site } = useAppContext()
  const { data: me } = useSuspenseQuery(profileQuery)
  return (
    <ProfileLayout action={<EditLink />} rail={<Me me={me} />}>
      <ConfirmEmailLine />
      <Details me={me} />
      <p className={layout.above4}>
        <Link to="/notifications/settings" className={classNames(text.link, text.standalone)}>
          {t`Notification settings`}
        </Link>
      </p>
      {me.desk_role !== null && (
        <p>
          <Link to="/desk" className={classNames(text.link, text.standalone)}>
            {t`Desk`}
          </Link>
        </p>
      )}
      <LogOut />
      {site.supportEmail !== undefined && <Support email={site.supportEmail} />}
      <ThanksSection memberId={me.id} />
      <MyData />
    </ProfileLayout>
  )
}

export function ProfileLoading() {
  return (
    <ProfileLayout>
      <Loading text={t`Loading profile...`} />
    </ProfileLayout>
  )
}

export function ProfileNotLoaded({ error, reset }: ErrorComponentProps) {
  const tryAgain = useRouteRetry({ reset })
  const isGone = isNotFound(error)
  return (
    <ProfileLayout>
      <ErrorState
        text={isGone ? t`Profile not found` : t`Failed to load profile data`}
        onRetry={isGone ? undefined : tryAgain}
      />
    </ProfileLayout>
  )
}

interface ProfileLayoutProps {
  action?: ReactNode
  rail?: ReactNode
  children: ReactNode
}

function ProfileLayout({ action, rail, children }: ProfileLayoutProps) {
  return (
    <Page
      rail={
        <>
          <MemberHead title={t`my profile`} action={action} />
          {rail}
        </>
      }
    >
      {children}
    </Page>
  )
}

function EditLink() {
  return (
    <IconLink label={t`Edit profile`} to="/profile/edit" className={css.edit}>
      <Icon name="edit" size={22} />
    </IconLink>
  )
}

function Me({ me }: { me: Profile }) {
  return (
    <Stack gap="1" align="center" className={classNames(text.centered, css.me)}>
      <Avatar id={me.id} name={me.first_name || me.username} picture={me.profile_picture} size="md" />
      <h2 className={css.name} dir="auto">
        {me.first_name || t`My Name`}
      </h2>
      <p className={text.muted}>
        @<Username name={me.username} />
      </p>
      <Link to="/myfriends" className={classNames(text.link, text.standalone)}>
        {plural(me.friend_count, { one: '# friend', other: '# friends' })}
      </Link>
      <MyTrades me={me} />
    </Stack>
  )
}

function MyTrades({ me }: { me: Profile }) {
  const { data: member } = useQuery(publicMemberQuery(me.id))
  return (
    <>
      {member !== undefined && <TradeCounts member={member} />}
      <Link to="/trades" className={classNames(text.link, text.standalone)}>
        {t`My trades`}
      </Link>
    </>
  )
}

function Details({ me }: { me: Profile }) {
  const problem = placeProblem(me)
  return (
    <Facts>
      <Fact name={t`Name`}>
        <bdi>{[me.first_name, me.last_name].filter(Boolean).join(' ')}</bdi>
      </Fact>
      <Fact name={t`Username`}>
        <bdi>{me.username}</bdi>
      </Fact>
      <Fact name={t`Password`}>
        <span role="img" aria-label={t`hidden`} className={css.secret}>
          ••••••••
        </span>
      </Fact>
      <Fact name={t`Email`}>
        {me.email === '' ? (
          t`No e-mail address`
        ) : (
          <>
            <bdi>{me.email}</bdi>{' '}
            <span className={text.muted}>{me.email_confirmed ? t`(confirmed)` : t`(not confirmed)`}</span>
          </>
        )}
      </Fact>
      <Fact name={t`Address`}>
        <bdi>{fullLocation(me) || t`Address not available`}</bdi>
        {problem !== undefined && <p className={text.muted}>{problem}</p>}
      </Fact>
    </Facts>
  )
}

function LogOut() {
  const logOut = useLogOut()
  return (
    <p className={layout.above6}>
      <Button variant="secondary" onClick={logOut}>
        <Icon name="logout" size={20} />
        {t`Log out`}
      </Button>
    </p>
  )
}

function Support({ email }: { email: string }) {
  return (
    <Stack as="section" gap="1" className={layout.above6} aria-labelledby="support">
      <h2 id="support" className={text.subheading}>
        {t`Support`}
      </h2>
      <p
        className={classNames(text.muted, text.body2)}
      >{t`A question, or something not right? Write to us.`}</p>
      <p>
        <a className={classNames(text.link, text.standalone)} href={`mailto:${email}`}>
          {email}
        </a>
      </p>
    </Stack>
  )
}

function MyData() {
  return (
    <Stack as="section" gap="1" className={layout.above6} aria-labelledby="my-data">
      <h2 id="my-data" className={text.subheading}>
        {t`My data`}
      </h2>
      <p className={classNames(text.muted, text.body2)}>
        {t`All that is kept about you, as one file. Or take it all away, for good.`}
      </p>
      <Cluster gap="3" className={layout.above2}>
        <DownloadData />
        <DeleteProfile />
      </Cluster>
    </Stack>
  )
}
