import { sql } from 'kysely'
import { profilePicture } from '#server/features/images/paths.ts'
import { friendCount } from '#server/features/visibility/members.ts'
import { deleteInBatches } from '#server/platform/db/database.ts'
import type { Db } from '#server/tables.ts'

/** Stores an invitation and returns its id. */
export async function insertInvitation(
  tx: Db,
  invitation: { user_id: number; email: string; email_hash: Buffer },
): Promise<number> {
  const { id } = await tx
    .insertInto('invitations')
    .values(invitation)
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export type InviterRow = NonNullable<Awaited<ReturnType<typeof findInviter>>>

/** Returns an inviter's public data that an invitation shows, or undefined if the member is deleted or suspended. */
export function findInviter(db: Db, id: number) {
  return db
    .selectFrom('users as u')
    .select([
      'u.id',
      'u.username',
      'u.city',
      'u.state',
      'u.picture_name',
      'u.language',
      'u.invitation_version',
    ])
    .select(profilePicture('u', 'large'))
    .select(sql.raw<number>(friendCount('u.id')).as('friend_count'))
    .where('u.id', '=', id)
    .where('u.suspended_at', 'is', null)
    .executeTakeFirst()
}

/** Returns an invitation that is not closed. Its address is deleted when it is. */
export function findWaitingInvitation(db: Db, id: number) {
  return db
    .selectFrom('invitations')
    .select(['email', 'email_hash'])
    .where('id', '=', id)
    .where('email', 'is not', null)
    .executeTakeFirst()
}

export type InvitedMember = NonNullable<Awaited<ReturnType<typeof findInvitedMember>>>

/** Returns the member with an address, ignoring case. */
export function findInvitedMember(db: Db, email: string) {
  return db
    .selectFrom('users')
    .select(['id', 'email_confirmed_at', 'suspended_at', 'language'])
    .where(sql<string>`lower(email)`, '=', email.toLowerCase())
    .executeTakeFirst()
}

/** Lets the transactions that invite an address run one after the other. */
export async function lockInvitationsTo(tx: Db, email_hash: Buffer): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('rhubarb: invitations', ${email_hash.readInt32BE()}))`.execute(
    tx,
  )
}

/**
 * Counts the other invitations to an address that were sent, or are being sent, since the given times: from all inviters, and from
 * this one.
 */
export async function countOtherInvitations(
  db: Db,
  { id, email_hash, inviter }: { id: number; email_hash: Buffer; inviter: number },
  since: { fromAll: string; fromInviter: string },
): Promise<{ fromAll: number; fromInviter: number }> {
  return db
    .selectFrom('invitations')
    .select([
      sql<number>`count(*) filter (where created_at > ${since.fromAll})`.as('fromAll'),
      sql<number>`count(*) filter (where created_at > ${since.fromInviter} and user_id = ${inviter})`.as(
        'fromInviter',
      ),
    ])
    .where('email_hash', '=', email_hash)
    .where('token_hash', 'is not', null)
    .where('id', '<>', id)
    .executeTakeFirstOrThrow()
}

/** Stores the hash of the token that the mail contains. */
export async function updateInvitationToken(db: Db, id: number, token_hash: Buffer): Promise<void> {
  await db.updateTable('invitations').set({ token_hash }).where('id', '=', id).execute()
}

/** Closes an invitation by deleting its address. Deletes the token too unless the mail was sent. */
export async function updateInvitationClosed(
  db: Db,
  id: number,
  { isSent }: { isSent: boolean },
): Promise<void> {
  const changes = isSent ? { email: null } : { email: null, token_hash: null }
  await db.updateTable('invitations').set(changes).where('id', '=', id).execute()
}

/** Returns the hash of the address to which a token was mailed. */
export async function findInvitedAddress(db: Db, token_hash: Buffer): Promise<Buffer | undefined> {
  const invitation = await db
    .selectFrom('invitations')
    .select('email_hash')
    .where('token_hash', '=', token_hash)
    .executeTakeFirst()
  return invitation?.email_hash
}

/** Stores that an address has unsubscribed. Returns false if it had already. */
export async function insertOptOut(db: Db, email_hash: Buffer): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto('invitation_opt_outs')
    .values({ email_hash })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows > 0n
}

export async function hasOptedOut(db: Db, email_hash: Buffer): Promise<boolean> {
  const row = await db
    .selectFrom('invitation_opt_outs')
    .select('created_at')
    .where('email_hash', '=', email_hash)
    .executeTakeFirst()
  return row !== undefined
}

/** Marks the invitations to an address as refused by its mailbox. They are kept like all, and so is the mark. */
export async function updateInvitationsRefused(db: Db, email_hash: Buffer): Promise<void> {
  await db
    .updateTable('invitations')
    .set({ refused_at: sql<string>`now()` })
    .where('email_hash', '=', email_hash)
    .execute()
}

/** Returns whether the mailbox of an address has refused an invitation. */
export async function hasRefused(db: Db, email_hash: Buffer): Promise<boolean> {
  const row = await db
    .selectFrom('invitations')
    .select('id')
    .where('email_hash', '=', email_hash)
    .where('refused_at', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Deletes old invitations, and unsent ones of deleted inviters. */
export async function deleteOldInvitations(db: Db, before: string): Promise<void> {
  await deleteInBatches(db, 'invitations', sql`created_at < ${before}`)
  await deleteInBatches(db, 'invitations', sql`user_id is null and email is not null`)
}
