import { type Insertable, type NotNull, sql } from 'kysely'
import type { Db, PastSuspension, Row, Tables, Tx } from '#server/tables.ts'

export async function upsertSuspension(tx: Tx, suspension: Insertable<Tables['suspensions']>): Promise<void> {
  const { user_id, ...changes } = suspension
  await tx
    .insertInto('suspensions')
    .values(suspension)
    .onConflict((conflict) =>
      conflict
        .column('user_id')
        .doUpdateSet({ ...changes, appeal: null, appealed_at: null, appeal_answer: null }),
    )
    .execute()
}

export function deleteSuspension(tx: Tx, userId: number): Promise<PastSuspension | undefined> {
  return tx
    .deleteFrom('suspensions')
    .where('user_id', '=', userId)
    .returning(['rule', 'reason', 'ends_at'])
    .executeTakeFirst()
}

export function findSuspension(db: Db, userId: number): Promise<Row<'suspensions'> | undefined> {
  return db.selectFrom('suspensions').selectAll().where('user_id', '=', userId).executeTakeFirst()
}

/** Stores the appeal of a suspended member. Returns false if there is one already. */
export async function updateAppeal(tx: Tx, userId: number, appeal: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('suspensions')
    .set({ appeal, appealed_at: sql<string>`now()` })
    .where('user_id', '=', userId)
    .where('appeal', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Stores the answer to the appeal of a suspended member. Returns false if no appeal waits for one. */
export async function updateAppealAnswer(tx: Tx, userId: number, appeal_answer: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('suspensions')
    .set({ appeal_answer })
    .where('user_id', '=', userId)
    .where('appeal', 'is not', null)
    .where('appeal_answer', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Returns members whose suspension is over, the earliest first. */
export async function listEndedSuspensions(db: Db, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom('suspensions')
    .select('user_id')
    .where('ends_at', '<=', sql<string>`now()`)
    .orderBy('ends_at')
    .limit(limit)
    .execute()
  return rows.map(({ user_id }) => user_id)
}

/** Returns the appeals that wait for an answer, newest first. */
export async function listAppeals(db: Db, limit: number) {
  return db
    .selectFrom('suspensions')
    .innerJoin('users', 'users.id', 'user_id')
    .select(['users.id', 'username', 'rule', 'reason', 'ends_at', 'appeal', 'appealed_at'])
    .where('appealed_at', 'is not', null)
    .where('appeal_answer', 'is', null)
    .$narrowType<{ appeal: NotNull; appealed_at: NotNull }>()
    .orderBy('appealed_at', 'desc')
    .limit(limit)
    .execute()
}
