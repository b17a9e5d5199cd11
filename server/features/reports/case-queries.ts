import { sql } from 'kysely'
import type { CaseOutcome } from '#contract/report-cases.ts'
import { anyOf } from '#server/platform/db/expressions.ts'
import type { Db, Row, Tx } from '#server/tables.ts'

type TakenCase = Row<'report_cases'> & { is_taken: boolean }
export type CaseRow = TakenCase & { report_count: number }

/** The reports that the desk shows of a case. */
const shownReports = 10

const reportCount = sql<number>`(select count(*)::int from reports where case_id = report_cases.id)`.as(
  'report_count',
)

/** Holds if the moderator who has taken a case can still close it: one who has left the desk or is suspended does not keep it from others. */
const isTaken = sql<boolean>`exists (
  select from desk_roles join users on users.id = user_id where user_id = taken_by and suspended_at is null
)`.as('is_taken')

/** Returns cases, newest first, without those about a member. */
export function listCases(
  db: Db,
  { state, without }: { state: 'open' | 'closed'; without: number | null },
  before: number,
  limit: number,
): Promise<CaseRow[]> {
  return db
    .selectFrom('report_cases')
    .selectAll()
    .select([reportCount, isTaken])
    .$if(without !== null, (cases) => cases.where('member_id', 'is distinct from', without))
    .where('closed_at', state === 'open' ? 'is' : 'is not', null)
    .where('id', '<', before)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

export function findCase(db: Db, id: number): Promise<CaseRow | undefined> {
  return db
    .selectFrom('report_cases')
    .selectAll()
    .select([reportCount, isTaken])
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Locks a case until the transaction ends. */
export function findCaseForUpdate(tx: Tx, id: number): Promise<TakenCase | undefined> {
  return tx
    .selectFrom('report_cases')
    .selectAll()
    .select(isTaken)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

export type CaseReportRow = Awaited<ReturnType<typeof listReportsOf>>[number]

/** Returns the newest reports of each of the cases. */
export function listReportsOf(db: Db, cases: readonly number[]) {
  return db
    .selectFrom('report_cases as c')
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('reports as r')
          .select([
            'r.id',
            'r.case_id',
            'r.reporter_id',
            'r.reason',
            'r.created_at',
            'r.snapshot',
            'r.noticed',
          ])
          .whereRef('r.case_id', '=', 'c.id')
          .orderBy('r.id', 'desc')
          .limit(shownReports)
          .as('shown'),
      (join) => join.onTrue(),
    )
    .select([
      'shown.id',
      'shown.case_id',
      'shown.reporter_id',
      'shown.reason',
      'shown.created_at',
      'shown.snapshot',
      'shown.noticed',
    ])
    .where('c.id', '=', anyOf(cases))
    .orderBy('shown.id', 'desc')
    .execute()
}

/** Returns the members who have reported the subject of a case. */
export async function listReporters(db: Db, caseId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('reports')
    .select('reporter_id')
    .distinct()
    .where('case_id', '=', caseId)
    .where('reporter_id', 'is not', null)
    .$narrowType<{ reporter_id: number }>()
    .execute()
  return rows.map(({ reporter_id }) => reporter_id)
}

export async function updateTaken(tx: Tx, id: number, taken_by: number | null): Promise<void> {
  const taken_at = taken_by === null ? null : new Date().toISOString()
  await tx.updateTable('report_cases').set({ taken_by, taken_at }).where('id', '=', id).execute()
}

export async function updateClosed(
  tx: Tx,
  id: number,
  closed_by: number,
  outcome: CaseOutcome,
): Promise<void> {
  await tx
    .updateTable('report_cases')
    .set({ closed_by, outcome, closed_at: new Date().toISOString() })
    .where('id', '=', id)
    .execute()
}

/** Returns whether a member has the id. */
export async function isMember(db: Db, id: number): Promise<boolean> {
  return (await db.selectFrom('users').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
}
