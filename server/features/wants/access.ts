import { wantMessages } from '#contract/wants.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Tx } from '#server/tables.ts'
import { findWants, type OwnedRow } from './queries.ts'

declare const proof: unique symbol
/** A want of the caller. Only `ownWants` returns this type. */
export type OwnWant = OwnedRow & { readonly [proof]: true }

/** Returns wants of the caller. Throws `not_found` for unknown wants and `forbidden` for those of others. */
export async function ownWants(tx: Tx, caller: number, ids: readonly number[]): Promise<OwnWant[]> {
  if (ids.length === 0) return []
  const found = await findWants(tx, caller, ids)
  if (found.length < new Set(ids).size) throw new AppError('not_found', wantMessages.notFound)
  if (found.some(({ user_id }) => user_id !== caller)) throw new AppError('forbidden', wantMessages.notYours)
  return found as OwnWant[]
}
