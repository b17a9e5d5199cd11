import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Db } from '#server/tables.ts'
import { findKey, insertKey } from './queries.ts'

/** The purposes of keys: push messages (VAPID), and links that work without a login. */
type KeyName = 'vapid' | 'unsubscribe' | 'invitation' | 'stop-invitations' | 'listing-reminder'

/** Returns a key if it exists. */
export function readKey(db: Db, name: KeyName): Promise<Buffer | undefined> {
  return findKey(db, name)
}

/** Returns a key that is the same on all nodes. Creates it if it does not exist; of keys created concurrently the first stored counts. */
export async function findOrCreateKey(db: Db, name: KeyName, create: () => Buffer): Promise<Buffer> {
  const existing = await findKey(db, name)
  if (existing) return existing
  await insertKey(db, name, create())
  const stored = await findKey(db, name)
  if (!stored) throw new Error(`The key ${name} was not stored`)
  return stored
}

/** Returns the signature of a text, the first bytes of an HMAC-SHA256 in Base64url. */
export async function sign(db: Db, name: KeyName, text: string, bytes = 32): Promise<string> {
  return hmac(await signingKey(db, name), text, bytes)
}

/** Returns whether `signature` is the result of `sign`. */
export async function isSigned(db: Db, name: KeyName, text: string, signature: string, bytes?: number) {
  return isSignedAmong(db, name, [text], signature, bytes)
}

/** Returns whether `signature` is the result of `sign` for one of the texts. */
export async function isSignedAmong(
  db: Db,
  name: KeyName,
  texts: readonly string[],
  signature: string,
  bytes = 32,
): Promise<boolean> {
  const key = await signingKey(db, name)
  const actual = Buffer.from(signature)
  return texts.some((text) => {
    const expected = Buffer.from(hmac(key, text, bytes))
    return actual.length === expected.length && timingSafeEqual(actual, expected)
  })
}

function signingKey(db: Db, name: KeyName): Promise<Buffer> {
  return findOrCreateKey(db, name, () => randomBytes(32))
}

function hmac(key: Buffer, text: string, bytes: number): string {
  return createHmac('sha256', key).update(text).digest().subarray(0, bytes).toString('base64url')
}
