import { createHmac, randomBytes } from 'node:crypto'
import type { Db } from '#server/platform/db/database.ts'
import type { Tables } from '#server/tables.ts'
import { findKey, insertKey } from './queries.ts'

/** The purposes of keys: push messages (VAPID), and links that work without a login. */
type KeyName = 'vapid' | 'unsubscribe' | 'invitation' | 'listing-reminder'

/** Returns a key that is the same on all nodes. Creates it if it does not exist; of keys created concurrently the first stored counts. */
export async function findOrCreateKey(db: Db<Tables>, name: KeyName, create: () => Buffer): Promise<Buffer> {
  const existing = await findKey(db, name)
  if (existing) return existing
  await insertKey(db, name, create())
  const stored = await findKey(db, name)
  if (!stored) throw new Error(`The key ${name} was not stored`)
  return stored
}

/** Returns the HMAC-SHA256 of a text with the key of this name. */
export async function sign(db: Db<Tables>, name: KeyName, text: string): Promise<Buffer> {
  const key = await findOrCreateKey(db, name, () => randomBytes(32))
  return createHmac('sha256', key).update(text).digest()
}
