import { t } from '@lingui/core/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { type AuditEntry, auditActions } from '#contract/desk.ts'
import { undoAction } from '#contract/report-cases.ts'
import { call } from '#web/api/client.ts'
import { useInfiniteList } from '#web/api/infinite-list.ts'
import { useSubmit } from '#web/features/drafts/use-submit.ts'
import { textOf } from '#web/i18n/i18n.ts'
import layout from '#web/styles/layout.module.css'
import text from '#web/styles/text.module.css'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { SelectField, TextArea } from '#web/ui/field.tsx'
import { fieldOf } from '#web/ui/form.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { Stack } from '#web/ui/layout.tsx'
import { PagedList } from '#web/ui/paged-list.tsx'
import { RowsSkeleton } from '#web/ui/skeleton.tsx'
import { shortTime, Time } from '#web/ui/time.tsx'
import type { AuditSearch } from './audit-search.ts'
import { DeskPage } from './desk-page.tsx'
import { auditLogQuery, deskMembersQuery, refreshDesk } from './desk-queries.ts'
import { actionTexts } from './desk-texts.ts'
import { reasonRules } from './reason-rules.ts'

const undoable: readonly AuditEntry['action'][] = ['listing_hidden', 'member_suspended']

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
                <Entry entry={entry} />
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

function Entry({ entry }: { entry: AuditEntry }) {
  const { id, action, actor, target_type, target_name, target_id, reason, is_undone, created_at } = entry
  const [isUndoing, setUndoing] = useState(false)
  return (
    <Stack gap="1" align="start" className={text.breakable}>
      <p>
        {textOf(actionTexts[action])}
        {target_type !== 'site' && (
          <>
            : <bdi>{target_name ?? target_id}</bdi>
          </>
        )}
      </p>
      {reason !== null && <p dir="auto">{reason}</p>}
      <p className={text.muted}>
        <bdi>{actor === null ? t`shell or by itself` : (actor.username ?? t`someone who has left`)}</bdi>{' '}
        <Time at={created_at} format={shortTime} />
        {is_undone && ` · ${t`undone`}`}
      </p>
      {undoable.includes(action) && !is_undone && (
        <Button variant="quiet" size="small" onClick={() => setUndoing(true)}>{t`undo`}</Button>
      )}
      {isUndoing && <UndoDialog id={id} onClose={() => setUndoing(false)} />}
    </Stack>
  )
}

function UndoDialog({ id, onClose }: { id: number; onClose: () => void }) {
  const client = useQueryClient()
  const form = useForm({ defaultValues: { reason: '' }, reValidateMode: 'onSubmit' })
  const submit = useSubmit(form, {
    async send(body) {
      try {
        await call(client, undoAction, { params: { id }, body })
      } finally {
        void refreshDesk(client)
      }
    },
    leave: onClose,
  })
  return (
    <FormDialog
      title={t`undo this action`}
      onClose={onClose}
      form={form}
      onSubmit={submit}
      submit={{ label: t`undo` }}
    >
      <TextArea label={t`Reason`} {...fieldOf(form, 'reason', reasonRules)} />
    </FormDialog>
  )
}
