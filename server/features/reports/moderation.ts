import type { CategoryId } from '#contract/constants.ts'
import { deskListingMessages } from '#contract/desk-listings.ts'
import { deskMemberMessages } from '#contract/desk-members.ts'
import { listingMessages } from '#contract/listings.ts'
import type { SiteRule } from '#contract/report-cases.ts'
import type { Deps, Publisher } from '#server/deps.ts'
import { endPause, storePause } from '#server/features/auth/pauses.ts'
import { forgetSuspension, storeAppealAnswer, storeSuspension } from '#server/features/auth/suspensions.ts'
import { type DeskActor, recordAction } from '#server/features/desk/audit.ts'
import { findRole, memberNamed } from '#server/features/desk/roles.ts'
import { changeInTransaction, removeLocked, setHidden } from '#server/features/listings/edit.ts'
import { setSuspended } from '#server/features/members/account.ts'
import { lockMembers } from '#server/features/members/lock-members.ts'
import { restoreMessages } from '#server/features/messages/withdrawal.ts'
import { inTransaction } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { PastSuspension, Row, Tx } from '#server/tables.ts'
import { lockListings } from './desk-listing-queries.ts'
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

/** Hides a listing like `hideInTransaction`. */
export async function hideListing(
  deps: ActionDeps & Pick<Deps, 'db'>,
  id: number,
  hidden: boolean,
  because: Because = byShell,
): Promise<void> {
  await inTransaction(deps.db, (tx) => hideInTransaction(deps, tx, [id], hidden, because))
}

/** Returns whether a listing is hidden or shown already. One that waits can be hidden for good. */
export function isAlready(
  hidden: boolean,
  { hidden_at, is_held }: Pick<Row<'listings'>, 'hidden_at' | 'is_held'>,
): boolean {
  return hidden ? hidden_at !== null && !is_held : hidden_at === null
}

/**
 * Hides listings from everyone except their owners, or shows them again. Tells each owner once. Throws `not_found`, and `conflict` if one
 * is so already, for example because another moderator was faster.
 */
export async function hideInTransaction(
  deps: ActionDeps,
  tx: Tx,
  ids: readonly number[],
  hidden: boolean,
  { actor, rule, reason, undoes }: Because,
): Promise<void> {
  const action = hidden ? 'listing_hidden' : 'listing_shown'
  const listings = await requireListings(tx, ids)
  if (listings.some((listing) => isAlready(hidden, listing)))
    throw new AppError('conflict', deskListingMessages.doneAlready)
  for (const { id, is_held: was_held } of listings) {
    await setHidden(deps, tx, id, hidden)
    await recordAction(tx, actor, { action, target: ['listing', id], reason, undoes, was_held })
  }
  const told = { rule: rule ?? null, text: reason ?? null }
  const { first = [], others = [] } = Object.groupBy(listings, ({ is_held }) =>
    is_held && !hidden ? 'first' : 'others',
  )
  await tellOwners(deps, tx, first, { kind: 'first_listing_shown', ...told })
  await tellOwners(deps, tx, others, { kind: action, ...told })
}

/** Corrects the category of listings, which are indexed and matched again. Tells each owner once. Throws `not_found`. */
export async function categorizeInTransaction(
  deps: ActionDeps,
  tx: Tx,
  ids: readonly number[],
  category_id: CategoryId | null,
  { actor, reason, undoes }: Because,
): Promise<void> {
  const action = 'listing_categorized'
  const listings = await requireListings(tx, ids)
  for (const { id, owner_id, category_id: category_was } of listings) {
    await changeInTransaction(deps, tx, { id, owner_id }, { category_id })
    await recordAction(tx, actor, { action, target: ['listing', id], reason, undoes, category_was })
  }
  await tellOwners(deps, tx, listings, { kind: action, text: reason ?? null }, category_id)
}

/** Deletes a listing and tells its owner. Throws `not_found`. */
export async function removeInTransaction(
  deps: ActionDeps,
  tx: Tx,
  id: number,
  { actor, rule, reason }: Because,
): Promise<void> {
  const action = 'listing_removed'
  const listings = await requireListings(tx, [id])
  for (const listing of listings) await removeLocked(deps, tx, listing)
  await recordAction(tx, actor, { action, target: ['listing', id], reason })
  await tellOwners(deps, tx, listings, { kind: action, rule: rule ?? null, text: reason ?? null })
}

/** Suspends a member: ends all sessions, refuses logins and hides the listings. Throws `not_found`. */
export async function suspendMember(
  deps: ActionDeps & Pick<Deps, 'db' | 'sessions'>,
  username: string,
): Promise<void> {
  const id = await memberNamed(deps.db, username)
  await deps.sessions.closeAll(id, {}, (tx) =>
    suspendInTransaction(deps, tx, id, byShell, { rule: null, reason: null, ends_at: null }),
  )
}

/** Warns a member in the app and by mail. Throws like `requireNoRole`. */
export async function warnInTransaction(
  deps: ActionDeps,
  tx: Tx,
  user_id: number,
  { actor, rule, reason }: Because,
): Promise<void> {
  await requireNoRole(tx, actor, user_id)
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

/** Returns the end of a suspension for some days, or null. */
export function endAfter(days: number | null | undefined): string | null {
  return days ? momentAfter(days) : null
}

/** Returns the moment that is so many days after now. */
export function momentAfter(days: number): string {
  return new Date(Date.now() + days * 24 * 60 * 60 * 1000).toISOString()
}

/**
 * Suspends a member in a transaction that ends the sessions. The member is told the rule and the reason of the suspension by mail, and at
 * the next login. Throws like `requireNoRole`, and `conflict` if they are suspended already: the first suspension keeps its end and appeal.
 */
export async function suspendInTransaction(
  deps: ActionDeps,
  tx: Tx,
  user_id: number,
  { actor, reason: why, undoes }: Because,
  { rule, reason, ends_at }: PastSuspension,
): Promise<void> {
  await requireNoRole(tx, actor, user_id)
  const [active] = await lockMembers(tx, [user_id])
  if (active === undefined) throw new AppError('conflict', deskMemberMessages.suspended)
  await setSuspended(deps, tx, user_id, true)
  const target = ['member', user_id] as const
  await recordAction(tx, actor, { action: 'member_suspended', target, reason: why, undoes })
  // A command of the shell says no more. The member can appeal anyway.
  await storeSuspension(tx, { user_id, rule: rule ?? 'other', reason: reason ?? '', ends_at })
  if (!reason) return
  await tellMember(deps, tx, user_id, { kind: 'suspended', rule, text: reason })
}

/**
 * Answers the appeal of a member who stays suspended. The member is told by mail, and at the next login. Throws like `requireNoRole`, and
 * `conflict` if no appeal waits for an answer, for example because another moderator was faster.
 */
export async function keepSuspensionInTransaction(
  deps: ActionDeps,
  tx: Tx,
  user_id: number,
  { actor, reason = '' }: Because,
): Promise<void> {
  await requireNoRole(tx, actor, user_id)
  const [active] = await lockMembers(tx, [user_id])
  if (active !== undefined) throw new AppError('conflict', deskMemberMessages.notSuspended)
  if (!(await storeAppealAnswer(tx, user_id, reason)))
    throw new AppError('conflict', deskMemberMessages.noAppeal)
  await recordAction(tx, actor, { action: 'suspension_kept', target: ['member', user_id], reason })
  await tellMember(deps, tx, user_id, { kind: 'suspension_kept', text: reason })
}

/** Pauses a member until a moment: they write to no strangers and post no listings. The member is told in the app and by mail. */
export async function pauseInTransaction(
  deps: ActionDeps,
  tx: Tx,
  user_id: number,
  { actor, rule, reason, undoes }: Because,
  ends_at: string,
): Promise<void> {
  await requireNoRole(tx, actor, user_id)
  await storePause(tx, user_id, ends_at)
  await recordAction(tx, actor, { action: 'member_paused', target: ['member', user_id], reason, undoes })
  await tellMember(deps, tx, user_id, { kind: 'paused', rule: rule ?? null, text: reason ?? null, ends_at })
}

/** Ends the pause of a member and tells them. Throws like `requireNoRole`, and `conflict` if there is none, or it is over. */
export async function unpauseInTransaction(
  deps: ActionDeps,
  tx: Tx,
  user_id: number,
  { actor, reason, undoes }: Because,
): Promise<void> {
  await requireNoRole(tx, actor, user_id)
  if (!(await endPause(tx, user_id))) throw new AppError('conflict', deskMemberMessages.notPaused)
  await recordAction(tx, actor, { action: 'member_unpaused', target: ['member', user_id], reason, undoes })
  await tellMember(deps, tx, user_id, { kind: 'unpaused' })
}

/** Ends a suspension like `restoreInTransaction`. */
export async function restoreMember(deps: ActionDeps & Pick<Deps, 'db'>, username: string): Promise<void> {
  const id = await memberNamed(deps.db, username)
  await inTransaction(deps.db, (tx) => restoreInTransaction(deps, tx, id, byShell))
}

/**
 * Ends the suspension of a member, shows their listings again and tells them. Throws like `requireNoRole`, and `conflict` if they are not
 * suspended, for example because another moderator was faster.
 */
export async function restoreInTransaction(
  deps: ActionDeps,
  tx: Tx,
  id: number,
  { actor, reason, undoes }: Because,
): Promise<void> {
  await requireNoRole(tx, actor, id)
  const [active] = await lockMembers(tx, [id])
  if (active !== undefined) throw new AppError('conflict', deskMemberMessages.notSuspended)
  const suspension_was = await forgetSuspension(tx, id)
  await setSuspended(deps, tx, id, false)
  const target = ['member', id] as const
  await recordAction(tx, actor, { action: 'member_restored', target, reason, undoes, suspension_was })
  await tellMember(deps, tx, id, { kind: 'restored' })
}

/** Shows the withdrawn messages of a member to their receivers again: those that are younger than a moment, if there is one. */
export async function restoreMessagesInTransaction(
  deps: ActionDeps,
  tx: Tx,
  id: number,
  { actor, reason, undoes }: Because,
  after: string | undefined,
): Promise<void> {
  await requireNoRole(tx, actor, id)
  await restoreMessages(deps, tx, id, after)
  await recordAction(tx, actor, { action: 'messages_restored', target: ['member', id], reason, undoes })
}

/** Tells each owner of listings once what was done with them. `category` is the new one, after a correction. */
async function tellOwners(
  deps: ActionDeps,
  tx: Tx,
  listings: Awaited<ReturnType<typeof requireListings>>,
  notice: Parameters<typeof tellMember>[3],
  category?: CategoryId | null,
): Promise<void> {
  for (const [owner, owned] of Map.groupBy(listings, ({ owner_id }) => owner_id))
    await tellMember(deps, tx, owner, {
      ...notice,
      listings: owned.map(({ title, category_id }) => ({
        title,
        category: category === undefined ? null : { from: category_id, to: category },
      })),
    })
}

/** Locks listings until the transaction ends. Throws `not_found` if one is deleted. */
async function requireListings(tx: Tx, ids: readonly number[]) {
  const listings = await lockListings(tx, ids)
  if (listings.length < ids.length) throw new AppError('not_found', listingMessages.notFound)
  return listings
}
