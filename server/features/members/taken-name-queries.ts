import { type RawBuilder, sql } from 'kysely'
import { deleteInBatches } from '#server/platform/db/database.ts'
import type { Db, Tx } from '#server/tables.ts'

/** Returns a username as it looks: without case and underscores, with `0` as `o`, and `1` and `i` as `l`. An index has it. */
function spellingOf(username: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`translate(lower(replace(${username}, '_', '')), '01i', 'oll')`
}

/** The usernames of deleted members are stored as hashes only. */
function hashOf(spelling: RawBuilder<string>): RawBuilder<Buffer> {
  return sql<Buffer>`sha256(convert_to(${spelling}, 'UTF8'))`
}

/** Lets the transactions that claim usernames of the same spelling run one after the other. */
export async function lockUsername(tx: Tx, username: string): Promise<void> {
  const spelling = spellingOf(sql`${username}::text`)
  await sql`select pg_advisory_xact_lock(hashtextextended('rhubarb: username ' || ${spelling}, 0))`.execute(
    tx,
  )
}

/** Lets the transactions that claim an e-mail run one after the other. */
export async function lockEmail(tx: Tx, email: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('rhubarb: email ' || lower(${email}::text), 0))`.execute(
    tx,
  )
}

/** The days until a username that was given up is free. */
const reservedDays = sql`interval '30 days'`

/** Returns whether another member or somebody who waits has a username of the same spelling, or another member gave one up lately. */
export async function isUsernameTaken(db: Db, username: string, userId: number | null): Promise<boolean> {
  const spelling = spellingOf(sql`${username}::text`)
  const { rows } = await sql<{ taken: boolean }>`
    select exists (
      select from users where ${spellingOf(sql.ref('username'))} = ${spelling} and id is distinct from ${userId}::bigint
    ) or exists (
      select from registration_requests where ${spellingOf(sql.ref('username'))} = ${spelling}
    ) or exists (
      select from former_usernames
      where spelling_hash = ${hashOf(spelling)} and given_up_at > now() - ${reservedDays} and (user_id = ${userId}::bigint) is not true
    ) as taken`.execute(db)
  return rows[0]?.taken === true
}

/** Returns whether another member or somebody who waits has an e-mail, ignoring case. */
export async function isEmailTaken(db: Db, email: string, userId: number | null): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`
    select exists (
      select from users where lower(email) = lower(${email}::text) and id is distinct from ${userId}::bigint
    ) or exists (
      select from registration_requests where lower(email) = lower(${email}::text)
    ) as taken`.execute(db)
  return rows[0]?.taken === true
}

export async function deleteFormerUsername(tx: Tx, username: string): Promise<void> {
  await tx
    .deleteFrom('former_usernames')
    .where('spelling_hash', '=', hashOf(spellingOf(sql`${username}::text`)))
    .execute()
}

/** Stores that the member's username is given up. */
export async function insertFormerUsername(tx: Tx, userId: number): Promise<void> {
  await sql`
    insert into former_usernames (spelling_hash, user_id)
    select ${hashOf(spellingOf(sql.ref('username')))}, id from users where id = ${userId}
    on conflict (spelling_hash) do update set user_id = excluded.user_id, given_up_at = excluded.given_up_at`.execute(
    tx,
  )
}

/** Deletes the usernames that are free. */
export async function deleteOldUsernames(db: Db): Promise<void> {
  await deleteInBatches(db, 'former_usernames', sql`given_up_at <= now() - ${reservedDays}`)
}
