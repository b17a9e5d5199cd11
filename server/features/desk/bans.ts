import { type Ban, banMessages, type NewBan } from '#contract/bans.ts'
import type { Deps } from '#server/deps.ts'
import {
  activeBans,
  banById,
  bannedValue,
  endBan,
  lockStoredBan,
  reopenBan,
  storeBan,
} from '#server/features/bans/bans.ts'
import { uniqueViolation } from '#server/platform/database-errors.ts'
import { inTransaction } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db, Tx } from '#server/tables.ts'
import { type DeskActor, recordAction } from './audit.ts'

type Row = Awaited<ReturnType<typeof activeBans>>[number]

function toBan({ actor_id, username, ...ban }: Row): Ban {
  return { ...ban, actor: { id: actor_id, username } }
}

interface Because {
  readonly actor: DeskActor
  readonly reason?: string | undefined
  readonly undoes?: number | undefined
}

export const lockBan = lockStoredBan

/** Returns the bans that are not over, newest first. */
export async function bansOfSite(db: Db): Promise<Ban[]> {
  return (await activeBans(db)).map(toBan)
}

/** Bans a network or a domain. Throws `invalid` for a value that can not be banned, and `conflict` if it is banned already. */
export async function addBanBy(
  { db, trustedProxies }: Pick<Deps, 'db' | 'trustedProxies'>,
  actor: number,
  { days, reason, ...input }: NewBan,
): Promise<Ban> {
  const value = bannedValue(input, trustedProxies)
  const ends_at = days ? new Date(Date.now() + days * 24 * 60 * 60 * 1000).toISOString() : null
  const stored = await inTransaction(db, async (tx) => {
    const id = await storeBan(tx, { kind: input.kind, value, reason, actor_id: actor, ends_at })
    if (id === undefined) throw new AppError('conflict', banMessages.banned)
    await recordAction(tx, actor, { action: 'ban_added', target: ['ban', id], reason })
    return id
  })
  const ban = (await bansOfSite(db)).find(({ id }) => id === stored)
  if (!ban) throw new AppError('conflict', banMessages.over)
  return ban
}

/** Lifts a ban. Throws `not_found`, and `conflict` if it is over. */
export async function liftBanBy(db: Db, actor: number, id: number, reason: string): Promise<void> {
  if (!(await banById(db, id))) throw new AppError('not_found', banMessages.notFound)
  await inTransaction(db, (tx) => liftInTransaction(tx, id, { actor, reason }))
}

/** Lifts a ban. Throws `conflict` if it is over. */
export async function liftInTransaction(
  tx: Tx,
  id: number,
  { actor, reason, undoes }: Because,
): Promise<void> {
  if (!(await endBan(tx, id))) throw new AppError('conflict', banMessages.over)
  await recordAction(tx, actor, { action: 'ban_lifted', target: ['ban', id], reason, undoes })
}

/** Bans again what was lifted. Throws `conflict` if the time of the ban is over, or its value is banned anew. */
export async function banAgainInTransaction(
  tx: Tx,
  id: number,
  { actor, reason, undoes }: Because,
): Promise<void> {
  const isOpen = await reopenBan(tx, id).catch((error: unknown) => {
    throw uniqueViolation(error) === 'bans_value' ? new AppError('conflict', banMessages.banned) : error
  })
  if (!isOpen) throw new AppError('conflict', banMessages.over)
  await recordAction(tx, actor, { action: 'ban_added', target: ['ban', id], reason, undoes })
}
