import { type Insertable, sql } from 'kysely'
import type { RegistrationRequest } from '#contract/registration-requests.ts'
import { deleteInBatches } from '#server/platform/db/database.ts'
import type { Db, Tables, Tx } from '#server/tables.ts'

/** Throws a unique violation of `registration_requests_email` or `registration_requests_username`, which ignore case. */
export async function insertRequest(
  tx: Tx,
  request: Insertable<Tables['registration_requests']>,
): Promise<void> {
  await tx.insertInto('registration_requests').values(request).execute()
}

/** Returns the oldest requests. */
export async function listRequests(db: Db, limit: number): Promise<RegistrationRequest[]> {
  return db
    .selectFrom('registration_requests')
    .select(['id', 'first_name', 'last_name', 'username', 'email', 'created_at'])
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Deletes a request and returns it, or undefined if it was answered. */
export async function deleteRequest(tx: Tx, id: number) {
  return tx
    .deleteFrom('registration_requests')
    .where('id', '=', id)
    .returning([
      'first_name',
      'last_name',
      'username',
      'email',
      'password_hash',
      'language',
      'invitation',
      'network',
      'created_at',
    ])
    .executeTakeFirst()
}

/** Deletes the requests that are so many days old. */
export async function deleteOldRequests(db: Db, days: number): Promise<void> {
  await deleteInBatches(db, 'registration_requests', sql`created_at < now() - make_interval(days => ${days})`)
}

/** Returns the password of who has registered with an e-mail, ignoring case, and waits for a moderator. */
export async function findWaitingLogin(db: Db, email: string) {
  return db
    .selectFrom('registration_requests')
    .select('password_hash')
    .where(sql<string>`lower(email)`, '=', email.toLowerCase())
    .executeTakeFirst()
}
