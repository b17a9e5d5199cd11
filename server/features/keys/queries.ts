import type { Db } from '#server/tables.ts'

export async function findKey(db: Db, name: string): Promise<Buffer | undefined> {
  const found = await db.selectFrom('signing_keys').select('key').where('name', '=', name).executeTakeFirst()
  return found?.key
}

/** Stores a key unless one exists. */
export async function insertKey(db: Db, name: string, key: Buffer): Promise<void> {
  await db
    .insertInto('signing_keys')
    .values({ name, key })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
