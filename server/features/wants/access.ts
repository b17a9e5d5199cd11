import type { Transaction } from 'kysely'
import { wantMessages } from '#contract/wants.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Tables } from '#server/tables.ts'
import { findWants, type OwnedRow } from './queries.ts'

declare const proof: unique symbol
/** A want that was found to be the caller's own; only `ownWants` makes one. */
export type OwnWant = OwnedRow & { readonly [proof]: true }

/** Throws `not_found` when one of them is not there, `forbidden` when one is somebody else's. */
export async function ownWants(
  tx: Transaction<Tables>,
  caller: number,
  ids: readonly number[],
): Promise<OwnWant[]> {
  if (ids.length === 0) return []
  const found = await findWants(tx, caller, ids)
  if (found.length < new Set(ids).size) throw new AppError('not_found', wantMessages.notFound)
  if (found.some(({ user_id }) => user_id !== caller)) throw new AppError('forbidden', wantMessages.notYours)
  return found as OwnWant[]
}
