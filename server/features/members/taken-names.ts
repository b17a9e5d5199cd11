import { emailTaken, usernameTaken } from '#server/features/auth/credentials.ts'
import type { Tx } from '#server/tables.ts'
import {
  deleteFormerUsername,
  insertFormerUsername,
  isEmailTaken,
  isUsernameTaken,
  lockEmail,
  lockUsername,
} from './taken-name-queries.ts'

/** The names that nobody else may have. */
interface Names {
  readonly username?: string | null | undefined
  readonly email?: string | null | undefined
}

/**
 * Claims names for a member who changes them, or for somebody who registers or waits for a moderator. Throws `conflict` if another member
 * or somebody who waits has the e-mail or a username that looks the same, or if another member gave such a username up within 30 days.
 */
export async function claimNames(tx: Tx, { username, email }: Names, userId: number | null): Promise<void> {
  // Always in this order, so that two transactions do not wait for each other.
  if (username) {
    await lockUsername(tx, username)
    if (await isUsernameTaken(tx, username, userId)) throw usernameTaken()
    await deleteFormerUsername(tx, username)
  }
  if (email) {
    await lockEmail(tx, email)
    if (await isEmailTaken(tx, email, userId)) throw emailTaken()
  }
}

/** Gives up the username of a member who is then deleted or gets another one. Others can't claim it for 30 days. */
export async function giveUpUsername(tx: Tx, userId: number): Promise<void> {
  await insertFormerUsername(tx, userId)
}
