import { createHmac, randomBytes } from 'node:crypto'
import type { Db } from '#server/platform/db/database.ts'
import type { Tables } from '#server/tables.ts'
import { findKey, insertKey } from './queries.ts'

/** The uses of keys: push messages, and links that work without a login. */
type Name = 'vapid' | 'unsubscribe' | 'invitation' | 'listing-reminder'

/** Returns a key that is the same on all nodes. It is created on its first use; of concurrent ones the first stored is used. */
export async function ownKey(db: Db<Tables>, name: Name, create: () => Buffer): Promise<Buffer> {
  const existing = await findKey(db, name)
  if (existing) return existing
  await insertKey(db, name, create())
  const stored = await findKey(db, name)
  if (!stored) throw new Error(`The key ${name} was not stored`)
  return stored
}

/** Returns the HMAC-SHA256 of a text by our key of this name. */
export async function sign(db: Db<Tables>, name: Name, text: string): Promise<Buffer> {
  const key = await ownKey(db, name, () => randomBytes(32))
  return createHmac('sha256', key).update(text).digest()
}
