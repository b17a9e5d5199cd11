import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { auditActions } from '#contract/desk.ts'
import { useInfiniteList } from '#web/api/infinite-list.ts'
import { textOf } from '#web/i18n/i18n.ts'
import layout from '#web/styles/layout.module.css'
import text from '#web/styles/text.module.css'
import { classNames } from '#web/ui/class-names.ts'
import { SelectField } from '#web/ui/field.tsx'
import { Stack } from '#web/ui/layout.tsx'
import { PagedList } from '#web/ui/paged-list.tsx'
import { RowsSkeleton } from '#web/ui/skeleton.tsx'
import { AuditEntryView } from './audit-entry.tsx'
import type { AuditSearch } from './audit-search.ts'
import { DeskPage } from './desk-page.tsx'
import { auditLogQuery, deskMembersQuery } from './desk-queries.ts'
import { actionTexts } from './desk-texts.ts'

const route = getRouteApi('/_members/desk/audit-log')

export function AuditLogScreen() {
  const search = route.useSearch()
  const log = useInfiniteList(auditLogQuery(search))
  return (
    <DeskPage>
      <Filters search={search} />
      <PagedList
        list={log}
        skeleton={<RowsSkeleton />}
        empty={<p className={layout.above5}>{t`No actions yet.`}</p>}
        failure={t`Failed to load data`}
        of={t`actions`}
      >
        {(entries) => (
          <Stack as="ul" gap="4" className={layout.above5}>
            {entries.map((entry) => (
              <li key={entry.id}>
                <AuditEntryView entry={entry} />
              </li>
            ))}
          </Stack>
        )}
      </PagedList>
    </DeskPage>
  )
}

/** Filters by what was done and by whom. The filter of one target comes from a link of its report. */
function Filters({ search }: { search: AuditSearch }) {
  const navigate = route.useNavigate()
  const { data: members = [] } = useQuery(deskMembersQuery)
  const filter = (change: AuditSearch) =>
    navigate({ search: (current) => ({ ...current, ...change }), replace: true })
  return (
    <Stack as="section" gap="3" className={layout.above5} aria-label={t`Filter`}>
      <SelectField
        label={t`Action`}
        value={search.action ?? ''}
        options={[
          { value: '', label: t`all actions` },
          ...auditActions.map((value) => ({ value, label: textOf(actionTexts[value]) })),
        ]}
        onChange={({ target }) => filter({ action: target.value || undefined })}
      />
      <SelectField
        label={t`By`}
        value={search.actor ?? ''}
        options={[
          { value: '', label: t`everybody` },
          ...members.map(({ id, username }) => ({ value: id, label: username })),
        ]}
        onChange={({ target }) => filter({ actor: Number(target.value) || undefined })}
      />
      {search.target_id !== undefined && (
        <p>
          <Link to="/desk/audit-log" search={{}} className={classNames(text.link, text.standalone)}>
            {t`show all actions`}
          </Link>
        </p>
      )}
    </Stack>
  )
}
