import { plural, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ReportCase } from '#contract/report-cases.ts'
import type { DeskAppeal } from '#contract/suspensions.ts'
import { useInfiniteList } from '#web/api/infinite-list.ts'
import { textOf } from '#web/i18n/i18n.ts'
import layout from '#web/styles/layout.module.css'
import text from '#web/styles/text.module.css'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Cluster, Stack } from '#web/ui/layout.tsx'
import { PagedList } from '#web/ui/paged-list.tsx'
import { RowsSkeleton } from '#web/ui/skeleton.tsx'
import { shortTime, Time } from '#web/ui/time.tsx'
import { CaseActions } from './case-actions.tsx'
import { DeskMemberLink } from './desk-member-link.tsx'
import { DeskPage } from './desk-page.tsx'
import { appealsQuery, reportCasesQuery } from './desk-queries.ts'
import { noticedTexts, outcomeTexts, subjectTexts } from './desk-texts.ts'
import { HistoryLink } from './history-link.tsx'
import { MemberActionDialog } from './member-action-dialog.tsx'
import { SnapshotView } from './snapshot-view.tsx'

/** The open or the closed reports by their subjects. */
export function ReportsScreen({ state }: { state: 'open' | 'closed' }) {
  const cases = useInfiniteList(reportCasesQuery(state))
  return (
    <DeskPage>
      {state === 'open' && <Appeals />}
      <PagedList
        list={cases}
        skeleton={<RowsSkeleton />}
        empty={<p className={layout.above5}>{t`No reports.`}</p>}
        failure={t`Failed to load data`}
        of={t`reports`}
      >
        {(items) => (
          <Stack as="ul" gap="6" className={layout.above5}>
            {items.map((item) => (
              <li key={item.id}>
                <CaseCard reportCase={item} />
              </li>
            ))}
          </Stack>
        )}
      </PagedList>
    </DeskPage>
  )
}

/** Returns the name of somebody who may have left. */
function nameOf(who: ReportCase['member']): string {
  return who?.username ?? t`someone who has left`
}

function CaseCard({ reportCase }: { reportCase: ReportCase }) {
  const { subject_type, subject_id, member, taken_by, outcome, closed_by, closed_at, reports, report_count } =
    reportCase
  const [newest] = reports
  return (
    <Stack as="article" gap="2" className={classNames(layout.ruled, text.breakable)}>
      <h2 className={text.subheading}>
        {textOf(subjectTexts[subject_type])} · <bdi>{nameOf(member)}</bdi>
      </h2>
      <p className={text.muted}>
        {plural(report_count, { one: '# report', other: '# reports' })}
        {taken_by !== null && ` · ${t`taken by ${{ name: nameOf(taken_by) }}`}`}
        {outcome !== null && ` · ${textOf(outcomeTexts[outcome])} (${nameOf(closed_by)})`}
        {closed_at !== null && (
          <>
            {' · '}
            <Time at={closed_at} format={shortTime} />
          </>
        )}
      </p>
      <ul>
        {reports.map(({ id, reporter, noticed, reason, created_at }) => (
          <li key={id}>
            <bdi>{noticed === null ? nameOf(reporter) : textOf(noticedTexts[noticed])}</bdi>:{' '}
            <span dir="auto">{reason}</span>{' '}
            <span className={text.muted}>
              · <Time at={created_at} format={shortTime} />
            </span>
          </li>
        ))}
      </ul>
      {newest?.snapshot && <SnapshotView snapshot={newest.snapshot} author={member} />}
      {outcome === null && <CaseActions reportCase={reportCase} />}
      <Cluster gap="4">
        {member !== null && member.username !== null && (
          <DeskMemberLink id={member.id}>{t`about the member`}</DeskMemberLink>
        )}
        <HistoryLink target={subject_type} id={subject_id} />
      </Cluster>
    </Stack>
  )
}

/** The appeals that wait for an answer. */
function Appeals() {
  const { data: appeals = [] } = useQuery(appealsQuery)
  const [isOpen, setOpen] = useState(false)
  const [answered, setAnswered] = useState<Pick<DeskAppeal, 'id' | 'username'>>()
  if (appeals.length === 0 && !answered) return null
  return (
    <details
      className={classNames(layout.above5, text.breakable)}
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>{plural({ count: appeals.length }, { one: '# appeal', other: '# appeals' })}</summary>
      <ul>
        {appeals.map(({ id, username, reason, appeal }) => (
          <Stack as="li" key={id} gap="2" className={layout.listItem}>
            <p>
              <DeskMemberLink id={id}>
                <bdi>{username}</bdi>
              </DeskMemberLink>
              : <span dir="auto">{appeal}</span>
            </p>
            <p className={text.muted} dir="auto">
              {t`Suspended because: ${reason}`}
            </p>
            <Cluster gap="4">
              <Button
                variant="secondary"
                size="small"
                aria-label={t`keep the suspension of ${{ name: username }}`}
                onClick={() => setAnswered({ id, username })}
              >
                {t`keep the suspension`}
              </Button>
              <HistoryLink target="member" id={id} />
            </Cluster>
          </Stack>
        ))}
      </ul>
      {answered && (
        <MemberActionDialog
          member={answered}
          actions={['keep_suspension']}
          onClose={() => setAnswered(undefined)}
        />
      )}
    </details>
  )
}
