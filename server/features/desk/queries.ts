import { type Insertable, sql } from 'kysely'
import type { AuditAction, AuditTarget } from '#contract/desk.ts'
import type { DeskRole } from '#contract/desk-roles.ts'
import { anyOf } from '#server/platform/db/expressions.ts'
import type { Db, Tables, Tx } from '#server/tables.ts'

export async function findRoleOf(db: Db, userId: number): Promise<DeskRole | undefined> {
  const member = await db
    .selectFrom('desk_roles')
    .select('role')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return member?.role
}

/** Serializes the changes of roles until the transaction ends. */
export async function lockRoles(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('rhubarb: desk roles', 0))`.execute(tx)
}

export async function listRoles(db: Db) {
  return db
    .selectFrom('desk_roles')
    .innerJoin('users', 'users.id', 'user_id')
    .select(['users.id', 'username', 'role', 'granted_at'])
    .orderBy('granted_at')
    .orderBy('users.id')
    .execute()
}

/** Returns the operators who are not suspended. */
export async function listOperators(db: Db): Promise<number[]> {
  const rows = await db
    .selectFrom('desk_roles')
    .innerJoin('users', 'users.id', 'user_id')
    .select('users.id')
    .where('role', '=', 'operator')
    .where('suspended_at', 'is', null)
    .execute()
  return rows.map(({ id }) => id)
}

export async function upsertRole(tx: Tx, user_id: number, role: DeskRole): Promise<void> {
  await tx
    .insertInto('desk_roles')
    .values({ user_id, role })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ role }))
    .execute()
}

/** Returns whether the member had a role. */
export async function deleteRole(tx: Tx, userId: number): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('desk_roles')
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** Returns the member with a username, ignoring case. */
export async function findIdOfUsername(db: Db, username: string): Promise<number | undefined> {
  const member = await db
    .selectFrom('users')
    .select('id')
    .where(sql<string>`lower(username)`, '=', username.toLowerCase())
    .executeTakeFirst()
  return member?.id
}

export async function insertAction(tx: Tx, action: Insertable<Tables['audit_log']>): Promise<number> {
  const { id } = await tx.insertInto('audit_log').values(action).returning('id').executeTakeFirstOrThrow()
  return id
}

export interface AuditFilter {
  readonly action?: AuditAction | undefined
  readonly actor_id?: number | undefined
  readonly target_type?: AuditTarget | undefined
  readonly target_id?: number | undefined
}

function selectActions(db: Db) {
  return db
    .selectFrom('audit_log as a')
    .leftJoin('users as actor', 'actor.id', 'a.actor_id')
    .leftJoin('audit_log as undoing', 'undoing.undoes', 'a.id')
    .select([
      'a.id',
      'a.actor_id',
      'actor.username as actor_name',
      'a.action',
      'a.target_type',
      'a.target_id',
      'a.reason',
      'a.undoes',
      'a.category_was',
      'a.suspension_was',
      'a.was_held',
      'a.created_at',
      'undoing.id as undone_by',
    ])
    .select(
      sql<string | null>`case a.target_type
        when 'member' then (select username from users where id = a.target_id)
        when 'ban' then (select value from bans where id = a.target_id)
        when 'listing' then (select title from listings where id = a.target_id) end`.as('target_name'),
    )
}
export type AuditRow = Awaited<ReturnType<typeof listAuditLog>>[number]

/** Returns actions, newest first. */
export async function listAuditLog(db: Db, filter: AuditFilter, before: number, limit: number) {
  let actions = selectActions(db).where('a.id', '<', before)
  if (filter.action) actions = actions.where('a.action', '=', filter.action)
  if (filter.actor_id !== undefined) actions = actions.where('a.actor_id', '=', filter.actor_id)
  if (filter.target_type) actions = actions.where('a.target_type', '=', filter.target_type)
  if (filter.target_id !== undefined) actions = actions.where('a.target_id', '=', filter.target_id)
  return actions.orderBy('a.id', 'desc').limit(limit).execute()
}

export async function findAction(db: Db, id: number): Promise<AuditRow | undefined> {
  return selectActions(db).where('a.id', '=', id).executeTakeFirst()
}

type EntryOfTarget = Pick<AuditRow, 'id' | 'target_type' | 'target_id'>

/** Selects the entries of a target with some of the actions that are not undone. */
function selectStanding(db: Db, { target_type, target_id }: EntryOfTarget, actions: readonly AuditAction[]) {
  return db
    .selectFrom('audit_log as a')
    .where('a.target_type', '=', target_type)
    .where('a.target_id', '=', target_id)
    .where('a.action', 'in', actions)
    .where(sql<boolean>`not exists (select from audit_log undoing where undoing.undoes = a.id)`)
}

/** Returns whether one of the actions was done to the target of an entry after it. What was undone since, and the undoing, do not count. */
export async function hasLaterAction(
  db: Db,
  entry: EntryOfTarget,
  actions: readonly AuditAction[],
): Promise<boolean> {
  const later = await selectStanding(db, entry, actions)
    .select('a.id')
    .where('a.id', '>', entry.id)
    .where((eb) => eb.or([eb('a.undoes', 'is', null), eb('a.undoes', '<', entry.id)]))
    .limit(1)
    .executeTakeFirst()
  return later !== undefined
}

/** Returns when an action was last done to the target of an entry before it, if that is not undone. */
export async function findEarlierMoment(
  db: Db,
  entry: EntryOfTarget,
  action: AuditAction,
): Promise<string | undefined> {
  const earlier = await selectStanding(db, entry, [action])
    .select('a.created_at')
    .where('a.id', '<', entry.id)
    .orderBy('a.id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return earlier?.created_at
}

/** Returns the usernames of members by their ids. */
export async function listUsernames(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const rows = await db
    .selectFrom('users')
    .select(['id', 'username'])
    .where('id', '=', anyOf([...new Set(ids)]))
    .execute()
  return new Map(rows.map(({ id, username }) => [id, username]))
}
