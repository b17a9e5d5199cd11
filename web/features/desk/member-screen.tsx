import { plural, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { type ReactNode, useId } from 'react'
import type { DeskMemberDetails } from '#contract/desk-members.ts'
import { textOf } from '#web/i18n/i18n.ts'
import layout from '#web/styles/layout.module.css'
import text from '#web/styles/text.module.css'
import { classNames } from '#web/ui/class-names.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Stack } from '#web/ui/layout.tsx'
import { RowsSkeleton } from '#web/ui/skeleton.tsx'
import { dayOf, shortTime, Time } from '#web/ui/time.tsx'
import { AuditEntryView } from './audit-entry.tsx'
import { DeskPage } from './desk-page.tsx'
import { deskMemberQuery } from './desk-queries.ts'
import { outcomeTexts, roleTexts, ruleTexts, subjectTexts } from './desk-texts.ts'
import { HistoryLink } from './history-link.tsx'
import { MemberActions } from './member-actions.tsx'

const route = getRouteApi('/_members/desk/members/$id')

/** What the desk knows about a member, and what it can do. */
export function DeskMemberScreen() {
  const { id } = route.useParams()
  const { data: member, isError, refetch } = useQuery(deskMemberQuery(Number(id)))
  return (
    <DeskPage>
      {member === undefined && !isError && <RowsSkeleton />}
      {member === undefined && isError && (
        <ErrorState text={t`Failed to load data`} onRetry={() => refetch()} />
      )}
      {member !== undefined && <Details member={member} />}
    </DeskPage>
  )
}

function Details({ member }: { member: DeskMemberDetails }) {
  const { id, username, listings, cases, own_reports, log } = member
  return (
    <Stack as="article" gap="4" className={classNames(layout.above5, text.breakable)}>
      <h2 className={text.subheading}>
        <bdi>{username}</bdi>
      </h2>
      <Facts member={member} />
      <MemberActions member={member} />
      <Section title={t`Listings`} none={t`No listings.`} items={listings}>
        {({ id: listing, title, is_active, is_hidden }) => (
          <>
            <Link
              to="/listings/$id"
              params={{ id: String(listing) }}
              className={classNames(text.link, text.standalone)}
            >
              <span dir="auto">{title}</span>
            </Link>
            {is_hidden && ` · ${t`hidden`}`}
            {!is_active && ` · ${t`inactive`}`}
          </>
        )}
      </Section>
      <Section title={t`Reports about this member`} none={t`No reports.`} items={cases}>
        {({ subject_type, outcome, created_at }) => (
          <>
            {textOf(subjectTexts[subject_type])} · <Time at={created_at} format={dayOf} /> ·{' '}
            {outcome === null ? t`open` : textOf(outcomeTexts[outcome])}
          </>
        )}
      </Section>
      <Section title={t`Reports by this member`} none={t`No reports.`} items={own_reports}>
        {({ reason, created_at }) => (
          <>
            <span dir="auto">{reason}</span> · <Time at={created_at} format={dayOf} />
          </>
        )}
      </Section>
      <Section title={t`Notes, warnings and actions`} none={t`No actions yet.`} items={log}>
        {(entry) => <AuditEntryView entry={entry} />}
      </Section>
      <p>
        <HistoryLink target="member" id={id} />
      </p>
    </Stack>
  )
}

function Facts({ member }: { member: DeskMemberDetails }) {
  const { first_name, last_name, email, email_confirmed, city, state, created_at } = member
  const { session_count, desk_role, suspended_at, suspension, paused_until, is_withdrawn } = member
  const place = [city, state].filter(Boolean).join(', ')
  const sessions = plural(
    { count: session_count },
    { 0: 'no sessions', one: '# session', other: '# sessions' },
  )
  return (
    <Stack gap="1">
      <p dir="auto">
        {first_name} {last_name}
        {place !== '' && ` · ${place}`}
      </p>
      <p>
        <bdi>{email ?? t`no e-mail address`}</bdi> · {email_confirmed ? t`confirmed` : t`not confirmed`}
      </p>
      <p className={text.muted}>
        {t`Registered:`} <Time at={created_at} format={dayOf} /> · {sessions}
        {desk_role !== null && ` · ${textOf(roleTexts[desk_role])}`}
      </p>
      {suspended_at !== null && (
        <p>
          <b>{t`suspended`}</b> · <Time at={suspended_at} format={dayOf} />
          {suspension?.ends_at && (
            <>
              {' – '}
              <Time at={suspension.ends_at} format={dayOf} />
            </>
          )}
          {suspension && (
            <>
              {' · '}
              {textOf(ruleTexts[suspension.rule])}: <span dir="auto">{suspension.reason}</span>
            </>
          )}
        </p>
      )}
      {suspension?.appeal && <p dir="auto">{t`Appeal: ${{ text: suspension.appeal }}`}</p>}
      {suspension?.appeal_answer && <p dir="auto">{t`Answer: ${{ text: suspension.appeal_answer }}`}</p>}
      {paused_until !== null && (
        <p>
          <b>{t`paused`}</b> · <Time at={paused_until} format={(at) => t`until ${{ time: shortTime(at) }}`} />
        </p>
      )}
      {is_withdrawn && <p>{t`The messages of this member are withdrawn.`}</p>}
    </Stack>
  )
}

interface SectionProps<Item> {
  title: string
  /** Shown instead of an empty list. */
  none: string
  items: readonly Item[]
  children: (item: Item) => ReactNode
}

function Section<Item extends { id: number }>({ title, none, items, children }: SectionProps<Item>) {
  const headingId = useId()
  return (
    <section aria-labelledby={headingId} className={layout.ruled}>
      <h3 id={headingId} className={text.label}>
        {title}
      </h3>
      {items.length === 0 ? (
        <p className={text.none}>{none}</p>
      ) : (
        <Stack as="ul" gap="2" className={layout.above2}>
          {items.map((item) => (
            <li key={item.id}>{children(item)}</li>
          ))}
        </Stack>
      )}
    </section>
  )
}
