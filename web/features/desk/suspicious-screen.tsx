import { plural, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { Ban, BanKind } from '#contract/bans.ts'
import type {
  Suspicious,
  SuspiciousOrigin,
  SuspiciousPoster,
  SuspiciousSender,
} from '#contract/desk-suspicious.ts'
import { profileQuery } from '#web/features/members/profile-query.ts'
import { textOf } from '#web/i18n/i18n.ts'
import layout from '#web/styles/layout.module.css'
import text from '#web/styles/text.module.css'
import { Button } from '#web/ui/button.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Cluster, Stack } from '#web/ui/layout.tsx'
import { RowsSkeleton } from '#web/ui/skeleton.tsx'
import { dayOf, shortTime, Time } from '#web/ui/time.tsx'
import { BanDialog, LiftBanDialog } from './ban-dialogs.tsx'
import { DeskMemberLink } from './desk-member-link.tsx'
import { DeskPage } from './desk-page.tsx'
import { bansQuery, suspiciousQuery } from './desk-queries.ts'
import { DeskSection } from './desk-section.tsx'
import { banKindTexts, type QuickAction, quickActionTexts } from './desk-texts.ts'
import { MemberActionDialog } from './member-action-dialog.tsx'

/** What may be spam: members, networks and mail domains with much in a short time, and the bans. */
export function SuspiciousScreen() {
  const { data: found, isError, refetch } = useQuery(suspiciousQuery)
  const { data: bans = [] } = useQuery(bansQuery)
  return (
    <DeskPage>
      {found === undefined && !isError && <RowsSkeleton />}
      {found === undefined && isError && (
        <ErrorState text={t`Failed to load data`} onRetry={() => refetch()} />
      )}
      {found !== undefined && <Lists found={found} bans={bans} />}
    </DeskPage>
  )
}

function Lists({ found, bans }: { found: Suspicious; bans: readonly Ban[] }) {
  const { data: me } = useQuery(profileQuery)
  const mayBan = me?.desk_role === 'operator'
  const byValue = ({ value }: SuspiciousOrigin) => value
  const origins = (kind: BanKind) => (origin: SuspiciousOrigin) => (
    <Origin
      kind={kind}
      origin={origin}
      ban={bans.find((ban) => ban.kind === kind && ban.value === origin.value)}
      mayBan={mayBan}
    />
  )
  return (
    <Stack gap="6" className={layout.above5}>
      <DeskSection
        title={t`Writing to many strangers in a day`}
        none={t`Nobody.`}
        items={found.senders}
        keyOf={({ id }) => id}
      >
        {(sender) => <Sender sender={sender} />}
      </DeskSection>
      <DeskSection
        title={t`Posting many or equal listings in a day`}
        none={t`Nobody.`}
        items={found.posters}
        keyOf={({ id }) => id}
      >
        {(poster) => <Poster poster={poster} />}
      </DeskSection>
      <DeskSection
        title={t`Addresses with many registrations in a week`}
        none={t`No addresses.`}
        items={found.networks}
        keyOf={byValue}
      >
        {origins('network')}
      </DeskSection>
      <DeskSection
        title={t`Mail domains with many registrations in a week`}
        none={t`No domains.`}
        items={found.domains}
        keyOf={byValue}
      >
        {origins('domain')}
      </DeskSection>
      <Bans bans={bans} mayBan={mayBan} />
    </Stack>
  )
}

function Sender({ sender }: { sender: SuspiciousSender }) {
  const { receiver_count, text_count, first_at, last_at } = sender
  return (
    <MemberRow member={sender} actions={sender.suspended_at === null ? restrictions(sender) : ['withdraw']}>
      {plural({ count: receiver_count }, { one: '# stranger', other: '# strangers' })} ·{' '}
      {plural({ count: text_count }, { one: '# text', other: '# different texts' })} ·{' '}
      <Time at={first_at} format={shortTime} /> – <Time at={last_at} format={shortTime} />
    </MemberRow>
  )
}

function Poster({ poster }: { poster: SuspiciousPoster }) {
  const { listing_count, equal_count, title } = poster
  return (
    <MemberRow member={poster} actions={poster.suspended_at === null ? restrictions(poster) : []}>
      {plural({ count: listing_count }, { one: '# listing', other: '# listings' })}
      {equal_count > 1 && (
        <>
          {' · '}
          <span dir="auto">{t`${{ count: equal_count }} of them “${{ title }}”`}</span>
        </>
      )}
    </MemberRow>
  )
}

const restrictions = ({ paused_until }: SuspiciousSender | SuspiciousPoster): readonly QuickAction[] =>
  paused_until === null ? ['pause', 'suspend'] : ['suspend']

interface MemberRowProps {
  member: SuspiciousSender | SuspiciousPoster
  actions: readonly QuickAction[]
  children: ReactNode
}

function MemberRow({ member, actions, children }: MemberRowProps) {
  const { created_at, email_confirmed, suspended_at, paused_until } = member
  const [opened, setOpened] = useState<QuickAction>()
  const states = [
    ...(email_confirmed ? [] : [t`not confirmed`]),
    ...(suspended_at === null ? [] : [t`suspended`]),
    ...(paused_until === null ? [] : [t`paused`]),
  ]
  return (
    <Stack as="article" gap="1" className={text.breakable}>
      <h3>
        <DeskMemberLink id={member.id}>
          <bdi>{member.username}</bdi>
        </DeskMemberLink>
      </h3>
      <p>{children}</p>
      <p className={text.muted}>
        {t`Registered:`} <Time at={created_at} format={dayOf} />
        {states.map((state) => (
          <b key={state}> · {state}</b>
        ))}
      </p>
      {actions.length > 0 && (
        <Cluster gap="2">
          {actions.map((action) => (
            <Button key={action} variant="secondary" size="small" onClick={() => setOpened(action)}>
              {textOf(quickActionTexts[action])}
            </Button>
          ))}
        </Cluster>
      )}
      {opened && (
        <MemberActionDialog member={member} actions={[opened]} onClose={() => setOpened(undefined)} />
      )}
    </Stack>
  )
}

interface OriginProps {
  kind: BanKind
  origin: SuspiciousOrigin
  /** The ban of just this. A domain may be banned with the one around it. */
  ban: Ban | undefined
  mayBan: boolean
}

function Origin({ kind, origin, ban, mayBan }: OriginProps) {
  const { value, registration_count, unconfirmed_count, suspended_count, last_at, is_banned, members } =
    origin
  const [isBanning, setBanning] = useState(false)
  return (
    <Stack as="article" gap="1" className={text.breakable}>
      <h3>
        <bdi>{value}</bdi>
      </h3>
      <p>
        {plural({ count: registration_count }, { one: '# registration', other: '# registrations' })} ·{' '}
        {plural(
          { count: unconfirmed_count },
          { 0: 'all confirmed', one: '# not confirmed', other: '# not confirmed' },
        )}
        {suspended_count > 0 &&
          ` · ${plural({ count: suspended_count }, { one: '# suspended', other: '# suspended' })}`}{' '}
        · <Time at={last_at} format={shortTime} />
        {is_banned && <b> · {t`banned`}</b>}
      </p>
      <Cluster gap="4" as="ul" aria-label={t`The newest members`}>
        {members.map((member) => (
          <li key={member.id}>
            <DeskMemberLink id={member.id}>
              <bdi>{member.username}</bdi>
            </DeskMemberLink>
          </li>
        ))}
      </Cluster>
      {mayBan && !is_banned && (
        <Cluster gap="2">
          <Button variant="danger" size="small" onClick={() => setBanning(true)}>{t`ban`}</Button>
        </Cluster>
      )}
      {mayBan && ban && <LiftButton ban={ban} />}
      {isBanning && <BanDialog preset={{ kind, value }} onClose={() => setBanning(false)} />}
    </Stack>
  )
}

function Bans({ bans, mayBan }: { bans: readonly Ban[]; mayBan: boolean }) {
  const [isBanning, setBanning] = useState(false)
  return (
    <Stack gap="4">
      <DeskSection title={t`Bans`} none={t`No bans.`} items={bans} keyOf={({ id }) => id}>
        {(ban) => (
          <Stack as="article" gap="1" className={text.breakable}>
            <h3>
              <bdi>{ban.value}</bdi>
            </h3>
            <p dir="auto">{ban.reason}</p>
            <p className={text.muted}>
              {textOf(banKindTexts[ban.kind])} · <bdi>{ban.actor?.username ?? t`someone who has left`}</bdi>{' '}
              <Time at={ban.created_at} format={shortTime} />
              {ban.ends_at !== null && (
                <>
                  {' · '}
                  <Time at={ban.ends_at} format={(at) => t`until ${{ time: shortTime(at) }}`} />
                </>
              )}
            </p>
            {mayBan && <LiftButton ban={ban} />}
          </Stack>
        )}
      </DeskSection>
      {mayBan && (
        <Cluster gap="2">
          <Button variant="secondary" onClick={() => setBanning(true)}>
            {t`ban an address or a domain`}
          </Button>
        </Cluster>
      )}
      {isBanning && <BanDialog onClose={() => setBanning(false)} />}
    </Stack>
  )
}

function LiftButton({ ban }: { ban: Ban }) {
  const [isLifting, setLifting] = useState(false)
  return (
    <Cluster gap="2">
      <Button variant="secondary" size="small" onClick={() => setLifting(true)}>{t`lift the ban`}</Button>
      {isLifting && <LiftBanDialog ban={ban} onClose={() => setLifting(false)} />}
    </Cluster>
  )
}
