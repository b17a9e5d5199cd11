import { markRefused } from '#server/features/auth/email-confirmation.ts'
import type { Db } from '#server/tables.ts'
import { hashOfAddress } from './address-hash.ts'
import { updateInvitationsRefused } from './queries.ts'

/** Stops mails to an address whose mailbox takes none: those to its member until they confirm it, and invitations. */
export async function refuseAddress(db: Db, email: string): Promise<void> {
  await markRefused(db, email)
  await updateInvitationsRefused(db, hashOfAddress(email))
}
