import { t } from '@lingui/core/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type AuditEntry, actionsOfOperators, undoableActions } from '#contract/desk.ts'
import { undoAction } from '#contract/report-cases.ts'
import { call } from '#web/api/client.ts'
import { profileQuery } from '#web/features/members/profile-query.ts'
import { textOf } from '#web/i18n/i18n.ts'
import text from '#web/styles/text.module.css'
import { Button } from '#web/ui/button.tsx'
import { Stack } from '#web/ui/layout.tsx'
import { shortTime, Time } from '#web/ui/time.tsx'
import { auditReason } from './audit-reason.ts'
import { actionTexts } from './desk-texts.ts'
import { ReasonDialog } from './reason-dialog.tsx'

const undoable: readonly AuditEntry['action'][] = undoableActions

/** Shows an action of the desk, which may be undone. */
export function AuditEntryView({ entry }: { entry: AuditEntry }) {
  const { id, action, actor, target_type, target_name, target_id, is_undone, created_at } = entry
  const reason = auditReason(entry)
  const [isUndoing, setUndoing] = useState(false)
  const { data: me } = useQuery(profileQuery)
  const mayUndo = me?.desk_role === 'operator' || !actionsOfOperators.includes(action)
  return (
    <Stack gap="1" align="start" className={text.breakable}>
      <p>
        {textOf(actionTexts[action])}
        {target_type !== 'site' && target_type !== 'report' && (
          <>
            : <bdi>{target_name ?? target_id}</bdi>
          </>
        )}
      </p>
      {reason !== null && <p dir="auto">{reason}</p>}
      <p className={text.muted}>
        <bdi>{actor === null ? t`the server` : (actor.username ?? t`someone who has left`)}</bdi>{' '}
        <Time at={created_at} format={shortTime} />
        {is_undone && ` · ${t`undone`}`}
      </p>
      {undoable.includes(action) && mayUndo && !is_undone && (
        <Button variant="quiet" size="small" onClick={() => setUndoing(true)}>{t`undo`}</Button>
      )}
      {isUndoing && <UndoDialog id={id} onClose={() => setUndoing(false)} />}
    </Stack>
  )
}

function UndoDialog({ id, onClose }: { id: number; onClose: () => void }) {
  const client = useQueryClient()
  return (
    <ReasonDialog
      title={t`undo this action`}
      label={t`undo`}
      done={t`Undone`}
      send={(body) => call(client, undoAction, { params: { id }, body })}
      onClose={onClose}
    />
  )
}
