import { caseMessages, type ReportCase, type Resolution } from '#contract/report-cases.ts'
import type { Deps } from '#server/deps.ts'
import { recordAction } from '#server/features/desk/audit.ts'
import { usernamesOf } from '#server/features/desk/roles.ts'
import { inTransaction } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { decodeIdCursor, type Page, paginate } from '#server/platform/http/paging.ts'
import type { Caller } from '#server/platform/http/route.ts'
import type { Db, Row, Tx } from '#server/tables.ts'
import {
  type CaseReportRow,
  type CaseRow,
  findCase,
  findCaseForUpdate,
  isMember,
  listCases,
  listReporters,
  listReportsOf,
  updateClosed,
  updateTaken,
} from './case-queries.ts'
import { hiddenSubject } from './hidden-subject.ts'
import {
  endAfter,
  hideInTransaction,
  removeInTransaction,
  suspendInTransaction,
  warnInTransaction,
} from './moderation.ts'
import { tellMember } from './notices.ts'

type CaseDeps = Pick<Deps, 'db' | 'events' | 'jobs' | 'realtime' | 'sessions'>

/** Returns a page of the cases of reports, newest first. A moderator does not see those about themselves, which name the reporters. */
export async function pageOfCases(
  db: Db,
  caller: number,
  {
    state = 'open',
    cursor,
    limit,
  }: { state?: 'open' | 'closed' | undefined; cursor?: string | undefined; limit: number },
): Promise<Page<ReportCase>> {
  const without = await hiddenSubject(db, caller)
  const found = await listCases(db, { state, without }, decodeIdCursor(cursor), limit + 1)
  const { rows, next } = paginate(found, limit, ({ id }) => id)
  return { rows: await describeCases(db, rows), next }
}

/** Takes a case for a moderator. Throws `not_found`, also for one about a moderator themselves, and `conflict` if it is closed or another has it. */
export async function takeCase(db: Db, moderator: number, id: number): Promise<ReportCase> {
  await inTransaction(db, async (tx) => {
    const { taken_by } = await lockOpenCase(tx, moderator, id)
    if (taken_by === moderator) return
    await updateTaken(tx, id, moderator)
    await recordAction(tx, moderator, { action: 'report_taken', target: ['report', id] })
  })
  return oneCase(db, id)
}

/** Releases a case that a moderator has taken. Throws like `takeCase`. */
export async function releaseCase(db: Db, moderator: number, id: number): Promise<ReportCase> {
  await inTransaction(db, async (tx) => {
    const { taken_by } = await lockOpenCase(tx, moderator, id)
    if (taken_by === null) return
    await updateTaken(tx, id, null)
    await recordAction(tx, moderator, { action: 'report_released', target: ['report', id] })
  })
  return oneCase(db, id)
}

/**
 * Closes a case: acts on its subject, tells its owner and answers the reporters. Throws like `takeCase`, `conflict` if the outcome does
 * not fit the subject, and `not_found` if the listing or the member is gone.
 */
export async function resolveCase(
  deps: CaseDeps,
  { id: moderator, session }: Caller,
  id: number,
  resolution: Resolution,
): Promise<ReportCase> {
  const found = await findCase(deps.db, id)
  if (!found) throw notFound()
  const close = async (tx: Tx) => {
    const open = await lockOpenCase(tx, moderator, id)
    await act(deps, tx, moderator, open, resolution)
    await updateClosed(tx, id, moderator, resolution.outcome)
    const action = resolution.outcome === 'dismiss' ? 'report_dismissed' : 'report_resolved'
    await recordAction(tx, moderator, { action, target: ['report', id], reason: resolution.reason })
    if (resolution.answer) await answerReporters(deps, tx, moderator, id, resolution.answer)
  }
  // Only a suspension ends the sessions of the member.
  if (resolution.outcome === 'suspend' && found.member_id !== null)
    await deps.sessions.closeAll(found.member_id, { caller: session }, close)
  else await inTransaction(deps.db, close)
  return oneCase(deps.db, id)
}

async function act(
  deps: CaseDeps,
  tx: Tx,
  moderator: number,
  { subject_type, subject_id, member_id }: Row<'report_cases'>,
  { outcome, rule, reason, days }: Resolution,
): Promise<void> {
  if (outcome === 'dismiss') return
  if (outcome === 'hide' || outcome === 'remove') {
    if (subject_type !== 'listing') throw new AppError('conflict', caseMessages.onlyListings)
    const because = { actor: moderator, rule, reason }
    if (outcome === 'hide') await hideInTransaction(deps, tx, [subject_id], true, because)
    else await removeInTransaction(deps, tx, subject_id, because)
    return
  }
  if (member_id === null || !(await isMember(tx, member_id)))
    throw new AppError('conflict', caseMessages.memberGone)
  if (outcome === 'suspend') {
    const suspension = { rule, reason, ends_at: endAfter(days) }
    await suspendInTransaction(deps, tx, member_id, { actor: moderator, reason }, suspension)
    return
  }
  await warnInTransaction(deps, tx, member_id, { actor: moderator, rule, reason })
}

async function answerReporters(
  deps: CaseDeps,
  tx: Tx,
  moderator: number,
  id: number,
  text: string,
): Promise<void> {
  for (const reporter of await listReporters(tx, id))
    await tellMember(deps, tx, reporter, { kind: 'report_answered', text })
  await recordAction(tx, moderator, { action: 'reporters_answered', target: ['report', id], reason: text })
}

/** Locks a case that is open and not taken by another moderator. */
async function lockOpenCase(tx: Tx, moderator: number, id: number): Promise<Row<'report_cases'>> {
  const found = await findCaseForUpdate(tx, id)
  if (!found) throw notFound()
  if (found.member_id === moderator && (await hiddenSubject(tx, moderator)) !== null) throw notFound()
  if (found.closed_at !== null) throw new AppError('conflict', caseMessages.closed)
  if (found.is_taken && found.taken_by !== moderator) throw new AppError('conflict', caseMessages.taken)
  return found
}

function notFound(): AppError {
  return new AppError('not_found', caseMessages.notFound)
}

async function oneCase(db: Db, id: number): Promise<ReportCase> {
  const found = await findCase(db, id)
  const [described] = found ? await describeCases(db, [found]) : []
  if (!described) throw notFound()
  return described
}

async function describeCases(db: Db, cases: readonly CaseRow[]): Promise<ReportCase[]> {
  const reports = await listReportsOf(
    db,
    cases.map(({ id }) => id),
  )
  const ids = [
    ...cases.flatMap(({ member_id, taken_by, closed_by }) => [member_id, taken_by, closed_by]),
    ...reports.map(({ reporter_id }) => reporter_id),
  ].filter((id) => id !== null)
  const names = await usernamesOf(db, ids)
  const who = (id: number | null) => (id === null ? null : { id, username: names.get(id) ?? null })
  const describeReport = ({ reporter_id, case_id: _, ...report }: CaseReportRow) => ({
    ...report,
    reporter: who(reporter_id),
  })
  return cases.map(({ member_id, taken_by, is_taken, closed_by, ...row }) => ({
    ...row,
    member: who(member_id),
    taken_by: who(is_taken ? taken_by : null),
    closed_by: who(closed_by),
    reports: reports.filter(({ case_id }) => case_id === row.id).map(describeReport),
  }))
}
