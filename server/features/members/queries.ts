import { type Insertable, sql, type Updateable } from 'kysely'
import type { Profile } from '#contract/auth.ts'
import type { Language } from '#contract/languages.ts'
import type { PublicMember } from '#contract/members.ts'
import type { Preferences } from '#contract/profile.ts'
import { profilePicture } from '#server/features/images/paths.ts'
import { unknownLocation } from '#server/features/locations/postal-codes.ts'
import { countHandedOver } from '#server/features/visibility/legs.ts'
import { friendCount } from '#server/features/visibility/members.ts'
import { executeUnprepared } from '#server/platform/db/database.ts'
import { anyOf, escapeLike } from '#server/platform/db/expressions.ts'
import type { Db, Tables } from '#server/tables.ts'
import { matchRadius } from './match-radius.ts'

/** Returns a member's own profile. */
export function findProfile(db: Db, userId: number): Promise<Profile> {
  return db
    .selectFrom('users as u')
    .select([
      'u.id',
      'u.username',
      'u.first_name',
      'u.last_name',
      'u.city',
      'u.state',
      'u.zip_code',
      'u.address',
      'u.apt',
      'u.language',
      profilePicture('u', 'large'),
    ])
    .select(({ eb }) => [
      eb.fn.coalesce('u.email', sql.lit('')).as('email'),
      eb('u.email_confirmed_at', 'is not', null).$castTo<boolean>().as('email_confirmed'),
      eb('u.email_refused_at', 'is not', null).$castTo<boolean>().as('email_refused'),
      eb('u.postal_code_id', '<>', unknownLocation).$castTo<boolean>().as('location_known'),
      sql.raw<number>(friendCount('u.id')).as('friend_count'),
      eb.selectFrom('desk_roles').select('role').whereRef('user_id', '=', 'u.id').as('desk_role'),
    ])
    .where('u.id', '=', userId)
    .executeTakeFirstOrThrow()
}

/** Returns the ids of the members that are not deleted or suspended. */
export async function listActiveMembers(db: Db, userIds: readonly number[]): Promise<number[]> {
  const members = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', anyOf(userIds))
    .where('suspended_at', 'is', null)
    .execute()
  return members.map(({ id }) => id)
}

/** Locks members in the order of their ids until the transaction ends. */
export function listLockedMembers(tx: Db, ids: readonly number[], strength: 'no key update' | 'key share') {
  const members = tx
    .selectFrom('users')
    .select(['id', 'suspended_at'])
    .where('id', '=', anyOf(ids))
    .orderBy('id')
  return (strength === 'key share' ? members.forKeyShare() : members.forNoKeyUpdate()).execute()
}

/** Selects the public data of members that are not suspended. */
function selectPublicMembers(db: Db) {
  return db
    .selectFrom('users as u')
    .select(['u.id', 'u.username', 'u.city', 'u.state', profilePicture('u', 'large')])
    .select([
      // Others must not see ZIP+4, which identifies a side of a street.
      sql<string | null>`substring(u.zip_code from '^\\d{5}')`.as('zip_code'),
      sql.raw<number>(friendCount('u.id')).as('friend_count'),
      sql.raw<number>(countHandedOver('giver_id', 'u.id')).as('given_count'),
      sql.raw<number>(countHandedOver('taker_id', 'u.id')).as('received_count'),
    ])
    .where('u.suspended_at', 'is', null)
}

/** Returns the members of the ids that are not deleted or suspended. */
export function listPublicMembers(db: Db, userIds: readonly number[]): Promise<PublicMember[]> {
  return selectPublicMembers(db).where('u.id', '=', anyOf(userIds)).execute()
}

/** Throws a unique violation of `users_email` or `users_username`, which ignore case. */
export async function insertMember(db: Db, member: Insertable<Tables['users']>): Promise<number> {
  const { id } = await db.insertInto('users').values(member).returning('id').executeTakeFirstOrThrow()
  return id
}

/** Returns the name of a member's photo, or null. */
export async function findPictureName(db: Db, userId: number): Promise<string | null> {
  const member = await db
    .selectFrom('users')
    .select('picture_name')
    .where('id', '=', userId)
    .executeTakeFirst()
  return member?.picture_name ?? null
}

type Location = { [Column in 'city' | 'state' | 'zip_code' | 'address' | 'apt']?: string | undefined }

/** Updates the given columns and returns the name of the previous photo. */
export async function updateLocationAndPicture(
  db: Db,
  userId: number,
  changes: Location & { picture_name?: string; postal_code_id?: number },
): Promise<string | null> {
  const before = await db
    .selectFrom('users')
    .select('picture_name')
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  if (Object.keys(changes).length > 0) {
    await executeUnprepared(db, db.updateTable('users').set(changes).where('id', '=', userId))
  }
  return before.picture_name
}

/** Locks a member's row until the transaction ends and returns it. */
export function findAccountForUpdate(db: Db, userId: number) {
  return db
    .selectFrom('users')
    .select([
      'username',
      'first_name',
      'last_name',
      'email',
      'email_confirmed_at',
      'city',
      'state',
      'zip_code',
      'address',
      'apt',
      'language',
    ])
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirstOrThrow()
}

export async function updateAccount(
  db: Db,
  userId: number,
  changes: Updateable<Tables['users']>,
): Promise<void> {
  if (Object.keys(changes).length > 0) {
    await executeUnprepared(db, db.updateTable('users').set(changes).where('id', '=', userId))
  }
}

/** Sets the preference that stops mails of a kind. Returns false if nobody got them. */
export async function updateMailsStopped<Kind extends keyof Preferences>(
  db: Db,
  userId: number,
  kind: Kind,
  stopping: NonNullable<Preferences[Kind]>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set({ [kind]: stopping })
    .where('id', '=', userId)
    .where(sql.ref(kind), '!=', stopping)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Makes the member's invitation links invalid. */
export async function incrementInvitationVersion(db: Db, userId: number): Promise<void> {
  await db
    .updateTable('users')
    .set((eb) => ({ invitation_version: eb('invitation_version', '+', 1) }))
    .where('id', '=', userId)
    .execute()
}

/** Deletes a member. Foreign keys delete the rows that refer to the member. */
export async function deleteMember(db: Db, userId: number): Promise<void> {
  await db.deleteFrom('users').where('id', '=', userId).execute()
}

export async function findLanguage(db: Db, userId: number): Promise<Language | null> {
  const member = await db.selectFrom('users').select('language').where('id', '=', userId).executeTakeFirst()
  return member?.language ?? null
}

export function findPreferences(db: Db, userId: number): Promise<Preferences> {
  return db
    .selectFrom('users')
    .select(['mail_matches', 'mail_unread', 'mail_listings', 'mail_trades', 'time_zone'])
    .select(sql.raw<number | null>(matchRadius('users')).as('match_radius'))
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
}

/** Returns members by username: equal to the word first, then starting with it, then containing it. */
export function listMembersNamed(db: Db, caller: number, word: string, limit: number) {
  const pattern = escapeLike(word.toLowerCase())
  const username = sql<string>`lower(u.username)`
  return selectPublicMembers(db)
    .where(username, 'like', `%${pattern}%`)
    .where('u.id', '<>', caller)
    .orderBy(sql`lower(u.username) = ${pattern}`, 'desc')
    .orderBy(sql`lower(u.username) like ${`${pattern}%`}`, 'desc')
    .orderBy(sql`length(u.username)`)
    .orderBy('u.id')
    .limit(limit)
    .execute()
}

/** Selects other members than the caller, who is joined as `me`. */
function selectOthers(db: Db, caller: number, limit: number) {
  return selectPublicMembers(db)
    .innerJoin('users as me', (join) => join.on('me.id', '=', caller))
    .where('u.id', '<>', caller)
    .orderBy('u.id')
    .limit(limit)
}

const zipCode = sql<string>`left(u.zip_code, 5)`
const callerZipCode = sql<string>`left(me.zip_code, 5)`

/** Returns members of the caller's ZIP code first, then those of the same city. */
export async function listMembersNear(db: Db, caller: number, limit: number): Promise<PublicMember[]> {
  const closest = await selectOthers(db, caller, limit).where(zipCode, '=', callerZipCode).execute()
  if (closest.length === limit) return closest
  const ofCity = await selectOthers(db, caller, limit - closest.length)
    .where('u.city', 'is not', null)
    .where(sql<boolean>`lower(u.state) = lower(me.state) and lower(u.city) = lower(me.city)`)
    .where(zipCode, 'is distinct from', callerZipCode)
    .execute()
  return [...closest, ...ofCity]
}

/** Stores a block unless it exists. */
export async function insertBlock(db: Db, blocker_id: number, blocked_id: number): Promise<void> {
  await db
    .insertInto('blocks')
    .values({ blocker_id, blocked_id })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Returns false if there was no block. */
export async function deleteBlock(db: Db, blocker_id: number, blocked_id: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('blocks')
    .where('blocker_id', '=', blocker_id)
    .where('blocked_id', '=', blocked_id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Returns the blocks between any of the members. */
export function listBlocksAmong(db: Db, members: readonly number[]) {
  return db
    .selectFrom('blocks')
    .select(['blocker_id', 'blocked_id'])
    .where('blocker_id', '=', anyOf(members))
    .where('blocked_id', '=', anyOf(members))
    .execute()
}

/** Returns up to 1,000 blocked members. */
export function listBlocked(db: Db, blocker_id: number) {
  return db
    .selectFrom('blocks')
    .innerJoin('users', 'users.id', 'blocks.blocked_id')
    .select(['users.id', 'users.username', profilePicture('users', 'small')])
    .where('blocker_id', '=', blocker_id)
    .orderBy('blocks.blocked_id')
    .limit(1000)
    .execute()
}
