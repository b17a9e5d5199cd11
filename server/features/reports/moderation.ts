import type { CategoryId } from '#contract/constants.ts'
import { deskMemberMessages } from '#contract/desk-members.ts'
import { listingMessages } from '#contract/listings.ts'
import type { SiteRule } from '#contract/report-cases.ts'
import type { Deps, Publisher } from '#server/deps.ts'
import { forgetSuspension, storeSuspension } from '#server/features/auth/suspensions.ts'
import { type DeskActor, recordAction } from '#server/features/desk/audit.ts'
import { findRole, memberNamed } from '#server/features/desk/roles.ts'
import { changeInTransaction, removeLocked, setHidden } from '#server/features/listings/edit.ts'
import { setSuspended } from '#server/features/members/account.ts'
import { restoreMessages } from '#server/features/messages/withdrawal.ts'
import { inTransaction } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Tx } from '#server/tables.ts'
import { findListingOf } from './case-queries.ts'
import { tellMember } from './notices.ts'

/** Who acts, and why: the rule and the reason are told to the member. */
export interface Because {
  readonly actor: DeskActor
  readonly rule?: SiteRule | undefined
  readonly reason?: string
  /** The id of the action in the audit log that this one undoes. */
  readonly undoes?: number
}

const byShell: Because = { actor: null }

type ActionDeps = Pick<Deps, 'events' | 'jobs'> & Publisher

/** Hides a listing from everyone except its owner, or shows it again, and tells the owner. Throws `not_found`. */
export async function hideListing(
  deps: ActionDeps & Pick<Deps, 'db'>,
  id: number,
  hidden: boolean,
  because: Because = byShell,
): Promise<void> {
  await inTransaction(deps.db, (tx) => hideInTransaction(deps, tx, id, hidden, because))
}

export async function hideInTransaction(
  deps: ActionDeps,
  tx: Tx,
  id: number,
  hidden: boolean,
  { actor, rule, reason, undoes }: Because,
): Promise<void> {
  await setHidden(deps, tx, id, hidden)
  const action = hidden ? 'listing_hidden' : 'listing_shown'
  await recordAction(tx, actor, { action, target: ['listing', id], reason, undoes })
  const { owner_id, title } = await requireListing(tx, id)
  await tellMember(deps, tx, owner_id, { kind: action, title, rule: rule ?? null, text: reason ?? null })
}

/** Corrects the category of a listing, which is indexed and matched again, and tells the owner. Throws `not_found`. */
export async function categorizeInTransaction(
  deps: ActionDeps,
  tx: Tx,
  id: number,
  category_id: CategoryId | null,
  { actor, reason, undoes }: Because,
): Promise<void> {
  const { owner_id, title, category_id: category_was } = await requireListing(tx, id)
  await changeInTransaction(deps, tx, { id, owner_id }, { category_id })
  const action = 'listing_categorized'
  await recordAction(tx, actor, { action, target: ['listing', id], reason, undoes, category_was })
  await tellMember(deps, tx, owner_id, { kind: action, title, text: reason ?? null })
}

/** Deletes a listing and tells its owner. Throws `not_found`. */
export async function removeInTransaction(
  deps: ActionDeps,
  tx: Tx,
  id: number,
  { actor, rule, reason }: Because,
): Promise<void> {
  const { owner_id, title } = await requireListing(tx, id)
  await removeLocked(deps, tx, { id, owner_id })
  await recordAction(tx, actor, { action: 'listing_removed', target: ['listing', id], reason })
  await tellMember(deps, tx, owner_id, {
    kind: 'listing_removed',
    title,
    rule: rule ?? null,
    text: reason ?? null,
  })
}

/** Suspends a member: ends all sessions, refuses logins and hides the listings. Throws `not_found`. */
export async function suspendMember(
  deps: ActionDeps & Pick<Deps, 'db' | 'sessions'>,
  username: string,
): Promise<void> {
  const id = await memberNamed(deps.db, username)
  await deps.sessions.closeAll(id, {}, (tx) => suspendInTransaction(deps, tx, id, byShell))
}

/** Warns a member in the app and by mail. */
export async function warnInTransaction(
  deps: ActionDeps,
  tx: Tx,
  user_id: number,
  { actor, rule, reason }: Because,
): Promise<void> {
  await recordAction(tx, actor, { action: 'member_warned', target: ['member', user_id], reason })
  await tellMember(deps, tx, user_id, { kind: 'warned', rule: rule ?? null, text: reason ?? null })
}

/** Throws `conflict` if a moderator acts on themselves or on a member with a role. An operator may act on moderators. */
export async function requireNoRole(tx: Tx, actor: DeskActor, user_id: number): Promise<void> {
  if (actor === null) return
  if (actor === user_id) throw new AppError('conflict', deskMemberMessages.self)
  const role = await findRole(tx, user_id)
  if (role === 'operator' || (role && (await findRole(tx, actor)) !== 'operator'))
    throw new AppError('conflict', deskMemberMessages.hasRole)
}

/** Suspends a member in a transaction that ends the sessions. The member is told by mail, and at the next login. */
export async function suspendInTransaction(
  deps: ActionDeps,
  tx: Tx,
  user_id: number,
  { actor, rule, reason, days = null }: Because & { readonly days?: number | null },
): Promise<void> {
  await requireNoRole(tx, actor, user_id)
  await setSuspended(deps, tx, user_id, true)
  await recordAction(tx, actor, { action: 'member_suspended', target: ['member', user_id], reason })
  if (rule === undefined || reason === undefined) return
  const ends_at = days === null ? null : new Date(Date.now() + days * 24 * 60 * 60 * 1000).toISOString()
  await storeSuspension(tx, { user_id, rule, reason, ends_at })
  await tellMember(deps, tx, user_id, { kind: 'suspended', rule, text: reason })
}

/** Ends the suspension of a member and shows their listings again. Throws `not_found`. */
export async function restoreMember(deps: ActionDeps & Pick<Deps, 'db'>, username: string): Promise<void> {
  const id = await memberNamed(deps.db, username)
  await inTransaction(deps.db, (tx) => restoreInTransaction(deps, tx, id, byShell))
}

export async function restoreInTransaction(
  deps: ActionDeps,
  tx: Tx,
  id: number,
  { actor, reason, undoes }: Because,
): Promise<void> {
  await setSuspended(deps, tx, id, false)
  await forgetSuspension(tx, id)
  await recordAction(tx, actor, { action: 'member_restored', target: ['member', id], reason, undoes })
  await tellMember(deps, tx, id, { kind: 'restored' })
}

/** Shows the withdrawn messages of a member to their receivers again. */
export async function restoreMessagesInTransaction(
  deps: ActionDeps,
  tx: Tx,
  id: number,
  { actor, reason, undoes }: Because,
): Promise<void> {
  await restoreMessages(deps, tx, id)
  await recordAction(tx, actor, { action: 'messages_restored', target: ['member', id], reason, undoes })
}

async function requireListing(tx: Tx, id: number) {
  const listing = await findListingOf(tx, id)
  if (!listing) throw new AppError('not_found', listingMessages.notFound)
  return listing
}
