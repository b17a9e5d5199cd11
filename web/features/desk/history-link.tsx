import { t } from '@lingui/core/macro'
import { Link } from '@tanstack/react-router'
import type { AuditTarget } from '#contract/desk.ts'
import text from '#web/styles/text.module.css'
import { classNames } from '#web/ui/class-names.ts'

/** Links to the entries of the audit log about a member, a listing or another target. */
export function HistoryLink({ target, id }: { target: AuditTarget; id: number }) {
  return (
    <Link
      to="/desk/audit-log"
      search={{ target, target_id: id }}
      className={classNames(text.link, text.standalone)}
    >
      {t`what was done before`}
    </Link>
  )
}
