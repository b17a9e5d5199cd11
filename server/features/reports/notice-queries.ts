import type { Insertable } from 'kysely'
import type { Db, Row, Tables, Tx } from '#server/tables.ts'

export async function insertNotice(tx: Tx, notice: Insertable<Tables['notices']>): Promise<number> {
  const { id } = await tx.insertInto('notices').values(notice).returning('id').executeTakeFirstOrThrow()
  return id
}

export function findNotice(db: Db, id: number): Promise<Row<'notices'> | undefined> {
  return db.selectFrom('notices').selectAll().where('id', '=', id).executeTakeFirst()
}
