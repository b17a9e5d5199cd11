import { type Insertable, sql } from 'kysely'
import type { BanKind } from '#contract/bans.ts'
import { deleteInBatches } from '#server/platform/db/database.ts'
import { anyOf } from '#server/platform/db/expressions.ts'
import type { Db, Row, Tables, Tx } from '#server/tables.ts'

/** Holds for a ban that is not over. */
const isActive = sql<boolean>`lifted_at is null and (ends_at is null or ends_at > now())`

/** Returns the kinds of the bans of a network and of domains. */
export async function findBans(
  db: Db,
  network: string | undefined,
  domains: readonly string[],
): Promise<BanKind[]> {
  const rows = await db
    .selectFrom('bans')
    .select('kind')
    .where(isActive)
    .where((eb) =>
      eb.or([
        eb.and([eb('kind', '=', 'network'), eb('value', '=', network ?? '')]),
        eb.and([eb('kind', '=', 'domain'), eb('value', '=', anyOf(domains))]),
      ]),
    )
    .execute()
  return rows.map(({ kind }) => kind)
}

/** Returns the bans that are not over, newest first. */
export function listBans(db: Db, limit: number) {
  return db
    .selectFrom('bans')
    .leftJoin('users', 'users.id', 'bans.actor_id')
    .select(['bans.id', 'kind', 'value', 'reason', 'actor_id', 'username', 'ends_at', 'bans.created_at'])
    .where(isActive)
    .orderBy('bans.id', 'desc')
    .limit(limit)
    .execute()
}

/** Stores a ban. Returns undefined if the value is banned already. */
export async function insertBan(tx: Tx, ban: Insertable<Tables['bans']>): Promise<number | undefined> {
  await liftEnded(tx, ban)
  const stored = await tx
    .insertInto('bans')
    .values(ban)
    .onConflict((conflict) => conflict.columns(['kind', 'value']).where('lifted_at', 'is', null).doNothing())
    .returning('id')
    .executeTakeFirst()
  return stored?.id
}

/** Makes room for another ban of a value whose ban has ended by itself. */
async function liftEnded(tx: Tx, { kind, value }: Pick<Row<'bans'>, 'kind' | 'value'>): Promise<void> {
  await tx
    .updateTable('bans')
    .set({ lifted_at: sql<string>`ends_at` })
    .where('kind', '=', kind)
    .where('value', '=', value)
    .where('lifted_at', 'is', null)
    .where('ends_at', '<=', sql<string>`now()`)
    .execute()
}

export function findBan(db: Db, id: number): Promise<Row<'bans'> | undefined> {
  return db.selectFrom('bans').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Locks a ban until the transaction ends. */
export async function lockBan(tx: Tx, id: number): Promise<void> {
  await tx.selectFrom('bans').select('id').where('id', '=', id).forUpdate().execute()
}

/** Opens a lifted ban again. Returns false if its time is over. Throws a unique violation of `bans_value` if the value is banned anew. */
export async function updateReopened(tx: Tx, id: number): Promise<boolean> {
  const ban = await findBan(tx, id)
  if (!ban) return false
  await liftEnded(tx, ban)
  const { numUpdatedRows } = await tx
    .updateTable('bans')
    .set({ lifted_at: null })
    .where('id', '=', id)
    .where('lifted_at', 'is not', null)
    .where(sql<boolean>`(ends_at is null or ends_at > now())`)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Lifts a ban. Returns false if it is over. */
export async function updateLifted(tx: Tx, id: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('bans')
    .set({ lifted_at: sql<string>`now()` })
    .where('id', '=', id)
    .where(isActive)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Deletes bans that were over so many days ago. */
export async function deleteOldBans(db: Db, days: number): Promise<void> {
  const before = sql`now() - make_interval(days => ${days})`
  await deleteInBatches(db, 'bans', sql`lifted_at < ${before}`)
  await deleteInBatches(db, 'bans', sql`ends_at < ${before}`)
}

export async function insertNetwork(
  tx: Tx,
  registered: Insertable<Tables['registration_networks']>,
): Promise<void> {
  await tx.insertInto('registration_networks').values(registered).execute()
}

/** Deletes the networks of registrations that are so many days old. */
export async function deleteOldNetworks(db: Db, days: number): Promise<void> {
  await deleteInBatches(db, 'registration_networks', sql`created_at < now() - make_interval(days => ${days})`)
}
