import type { CategoryId } from '#contract/constants.ts'
import type { AuditAction, AuditEntry, AuditTarget } from '#contract/desk.ts'
import { decodeIdCursor, type Page, paginate } from '#server/platform/http/paging.ts'
import type { Db, PastSuspension, Tx } from '#server/tables.ts'
import {
  type AuditFilter,
  type AuditRow,
  findAction,
  findEarlierMoment,
  hasLaterAction,
  insertAction,
  listAuditLog,
} from './queries.ts'

/** Who acts: a member of the desk, or null for a command of the shell and for what ends by itself. */
export type DeskActor = number | null

interface Action {
  readonly action: AuditAction
  readonly target: readonly [type: AuditTarget, id: number]
  readonly reason?: string | null | undefined
  readonly undoes?: number | undefined
  /** The category before a correction, for its undoing. */
  readonly category_was?: CategoryId | null
  /** The suspension before its end, for the undoing of that. */
  readonly suspension_was?: PastSuspension
  /** True for a listing that waited to be shown before it was hidden, for the undoing of that. */
  readonly was_held?: boolean
}

/** Records an action in the transaction that does it. */
export function recordAction(
  tx: Tx,
  actor: DeskActor,
  {
    action,
    target: [target_type, target_id],
    reason,
    undoes,
    category_was,
    suspension_was,
    was_held,
  }: Action,
): Promise<number> {
  return insertAction(tx, {
    actor_id: actor,
    action,
    target_type,
    target_id,
    reason: reason ?? null,
    undoes: undoes ?? null,
    category_was: category_was ?? null,
    suspension_was: suspension_was ? JSON.stringify(suspension_was) : null,
    was_held: was_held ?? null,
  })
}

/** Returns whether one of the actions was done to the same target after an entry, and not undone. */
export const isSuperseded = hasLaterAction

/** Returns when the same was done to the same target before an entry, and not undone. */
export const momentBefore = findEarlierMoment

/** Returns a page of the audit log, newest first. */
export async function pageOfAuditLog(
  db: Db,
  { cursor, limit, ...filter }: AuditFilter & { cursor?: string | undefined; limit: number },
): Promise<Page<AuditEntry>> {
  const found = await listAuditLog(db, filter, decodeIdCursor(cursor), limit + 1)
  const { rows, next } = paginate(found, limit, ({ id }) => id)
  return { rows: rows.map(toEntry), next }
}

/** Returns an action of the log with what its undoing needs, or undefined. */
export async function findEntry(
  db: Db,
  id: number,
): Promise<(AuditEntry & Pick<AuditRow, 'category_was' | 'suspension_was' | 'was_held'>) | undefined> {
  const row = await findAction(db, id)
  if (!row) return undefined
  const { category_was, suspension_was, was_held } = row
  return { ...toEntry(row), category_was, suspension_was, was_held }
}

function toEntry({
  actor_id,
  actor_name,
  undone_by,
  category_was: _category,
  suspension_was: _suspension,
  was_held: _held,
  ...row
}: AuditRow): AuditEntry {
  return {
    ...row,
    actor: actor_id === null ? null : { id: actor_id, username: actor_name },
    is_undone: undone_by !== null,
  }
}
