import { type Insertable, type NotNull, sql } from 'kysely'
import type { Language } from '#contract/languages.ts'
import { profilePicture } from '#server/features/images/paths.ts'
import { deleteInBatches, rowStatement } from '#server/platform/db/database.ts'
import { anyOf } from '#server/platform/db/expressions.ts'
import type { Db, Tables, Tx } from '#server/tables.ts'

/** The channel of the event that sessions of a member have ended. Its payload is the member's id. */
export const sessionsEnded = 'sessions_ended'

/** Returns the member of a valid session. */
export const findSession = rowStatement<[tokenHash: Buffer], { user_id: number }>(
  'select user_id from sessions where token_hash = $1 and expires_at > now()',
)

/** Locks a session in a transaction. Returns a row if it is valid: then it can't end before the transaction does. */
export const lockSession = rowStatement<[tokenHash: Buffer], object>(
  'select from sessions where token_hash = $1 and expires_at > now() for key share',
)

/** Returns how many milliseconds ago the session was opened. */
export async function findSessionAge(db: Db, tokenHash: Buffer): Promise<number> {
  const { milliseconds } = await db
    .selectFrom('sessions')
    .select(sql<number>`extract(epoch from now() - created_at)::float8 * 1000`.as('milliseconds'))
    .where('token_hash', '=', tokenHash)
    .executeTakeFirstOrThrow()
  return milliseconds
}

/** Locks the sessions of a member for a transaction that ends them. Waits for transactions that hold one. Returns the valid ones. */
export async function lockSessionsOf(tx: Db, userId: number): Promise<Buffer[]> {
  const sessions = await tx
    .selectFrom('sessions')
    .select('token_hash')
    .where('user_id', '=', userId)
    .where('expires_at', '>', sql<string>`now()`)
    .orderBy('token_hash')
    .forUpdate()
    .execute()
  return sessions.map(({ token_hash }) => token_hash)
}

/** Returns those of the sessions that are valid. */
export async function listValidSessions(db: Db, sessions: readonly Buffer[]): Promise<Buffer[]> {
  const valid = await db
    .selectFrom('sessions')
    .select('token_hash')
    .where('token_hash', '=', anyOf(sessions))
    .where('expires_at', '>', sql<string>`now()`)
    .execute()
  return valid.map(({ token_hash }) => token_hash)
}

/**
 * Stores a session unless the member is deleted or suspended, or the password has changed since `passwordHash` was read. The share lock
 * orders it before or after such a change. Returns whether it was stored.
 */
export async function insertSession(
  db: Db,
  { token_hash, expires_at, user_id }: Insertable<Tables['sessions']>,
  passwordHash: string,
): Promise<boolean> {
  const { rows } = await sql`
    insert into sessions (token_hash, expires_at, user_id)
    select ${token_hash}, ${expires_at}, id from users
    where id = ${user_id} and password_hash = ${passwordHash} and suspended_at is null for share
    returning user_id`.execute(db)
  return rows.length > 0
}

/** Deletes a session and returns its member, or undefined if it had ended. */
export async function deleteSession(db: Db, tokenHash: Buffer): Promise<number | undefined> {
  const deleted = await db
    .deleteFrom('sessions')
    .where('token_hash', '=', tokenHash)
    .returning('user_id')
    .executeTakeFirst()
  return deleted?.user_id
}

/** Deletes all sessions of a member except `keep`. */
export async function deleteSessionsOf(db: Db, userId: number, keep: Buffer | undefined): Promise<void> {
  let sessions = db.deleteFrom('sessions').where('user_id', '=', userId)
  if (keep) sessions = sessions.where('token_hash', '<>', keep)
  await sessions.execute()
}

/** Tells all nodes when the transaction commits that sessions of the member have ended. */
export async function notifyEnded(tx: Tx, userId: number): Promise<void> {
  await sql`select pg_notify(${sessionsEnded}, ${String(userId)})`.execute(tx)
}

export async function deleteExpiredSessions(db: Db): Promise<void> {
  await deleteInBatches(db, 'sessions', sql`expires_at <= now()`)
}

/** Deletes the expired counts of the rate limits. */
export async function deleteExpiredAttempts(db: Db): Promise<void> {
  await deleteInBatches(db, 'rate_limits', sql`expire < ${Date.now()}`)
}

/** Returns the member with an e-mail, ignoring case. */
export async function findLogin(db: Db, email: string) {
  return db
    .selectFrom('users')
    .select([
      'id',
      'username',
      'first_name',
      'password_hash',
      'suspended_at',
      'language',
      profilePicture('users', 'large'),
    ])
    .where(sql<string>`lower(email)`, '=', email.toLowerCase())
    .executeTakeFirst()
}

/** Gives a member without a language the one of a login. */
export async function adoptLanguage(db: Db, userId: number, language: Language): Promise<void> {
  await db
    .updateTable('users')
    .set({ language })
    .where('id', '=', userId)
    .where('language', 'is', null)
    .execute()
}

/** The data of a member that mails need. */
export type AddresseeRow = NonNullable<Awaited<ReturnType<typeof findAddressee>>>

/** Returns undefined if the member is deleted or has no address. */
export function findAddressee(db: Db, userId: number) {
  return db
    .selectFrom('users')
    .select(['id', 'email', 'first_name', 'username', 'email_confirmed_at', 'language'])
    .where('id', '=', userId)
    .where('email', 'is not', null)
    .$narrowType<{ email: NotNull }>()
    .executeTakeFirst()
}

export async function findCredentials(db: Db, userId: number) {
  return db
    .selectFrom('users')
    .select(['email', 'email_confirmed_at', 'username', 'first_name', 'last_name', 'password_hash'])
    .where('id', '=', userId)
    .executeTakeFirst()
}

/** Locks the member, so that the password can't change before the transaction ends. */
export async function findPasswordHashForUpdate(tx: Db, userId: number): Promise<string | undefined> {
  const member = await tx
    .selectFrom('users')
    .select('password_hash')
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirst()
  return member?.password_hash
}

export async function updatePasswordHash(db: Db, userId: number, password_hash: string): Promise<void> {
  await db.updateTable('users').set({ password_hash }).where('id', '=', userId).execute()
}

/** Returns whether the member has this e-mail address. It can't change before the transaction ends. */
export async function lockAddress(tx: Db, userId: number, email: string): Promise<boolean> {
  const member = await tx
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('email', '=', email)
    .forShare()
    .executeTakeFirst()
  return member !== undefined
}

export async function insertReset(db: Db, reset: Insertable<Tables['password_resets']>): Promise<void> {
  await db.insertInto('password_resets').values(reset).execute()
}

const isExpired = sql<boolean>`expires_at <= now()`.as('is_expired')

/** Returns the member of a reset token with the e-mail, and its state. Tokens are kept for 60 days after their end. */
export function findReset(db: Db, tokenHash: Buffer) {
  return db
    .selectFrom('password_resets')
    .innerJoin('users', 'users.id', 'password_resets.user_id')
    .select(['user_id', 'email', 'ended', isExpired])
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst()
}

/** Ends a valid reset token by its use. Returns false if it is not valid. */
export async function updateResetUsed(db: Db, tokenHash: Buffer): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('password_resets')
    .set({ ended: 'used', expires_at: sql<string>`now()` })
    .where('token_hash', '=', tokenHash)
    .where('ended', 'is', null)
    .where('expires_at', '>', sql<string>`now()`)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Ends a member's valid reset tokens, except those of a job. */
export async function updateResetsEnded(
  db: Db,
  userId: number,
  ended: 'used' | 'replaced' | 'revoked',
  exceptJob: string | null = null,
): Promise<void> {
  await db
    .updateTable('password_resets')
    .set({ ended, expires_at: sql<string>`now()` })
    .where('user_id', '=', userId)
    .where('ended', 'is', null)
    .where('expires_at', '>', sql<string>`now()`)
    .where(({ or, eb }) => or([eb('job_id', 'is', null), eb('job_id', 'is distinct from', exceptJob)]))
    .execute()
}

export async function deleteOldTokens(db: Db): Promise<void> {
  await deleteInBatches(db, 'password_resets', sql`expires_at <= now() - interval '60 days'`)
  await deleteInBatches(db, 'email_confirmations', sql`expires_at <= now() - interval '60 days'`)
}

/** Inserts a confirmation token and ends the member's others, except those of the same job. */
export async function replaceConfirmation(
  db: Db,
  confirmation: Insertable<Tables['email_confirmations']>,
): Promise<void> {
  await db
    .updateTable('email_confirmations')
    .set({ ended: 'replaced', expires_at: sql<string>`now()` })
    .where('user_id', '=', confirmation.user_id)
    .where('ended', 'is', null)
    .where('expires_at', '>', sql<string>`now()`)
    .where('job_id', 'is distinct from', confirmation.job_id ?? null)
    .execute()
  await db.insertInto('email_confirmations').values(confirmation).execute()
}

/** Ends a valid confirmation token by its use. */
export async function updateConfirmationUsed(db: Db, tokenHash: Buffer): Promise<void> {
  await db
    .updateTable('email_confirmations')
    .set({ ended: 'used', expires_at: sql<string>`now()` })
    .where('token_hash', '=', tokenHash)
    .where('ended', 'is', null)
    .execute()
}

/** Returns the state of a confirmation token and of its member, whom it locks until the transaction ends. */
export async function findConfirmationForUpdate(tx: Db, tokenHash: Buffer) {
  const isItsAddress = sql<boolean>`lower(u.email) is not distinct from lower(c.email)`
  return tx
    .selectFrom('email_confirmations as c')
    .innerJoin('users as u', 'u.id', 'c.user_id')
    .select(['c.user_id', 'c.email', 'c.ended', 'u.email_confirmed_at', isExpired])
    .select(isItsAddress.as('is_its_address'))
    .where('token_hash', '=', tokenHash)
    .forUpdate()
    .executeTakeFirst()
}

/** Takes the e-mail address from a member, who then has none. */
export async function updateEmailRemoved(db: Db, userId: number): Promise<void> {
  await db
    .updateTable('users')
    .set({ email: null, email_confirmed_at: null, email_refused_at: null })
    .where('id', '=', userId)
    .execute()
}

/** Marks the member's address as confirmed. */
export async function updateEmailConfirmed(db: Db, userId: number): Promise<void> {
  await db
    .updateTable('users')
    .set({ email_confirmed_at: new Date().toISOString(), email_refused_at: null })
    .where('id', '=', userId)
    .where('email', 'is not', null)
    .where('email_confirmed_at', 'is', null)
    .execute()
}

/** Marks an address, ignoring case, as refused by its mailbox and no longer confirmed. */
export async function updateEmailRefused(db: Db, email: string): Promise<void> {
  await db
    .updateTable('users')
    .set({ email_refused_at: sql<string>`now()`, email_confirmed_at: null })
    .where(sql<string>`lower(email)`, '=', email.toLowerCase())
    .execute()
}

/** Stores the job of a mail until the address is confirmed. Equal jobs are stored once. */
export async function insertWaitingMail(db: Db, userId: number, kind: string, data: object): Promise<void> {
  const json = JSON.stringify(data)
  await sql`
    insert into waiting_mails (user_id, kind, data)
    select ${userId}::bigint, ${kind}::text, ${json}::jsonb
    where not exists (
      select from waiting_mails where user_id = ${userId} and kind = ${kind} and data = ${json}::jsonb
    )`.execute(db)
}

/** Deletes the waiting mails of a member and returns them. */
export async function deleteWaitingMails(db: Db, userId: number): Promise<{ kind: string; data: object }[]> {
  return db.deleteFrom('waiting_mails').where('user_id', '=', userId).returning(['kind', 'data']).execute()
}

export function findPageMember(db: Db, id: number) {
  return db.selectFrom('users').select(['id', 'username', 'language']).where('id', '=', id).executeTakeFirst()
}
