import { type Insertable, sql } from 'kysely'
import { type Db, statement } from '#server/platform/db/database.ts'
import type { Tables } from '#server/tables.ts'

export const revokedChannel = 'session_revoked'

const findSessionRow = statement<[Buffer], { user_id: number }>(
  'select user_id from sessions where token_hash = $1 and expires_at > now()',
)

export async function findSession(
  db: Db<Tables>,
  tokenHash: Buffer,
): Promise<{ user_id: number } | undefined> {
  const [session] = await findSessionRow(db, tokenHash)
  return session
}

export async function insertSession(db: Db<Tables>, session: Insertable<Tables['sessions']>): Promise<void> {
  await db.insertInto('sessions').values(session).execute()
}

export async function deleteSession(db: Db<Tables>, tokenHash: Buffer): Promise<void> {
  await db.deleteFrom('sessions').where('token_hash', '=', tokenHash).execute()
}

/** Every node hears of it when the transaction commits. */
export async function notifyRevoked(db: Db<Tables>): Promise<void> {
  await sql`select pg_notify(${revokedChannel}, '')`.execute(db)
}

export async function deleteExpiredSessions(db: Db<Tables>): Promise<void> {
  await db.deleteFrom('sessions').where('expires_at', '<=', sql<string>`now()`).execute()
}

export async function deleteExpiredAttempts(db: Db<Tables>): Promise<void> {
  await db.deleteFrom('rate_limits').where('expire', '<', Date.now()).execute()
}

/** Unique regardless of case: throws a unique violation of `users_email` or `users_username`. */
export async function insertMember(db: Db<Tables>, member: Insertable<Tables['users']>): Promise<number> {
  const { id } = await db.insertInto('users').values(member).returning('id').executeTakeFirstOrThrow()
  return id
}

export interface LoginRow {
  id: number
  username: string
  first_name: string
  password_hash: string
  picture_name: string | null
}

export async function findLogin(db: Db<Tables>, email: string): Promise<LoginRow | undefined> {
  return db
    .selectFrom('users')
    .select(['id', 'username', 'first_name', 'password_hash', 'picture_name'])
    .where(sql<string>`lower(email)`, '=', email.toLowerCase())
    .executeTakeFirst()
}

export async function findWelcome(
  db: Db<Tables>,
  userId: number,
): Promise<{ email: string; first_name: string; username: string } | undefined> {
  return db
    .selectFrom('users')
    .select(['email', 'first_name', 'username'])
    .where('id', '=', userId)
    .executeTakeFirst()
}
