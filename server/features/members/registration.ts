import type { Deps } from '#server/deps.ts'
import { storeNetwork } from '#server/features/bans/bans.ts'
import type { Tables, Tx } from '#server/tables.ts'
import { findProfile, insertMember } from './queries.ts'
import { claimNames } from './taken-names.ts'

export type NewAccount = Pick<
  Tables['users'],
  'first_name' | 'last_name' | 'username' | 'password_hash' | 'language'
> & { readonly email: string }

interface Registered {
  readonly network: string
  /** When a member registered who has waited since. Otherwise it is now. */
  readonly registered_at?: string
  /** The `invite` of a member's link. An invalid one is ignored. */
  readonly invitation: string | undefined
  /** True if the member has waited for a moderator. */
  readonly is_approved: boolean
}

export const newProfile = findProfile

/** Creates the account of a new member and returns its id. Throws `conflict` if the username or e-mail is taken. */
export async function createMember(
  { events }: Pick<Deps, 'events'>,
  tx: Tx,
  account: NewAccount,
  { network, registered_at, ...registered }: Registered,
): Promise<number> {
  await claimNames(tx, account, null)
  const user_id = await insertMember(tx, account)
  await storeNetwork(tx, { user_id, network, ...(registered_at && { created_at: registered_at }) })
  await events.publish(tx, 'member_registered', { user_id, ...registered })
  return user_id
}
