import type { Insertable, Updateable } from 'kysely'
import type { Preferences } from '#contract/profile.ts'
import {
  type Db,
  existsStatement,
  idsStatement,
  rowStatement,
  statement,
} from '#server/platform/db/database.ts'
import type { Row, Tables } from '#server/tables.ts'

/** Counts the friends on both sides of a pair with two index-only scans. */
const friendCount = `(
  (select count(*) from friendships where low_id = u.id and status = 'accepted') +
  (select count(*) from friendships where high_id = u.id and status = 'accepted')
) as friend_count`

const tradeCounts = `(select count(*) from trade_legs where giver_id = u.id and handed_over) as given_count,
  (select count(*) from trade_legs where taker_id = u.id and handed_over) as received_count`

export interface ProfileRow
  extends Pick<
    Row<'users'>,
    'id' | 'username' | 'first_name' | 'last_name' | 'email' | 'city' | 'state' | 'zip_code' | 'picture_name'
  > {
  email_confirmed: boolean
  friend_count: number
}

export const findProfile = rowStatement<[userId: number], ProfileRow>(
  `select u.id, u.username, u.first_name, u.last_name, u.email,
     u.email_confirmed_at is not null as email_confirmed, u.city, u.state, u.zip_code, u.picture_name, ${friendCount}
   from users u where u.id = $1`,
)

export type PublicMemberRow = Omit<ProfileRow, 'first_name' | 'last_name' | 'email' | 'email_confirmed'> & {
  given_count: number
  received_count: number
}

const publicColumns = `u.id, u.username, u.city, u.state, u.zip_code, u.picture_name, ${friendCount}, ${tradeCounts}`

/** Returns whether the member exists and is not suspended. */
export const isActiveMember = existsStatement<[userId: number]>(
  'select from users where id = $1 and suspended_at is null',
)

/** Returns undefined for a deleted or suspended member. */
export const findPublicMember = rowStatement<[userId: number], PublicMemberRow>(
  `select ${publicColumns} from users u where u.id = $1 and u.suspended_at is null`,
)

/** Returns the members of the ids that are not deleted or suspended. */
export const listPublicMembers = statement<[userIds: readonly number[]], PublicMemberRow>(
  `select ${publicColumns} from users u where u.id = any ($1) and u.suspended_at is null`,
)

/** Returns the ids of the members that are not deleted or suspended. */
export const listActiveMembers = idsStatement<[userIds: readonly number[]]>(
  'select id from users where id = any ($1::bigint[]) and suspended_at is null',
)

/** Throws a unique violation of `users_email` or `users_username`, which ignore case. */
export async function insertMember(db: Db<Tables>, member: Insertable<Tables['users']>): Promise<number> {
  const { id } = await db.insertInto('users').values(member).returning('id').executeTakeFirstOrThrow()
  return id
}

/** Returns the name of a member's photo, or null. */
export async function findPictureName(db: Db<Tables>, userId: number): Promise<string | null> {
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
  db: Db<Tables>,
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
    await db.updateTable('users').set(changes).where('id', '=', userId).execute()
  }
  return before.picture_name
}

/** Locks a member's row until the transaction ends and returns it. */
export function findAccountForUpdate(db: Db<Tables>, userId: number) {
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
    ])
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirstOrThrow()
}

export async function updateAccount(
  db: Db<Tables>,
  userId: number,
  changes: Updateable<Tables['users']>,
): Promise<void> {
  if (Object.keys(changes).length > 0) {
    await db.updateTable('users').set(changes).where('id', '=', userId).execute()
  }
}

/** Deletes a member. Foreign keys delete the rows that refer to the member. */
export async function deleteMember(db: Db<Tables>, userId: number): Promise<void> {
  await db.deleteFrom('users').where('id', '=', userId).execute()
}

export function findPreferences(db: Db<Tables>, userId: number): Promise<Preferences> {
  return db
    .selectFrom('users')
    .select(['mail_matches', 'mail_unread', 'mail_listings', 'mail_trades', 'match_radius', 'time_zone'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
}

const membersNamed = statement<[caller: number, word: string, limit: number], PublicMemberRow>(
  `select ${publicColumns} from users u
   where lower(u.username) like '%' || $2 || '%' and u.id <> $1 and u.suspended_at is null
   order by lower(u.username) = $2 desc, lower(u.username) like $2 || '%' desc, length(u.username), u.id
   limit $3`,
)

/** Returns members by username: equal to the word first, then starting with it, then containing it. */
export async function listMembersNamed(db: Db<Tables>, caller: number, word: string, limit: number) {
  return membersNamed(db, caller, word.toLowerCase().replaceAll(/[\\%_]/g, '\\$&'), limit)
}

const membersOfZipCode = statement<[caller: number, limit: number], PublicMemberRow>(
  `select ${publicColumns} from users u join users me on me.id = $1
   where left(u.zip_code, 5) = left(me.zip_code, 5) and u.id <> $1 and u.suspended_at is null order by u.id limit $2`,
)

const membersOfCity = statement<[caller: number, limit: number], PublicMemberRow>(
  `select ${publicColumns} from users u join users me on me.id = $1
   where u.city is not null and lower(u.state) = lower(me.state) and lower(u.city) = lower(me.city)
     and left(u.zip_code, 5) is distinct from left(me.zip_code, 5) and u.id <> $1 and u.suspended_at is null
   order by u.id limit $2`,
)

/** Returns members of the caller's ZIP code first, then those of the same city. */
export async function listMembersNear(
  db: Db<Tables>,
  caller: number,
  limit: number,
): Promise<PublicMemberRow[]> {
  const closest = await membersOfZipCode(db, caller, limit)
  return closest.length < limit
    ? [...closest, ...(await membersOfCity(db, caller, limit - closest.length))]
    : closest
}

/** Stores a block unless it exists. */
export async function insertBlock(db: Db<Tables>, blocker_id: number, blocked_id: number): Promise<void> {
  await db
    .insertInto('blocks')
    .values({ blocker_id, blocked_id })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Returns false if there was no block. */
export async function deleteBlock(db: Db<Tables>, blocker_id: number, blocked_id: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('blocks')
    .where('blocker_id', '=', blocker_id)
    .where('blocked_id', '=', blocked_id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Returns up to 1,000 blocked members. */
export function listBlocked(db: Db<Tables>, blocker_id: number) {
  return db
    .selectFrom('blocks')
    .innerJoin('users', 'users.id', 'blocks.blocked_id')
    .select(['users.id', 'users.username', 'users.picture_name'])
    .where('blocker_id', '=', blocker_id)
    .orderBy('blocks.blocked_id')
    .limit(1000)
    .execute()
}
