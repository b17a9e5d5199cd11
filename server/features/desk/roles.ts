import { type DeskMember, deskMessages } from '#contract/desk.ts'
import type { DeskRole } from '#contract/desk-roles.ts'
import { memberMessages } from '#contract/members.ts'
import { inTransaction } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db, Tx } from '#server/tables.ts'
import { type DeskActor, recordAction } from './audit.ts'
import {
  deleteRole,
  findIdOfUsername,
  findRoleOf,
  listOperators,
  listRoles,
  listUsernames,
  lockRoles,
  upsertRole,
} from './queries.ts'

/** Returns the role of a member at the desk. */
export const findRole = findRoleOf

/** Returns the usernames of members by their ids. */
export const usernamesOf = listUsernames

/** Returns the moderators and operators, oldest first. */
export function deskMembers(db: Db): Promise<DeskMember[]> {
  return listRoles(db)
}

type Proof = (tx: Tx) => Promise<void>

/** Gives a member a role instead of the one they have. Throws `not_found`, and `conflict` for the last operator. */
export async function giveRole(
  db: Db,
  actor: DeskActor,
  { username, role }: { username: string; role: DeskRole },
  prove: Proof = async () => {},
): Promise<DeskMember> {
  return inTransaction(db, async (tx) => {
    await prove(tx)
    await lockRoles(tx)
    const id = await memberNamed(tx, username)
    if (role !== 'operator' && actor !== null) await requireOtherOperator(tx, id)
    await upsertRole(tx, id, role)
    await recordAction(tx, actor, { action: 'role_granted', target: ['member', id], reason: role })
    const member = (await listRoles(tx)).find((one) => one.id === id)
    if (!member) throw new AppError('not_found', memberMessages.notFound)
    return member
  })
}

/** Takes the role from a member. Throws `not_found`, and `conflict` for the last operator unless the shell does it. */
export async function takeRole(
  db: Db,
  actor: DeskActor,
  userId: number,
  prove: Proof = async () => {},
): Promise<void> {
  await inTransaction(db, async (tx) => {
    await prove(tx)
    await lockRoles(tx)
    if (actor !== null) await requireOtherOperator(tx, userId)
    if (!(await deleteRole(tx, userId))) throw new AppError('not_found', deskMessages.notOnDesk)
    await recordAction(tx, actor, { action: 'role_revoked', target: ['member', userId] })
  })
}

/** Returns the id of a member by the username, ignoring case. Throws `not_found`. */
export async function memberNamed(db: Db, username: string): Promise<number> {
  const id = await findIdOfUsername(db, username)
  if (id === undefined) throw new AppError('not_found', memberMessages.notFound)
  return id
}

async function requireOtherOperator(tx: Tx, id: number): Promise<void> {
  const operators = await listOperators(tx)
  if (operators.length === 1 && operators[0] === id) throw new AppError('conflict', deskMessages.lastOperator)
}
