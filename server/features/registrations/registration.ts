import { authMessages, type Profile, type Registration } from '#contract/auth.ts'
import { invitationMessages } from '#contract/invitations.ts'
import type { Language } from '#contract/languages.ts'
import type { Deps, Publisher } from '#server/deps.ts'
import { hashChosenPassword, rethrowConflict } from '#server/features/auth/credentials.ts'
import { storeRegistrationRequest } from '#server/features/auth/registration-requests.ts'
import { requireNoBan } from '#server/features/bans/bans.ts'
import { findInviterBy } from '#server/features/invitations/invitation-link.ts'
import { createMember, type NewAccount, newProfile } from '#server/features/members/registration.ts'
import { claimNames } from '#server/features/members/taken-names.ts'
import { remindDesk } from '#server/features/reports/notices.ts'
import { inTransaction } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { networkOf } from '#server/platform/http/network.ts'

type RegistrationDeps = Pick<Deps, 'db' | 'events' | 'jobs' | 'site'> & Publisher

/**
 * Registers a member, with the best language for their browser, or stores a request on a site by approval. Throws `invalid` for a common
 * password and a banned domain, `forbidden` for a banned network and without the invitation that the site needs, and `conflict` if the
 * username or e-mail is taken.
 */
export async function registerPerson(
  deps: RegistrationDeps,
  { password, invitation, ...person }: Registration,
  { address, language }: { address: string; language: Language | undefined },
): Promise<Profile | { message: string }> {
  const { registration } = deps.site.current()
  if (registration === 'invitation') await requireInvitation(deps, invitation)
  const network = networkOf(address)
  await requireNoBan(deps.db, { email: person.email, network })
  const password_hash = await hashChosenPassword(password, 'password', person)
  const account = { ...person, password_hash, language: language ?? null }
  const origin = { network, invitation }
  if (registration === 'approval') return storeRequest(deps, account, origin)
  const id = await inTransaction(deps.db, (tx) =>
    createMember(deps, tx, account, { ...origin, is_approved: false }),
  ).catch(rethrowConflict)
  return newProfile(deps.db, id)
}

/** Throws `forbidden` without a valid invitation. */
async function requireInvitation({ db }: Pick<Deps, 'db'>, invitation = ''): Promise<void> {
  if (!(await findInviterBy(db, invitation))) throw new AppError('forbidden', invitationMessages.needed)
}

/** Stores who waits for a moderator, and reminds the desk. */
async function storeRequest(
  deps: RegistrationDeps,
  account: NewAccount,
  { network, invitation }: { network: string; invitation: string | undefined },
): Promise<{ message: string }> {
  await inTransaction(deps.db, async (tx) => {
    await claimNames(tx, account, null)
    await storeRegistrationRequest(tx, { ...account, network, invitation: invitation ?? null })
    await remindDesk(deps, tx, 'registrations_waiting')
  }).catch(rethrowConflict)
  return { message: authMessages.requested }
}
