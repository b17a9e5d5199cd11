import { hashOfToken } from '#server/features/auth/tokens.ts'

/** Returns the hash under which the invitations to an address are found, ignoring case. */
export function hashOfAddress(email: string): Buffer {
  return hashOfToken(email.toLowerCase())
}
