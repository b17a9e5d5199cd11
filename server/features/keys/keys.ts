import { type Db, statement } from '#server/platform/db/database.ts'
import type { Tables } from '#server/tables.ts'

/** What is signed or sealed with them: push messages, links that work without a login, cursors. */
type Name = 'vapid' | 'unsubscribe' | 'cursors'

const findKey = statement<[name: string], { key: Buffer }>('select key from signing_keys where name = $1')

/** A key of our own, the same on all nodes: made when it is first asked for, of which the first that is stored stays. */
export async function ownKey(db: Db<Tables>, name: Name, make: () => Buffer): Promise<Buffer> {
  const [known] = await findKey(db, name)
  if (known) return known.key
  await db
    .insertInto('signing_keys')
    .values({ name, key: make() })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const [stored] = await findKey(db, name)
  if (!stored) throw new Error(`The key ${name} was not stored`)
  return stored.key
}
