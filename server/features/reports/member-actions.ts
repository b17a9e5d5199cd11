import {
  type DeskMemberDetails,
  deskMemberMessages,
  type MemberAction,
  type MemberActionBody,
} from '#contract/desk-members.ts'
import { memberMessages } from '#contract/members.ts'
import { pauseDays } from '#contract/pauses.ts'
import type { Deps } from '#server/deps.ts'
import { sendConfirmationMail, sendResetMail } from '#server/features/auth/job-kinds.ts'
import { recordAction } from '#server/features/desk/audit.ts'
import { findRole } from '#server/features/desk/roles.ts'
import { deleteInTransaction } from '#server/features/members/account.ts'
import { lockMembers } from '#server/features/members/lock-members.ts'
import { withdrawMessages } from '#server/features/messages/withdrawal.ts'
import { inTransaction } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Caller } from '#server/platform/http/route.ts'
import type { Db, Tx } from '#server/tables.ts'
import { findDeskMember } from './desk-member-queries.ts'
import { describeDeskMember } from './desk-members.ts'
import { sendDeletionMail } from './job-kinds.ts'
import {
  endAfter,
  keepSuspensionInTransaction,
  momentAfter,
  pauseInTransaction,
  requireNoRole,
  restoreInTransaction,
  suspendInTransaction,
  unpauseInTransaction,
  warnInTransaction,
} from './moderation.ts'

type ActionDeps = Pick<Deps, 'db' | 'events' | 'jobs' | 'realtime' | 'sessions'>
type DeskMember = NonNullable<Awaited<ReturnType<typeof findDeskMember>>>

interface Call {
  readonly deps: ActionDeps
  readonly tx: Tx
  readonly actor: number
  readonly member: DeskMember
  readonly body: MemberActionBody
}

/** The actions that end the sessions of the member in their transaction. */
const endsSessions: readonly MemberAction[] = ['suspend', 'end_sessions']

/**
 * Acts on a member and records it. Throws `not_found`, and `conflict` if the member has a role at the desk and the action needs another
 * state, for example because another moderator was faster.
 */
export async function actOn(
  deps: ActionDeps,
  { id: actor, session }: Caller,
  id: number,
  body: MemberActionBody,
): Promise<DeskMemberDetails> {
  await requireDeskMember(deps.db, id)
  const act = async (tx: Tx) => {
    const member = await lockDeskMember(tx, id)
    await actions[body.action]({ deps, tx, actor, member, body })
  }
  if (endsSessions.includes(body.action)) await deps.sessions.closeAll(id, { caller: session }, act)
  else await inTransaction(deps.db, act)
  return describeDeskMember(deps.db, actor, id)
}

/** Deletes the account of a member without a role, records it, and tells them by mail. Throws `not_found`, and `conflict` for a member with a role. */
export async function deleteByDesk(
  deps: ActionDeps,
  { id: actor, session }: Caller,
  id: number,
  { reason, prove }: { reason: string; prove: (tx: Tx) => Promise<void> },
): Promise<void> {
  await requireDeskMember(deps.db, id)
  await deps.sessions.closeAll(id, { caller: session }, async (tx) => {
    await prove(tx)
    const { email, email_confirmed: is_confirmed, first_name, language } = await lockDeskMember(tx, id)
    if (await findRole(tx, id)) throw new AppError('conflict', deskMemberMessages.hasRole)
    await deleteInTransaction(deps, tx, id)
    await recordAction(tx, actor, { action: 'member_deleted', target: ['member', id], reason })
    // Null after the owner of the address has disowned the account.
    if (email === null) return
    await deps.jobs.add(tx, sendDeletionMail, { email, is_confirmed, first_name, language, reason })
  })
}

const actions: Readonly<Record<MemberAction, (call: Call) => Promise<void>>> = {
  note: (call) => record(call, 'member_noted'),
  async warn({ deps, tx, actor, member, body: { rule = 'other', reason = '' } }) {
    await warnInTransaction(deps, tx, member.id, { actor, rule, reason })
  },
  async suspend({ deps, tx, actor, member, body: { rule = 'other', reason = '', days } }) {
    const suspension = { rule, reason, ends_at: endAfter(days) }
    await suspendInTransaction(deps, tx, member.id, { actor, reason }, suspension)
  },
  async restore({ deps, tx, actor, member, body: { reason = '' } }) {
    await restoreInTransaction(deps, tx, member.id, { actor, reason })
  },
  async keep_suspension({ deps, tx, actor, member, body: { reason = '' } }) {
    await keepSuspensionInTransaction(deps, tx, member.id, { actor, reason })
  },
  async pause({ deps, tx, actor, member, body: { rule = 'other', reason = '', days } }) {
    if (member.paused_until !== null) throw conflict('paused')
    const ends_at = momentAfter(days ?? pauseDays)
    await pauseInTransaction(deps, tx, member.id, { actor, rule, reason }, ends_at)
  },
  async unpause({ deps, tx, actor, member, body: { reason = '' } }) {
    await unpauseInTransaction(deps, tx, member.id, { actor, reason })
  },
  async withdraw(call) {
    await requireNoRole(call.tx, call.actor, call.member.id)
    // Their sessions have ended, so no message is being sent.
    if (call.member.suspended_at === null) throw conflict('suspendFirst')
    if ((await withdrawMessages(call.deps, call.tx, call.member.id)) === 0) throw conflict('nothingSent')
    await record(call, 'messages_withdrawn')
  },
  async end_sessions(call) {
    await requireNoRole(call.tx, call.actor, call.member.id)
    await record(call, 'sessions_ended')
  },
  async send_password_reset(call) {
    if (call.member.email === null) throw conflict('noAddress')
    await call.deps.jobs.add(call.tx, sendResetMail, { user_id: call.member.id })
    await record(call, 'password_reset_sent')
  },
  async send_confirmation(call) {
    if (call.member.email === null) throw conflict('noAddress')
    if (call.member.email_confirmed) throw conflict('confirmed')
    await call.deps.jobs.add(call.tx, sendConfirmationMail, { user_id: call.member.id })
    await record(call, 'confirmation_sent')
  },
}

async function record(
  { tx, actor, member, body }: Call,
  action:
    | 'member_noted'
    | 'messages_withdrawn'
    | 'sessions_ended'
    | 'password_reset_sent'
    | 'confirmation_sent',
): Promise<void> {
  await recordAction(tx, actor, { action, target: ['member', member.id], reason: body.reason })
}

function conflict(name: keyof typeof deskMemberMessages): AppError {
  return new AppError('conflict', deskMemberMessages[name])
}

async function requireDeskMember(db: Db, id: number): Promise<DeskMember> {
  const member = await findDeskMember(db, id)
  if (!member) throw new AppError('not_found', memberMessages.notFound)
  return member
}

/** Locks a member until the transaction ends, so that two moderators act one after the other. Throws `not_found`. */
async function lockDeskMember(tx: Tx, id: number): Promise<DeskMember> {
  await lockMembers(tx, [id])
  return requireDeskMember(tx, id)
}
