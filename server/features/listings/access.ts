import { listingMessages } from '#contract/listings.ts'
import type { Deps } from '#server/deps.ts'
import { AppError } from '#server/platform/errors.ts'
import { findVisibleListing, type VisibleRow } from './queries.ts'

declare const proof: unique symbol
/** A listing that was found to be the caller's own; only `ownListing` makes one. */
export type OwnListing = VisibleRow & { readonly [proof]: true }

const forbidden = {
  edit: listingMessages.notYoursToEdit,
  delete: listingMessages.notYoursToDelete,
  ask: listingMessages.notYoursToAsk,
} as const

/** Throws `not_found` for what the caller may not see, `forbidden` for what is somebody else's. */
export async function ownListing(
  db: Deps['db'],
  caller: number,
  id: number,
  to: keyof typeof forbidden,
): Promise<OwnListing> {
  const found = await findVisibleListing(db, caller, id)
  if (!found) throw new AppError('not_found', listingMessages.notFound)
  if (found.owner_id !== caller) throw new AppError('forbidden', forbidden[to])
  return found as OwnListing
}
