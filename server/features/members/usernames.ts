import { usernameTaken } from '#server/features/auth/credentials.ts'
import type { Tx } from '#server/tables.ts'
import {
  deleteFormerUsername,
  insertFormerUsername,
  isUsernameTaken,
  lockUsername,
} from './username-queries.ts'

/**
 * Claims a username for a new member, or for a member who changes it. Throws `conflict` if another member has one that looks the same,
 * or gave one up within 30 days.
 */
export async function claimUsername(tx: Tx, username: string, userId: number | null): Promise<void> {
  await lockUsername(tx, username)
  if (await isUsernameTaken(tx, username, userId)) throw usernameTaken()
  await deleteFormerUsername(tx, username)
}

/** Throws `conflict` if a member has a username that looks the same, or gave one up within 30 days. */
export async function requireUsername(tx: Tx, username: string): Promise<void> {
  if (await isUsernameTaken(tx, username, null)) throw usernameTaken()
}

/** Claims a member's new username. Others can't claim the current one for 30 days. Throws `conflict` like `claimUsername`. */
export async function replaceUsername(tx: Tx, userId: number, username: string): Promise<void> {
  await giveUpUsername(tx, userId)
  await claimUsername(tx, username, userId)
}

/** Gives up the username of a member who is then deleted or gets another one. */
export async function giveUpUsername(tx: Tx, userId: number): Promise<void> {
  await insertFormerUsername(tx, userId)
}
