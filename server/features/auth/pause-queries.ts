import { sql } from 'kysely'
import { deleteInBatches } from '#server/platform/db/database.ts'
import type { Db, Tx } from '#server/tables.ts'

/** Returns the end of the pause of a member, unless it is over. */
export async function findPauseEnd(db: Db, userId: number): Promise<string | undefined> {
  const pause = await db
    .selectFrom('pauses')
    .select('ends_at')
    .where('user_id', '=', userId)
    .where('ends_at', '>', sql<string>`now()`)
    .executeTakeFirst()
  return pause?.ends_at
}

/** Stores a pause instead of one that is over. */
export async function upsertPause(tx: Tx, user_id: number, ends_at: string): Promise<void> {
  await tx
    .insertInto('pauses')
    .values({ user_id, ends_at })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet({ ends_at, created_at: sql<string>`now()` }),
    )
    .execute()
}

/** Ends the pause of a member. Returns false if there is none, or it is over. */
export async function deletePause(tx: Tx, userId: number): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('pauses')
    .where('user_id', '=', userId)
    .where('ends_at', '>', sql<string>`now()`)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

export async function deleteEndedPauses(db: Db): Promise<void> {
  await deleteInBatches(db, 'pauses', sql`ends_at <= now()`)
}
