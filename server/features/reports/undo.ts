import type { AuditAction, UndoableAction } from '#contract/desk.ts'
import { actionsOfOperators, undoableActions } from '#contract/desk.ts'
import { errorMessages } from '#contract/error-messages.ts'
import { caseMessages } from '#contract/report-cases.ts'
import type { Deps } from '#server/deps.ts'
import { findEntry, isSuperseded, momentBefore } from '#server/features/desk/audit.ts'
import { banAgainInTransaction, liftInTransaction, lockBan } from '#server/features/desk/bans.ts'
import { findRole } from '#server/features/desk/roles.ts'
import { lockMembers } from '#server/features/members/lock-members.ts'
import { inTransaction } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Caller } from '#server/platform/http/route.ts'
import type { Tx } from '#server/tables.ts'
import { isMember } from './case-queries.ts'
import { lockListings } from './desk-listing-queries.ts'
import {
  type Because,
  categorizeInTransaction,
  hideInTransaction,
  restoreInTransaction,
  restoreMessagesInTransaction,
  suspendInTransaction,
  unpauseInTransaction,
} from './moderation.ts'

type UndoDeps = Pick<Deps, 'db' | 'events' | 'jobs' | 'realtime' | 'sessions'>
type Entry = NonNullable<Awaited<ReturnType<typeof findEntry>>>

interface Undoing {
  readonly deps: UndoDeps
  readonly tx: Tx
  readonly entry: Entry
  readonly because: Because
}

/**
 * Undoes an action. Throws `not_found`, `forbidden` for an action that only operators undo, and `conflict` for another kind of action, one that was undone, and one after which the same thing
 * was changed again.
 */
export async function undo(
  deps: UndoDeps,
  { id: actor, session }: Caller,
  id: number,
  reason: string,
): Promise<void> {
  const found = await findEntry(deps.db, id)
  if (!found) throw new AppError('not_found', errorMessages.notFound)
  const { action, target_id } = found
  if (!isUndoable(action)) throw conflict('notUndoable')
  if (actionsOfOperators.includes(action) && (await findRole(deps.db, actor)) !== 'operator')
    throw new AppError('forbidden', caseMessages.onlyOperators)
  const act = async (tx: Tx) => {
    await lockTarget(tx, found)
    // Another moderator may have undone it meanwhile.
    const entry = await findEntry(tx, id)
    if (!entry || entry.is_undone) throw conflict('alreadyUndone')
    if (await isSuperseded(tx, entry, sameThing[action])) throw conflict('changedSince')
    await undoings[action]({ deps, tx, entry, because: { actor, reason, undoes: id } })
  }
  // Only a suspension ends the sessions of the member.
  if (action === 'member_restored') await deps.sessions.closeAll(target_id, { caller: session }, act)
  else await inTransaction(deps.db, act)
}

const hiding = ['listing_hidden', 'listing_shown'] as const
const banning = ['ban_added', 'ban_lifted'] as const
const suspending = ['member_suspended', 'member_restored'] as const

/** The actions that change the same thing. */
const sameThing: Readonly<Record<UndoableAction, readonly AuditAction[]>> = {
  listing_hidden: hiding,
  listing_shown: hiding,
  listing_categorized: ['listing_categorized'],
  member_suspended: suspending,
  member_restored: suspending,
  member_paused: ['member_paused', 'member_unpaused'],
  ban_added: banning,
  ban_lifted: banning,
  messages_withdrawn: ['messages_withdrawn', 'messages_restored'],
}

const undoings: Readonly<Record<UndoableAction, (undoing: Undoing) => Promise<void>>> = {
  async listing_hidden({ deps, tx, entry, because }) {
    if (entry.was_held) throw conflict('waitedBefore')
    await hideInTransaction(deps, tx, [entry.target_id], false, because)
  },
  listing_shown: ({ deps, tx, entry, because }) =>
    hideInTransaction(deps, tx, [entry.target_id], true, because),
  listing_categorized: ({ deps, tx, entry, because }) =>
    categorizeInTransaction(deps, tx, [entry.target_id], entry.category_was, because),
  member_suspended: ({ deps, tx, entry, because }) =>
    restoreInTransaction(deps, tx, entry.target_id, because),
  async member_restored({ deps, tx, entry: { target_id, suspension_was: was }, because }) {
    // An older release has not stored it.
    if (was === null) throw conflict('notUndoable')
    if (was.ends_at !== null && Date.parse(was.ends_at) <= Date.now()) throw conflict('suspensionOver')
    await suspendInTransaction(deps, tx, target_id, because, was)
  },
  member_paused: ({ deps, tx, entry, because }) => unpauseInTransaction(deps, tx, entry.target_id, because),
  ban_added: ({ tx, entry, because }) => liftInTransaction(tx, entry.target_id, because),
  ban_lifted: ({ tx, entry, because }) => banAgainInTransaction(tx, entry.target_id, because),
  async messages_withdrawn({ deps, tx, entry, because }) {
    // Those that an earlier withdrawal has taken stay withdrawn.
    const after = await momentBefore(tx, entry, entry.action)
    await restoreMessagesInTransaction(deps, tx, entry.target_id, because, after)
  },
}

/** Locks the listing, the ban or the member of an action, so that two moderators act one after the other. */
async function lockTarget(tx: Tx, { target_type, target_id }: Entry): Promise<void> {
  if (target_type === 'listing') {
    await lockListings(tx, [target_id])
    return
  }
  if (target_type === 'ban') {
    await lockBan(tx, target_id)
    return
  }
  await lockMembers(tx, [target_id])
  if (!(await isMember(tx, target_id))) throw conflict('memberGone')
}

function isUndoable(action: AuditAction): action is UndoableAction {
  return undoableActions.some((undoable) => undoable === action)
}

function conflict(name: keyof typeof caseMessages): AppError {
  return new AppError('conflict', caseMessages[name])
}
