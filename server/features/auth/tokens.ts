import { createHash, randomBytes } from 'node:crypto'

/** 256 random bits that only their holder knows; the database keeps the hash. */
export function newToken(): { token: string; hash: Buffer } {
  const token = randomBytes(32).toString('base64url')
  return { token, hash: hashOfToken(token) }
}

export function hashOfToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
