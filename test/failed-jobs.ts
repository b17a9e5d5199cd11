import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { sendPasswordChangedMail } from '#server/features/auth/job-kinds.ts'
import type { Db } from '#server/tables.ts'

/** Adds a mail job about a member that has failed for good, and returns its id. */
export async function addFailedJob(db: Db, user_id: number): Promise<string> {
  const id = randomUUID()
  await sql`
    insert into jobs.job (id, name, data, state, retry_count, completed_on, output, policy)
    select ${id}::uuid, name, ${JSON.stringify({ user_id })}::jsonb, 'failed', 30, now(), '{"message": "550 No such user"}', policy
    from jobs.queue where name = ${sendPasswordChangedMail.name}`.execute(db)
  return id
}
