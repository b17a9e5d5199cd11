import { type Insertable, type Selectable, sql } from 'kysely'
import type { Db, Tables } from '#server/tables.ts'
import type { TradeRows } from './rows.ts'

export async function hasMembers(db: Db): Promise<boolean> {
  return (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined
}

/** Blocks registrations and other fills until the transaction ends. */
export async function lockMembers(tx: Db): Promise<void> {
  await sql`lock table users in share row exclusive mode`.execute(tx)
}

/** Inserts rows and returns them as stored. */
export async function insertRows<Table extends keyof Tables>(
  tx: Db,
  table: Table,
  rows: readonly Insertable<Tables[Table]>[],
): Promise<Selectable<Tables[Table]>[]> {
  if (rows.length === 0) return []
  return tx.insertInto(table).values(rows).returningAll().execute()
}

/** Sets the picture of each member to their avatar, which already has its row in `images`. */
export async function updatePictures(tx: Db): Promise<void> {
  await sql`update users u set picture_name = i.name from images i where i.owner_id = u.id and i.purpose = 'avatar'`.execute(
    tx,
  )
}

export async function insertTrade(tx: Db, { trade, legs, thanks }: TradeRows): Promise<void> {
  const { id: trade_id } = await tx
    .insertInto('trades')
    .values(trade)
    .returning('id')
    .executeTakeFirstOrThrow()
  const members = new Set(legs.flatMap(({ giver_id, taker_id }) => [giver_id, taker_id]))
  const is_open = trade.expires_at !== null
  const legRows = legs.map((leg) => ({ ...leg, trade_id }))
  const partyRows = [...members].map((member_id) => ({ trade_id, member_id, is_open }))
  const thanksRows = thanks.map((row) => ({ ...row, trade_id }))
  await insertRows(tx, 'trade_legs', legRows)
  await insertRows(tx, 'trade_parties', partyRows)
  await insertRows(tx, 'thanks', thanksRows)
}

export async function findPasswordHash(db: Db, email: string): Promise<string | undefined> {
  const member = await db
    .selectFrom('users')
    .select('password_hash')
    .where('email', '=', email)
    .executeTakeFirst()
  return member?.password_hash
}
