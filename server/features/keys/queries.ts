import { type Db, statement } from '#server/platform/db/database.ts'
import type { Tables } from '#server/tables.ts'

const keyOf = statement<[name: string], { key: Buffer }>('select key from signing_keys where name = $1')

export async function findKey(db: Db<Tables>, name: string): Promise<Buffer | undefined> {
  const [found] = await keyOf(db, name)
  return found?.key
}

/** Leaves the key that is there. */
export async function insertKey(db: Db<Tables>, name: string, key: Buffer): Promise<void> {
  await db
    .insertInto('signing_keys')
    .values({ name, key })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
