import { listingMessages } from '#contract/listings.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db } from '#server/tables.ts'
import type { VisibleRow } from './columns.ts'
import { findVisibleListing } from './queries.ts'

declare const proof: unique symbol
/** A listing of the caller. Only `ownListing` returns one. */
export type OwnListing = VisibleRow & { readonly [proof]: true }

const forbidden = {
  edit: listingMessages.notYoursToEdit,
  delete: listingMessages.notYoursToDelete,
  ask: listingMessages.notYoursToAsk,
} as const

/** Returns the caller's listing. Throws `not_found` for an invisible one and `forbidden` for that of another member. */
export async function ownListing(
  db: Db,
  caller: number,
  id: number,
  to: keyof typeof forbidden,
): Promise<OwnListing> {
  const listing = await findVisibleListing(db, caller, id)
  if (!listing) throw new AppError('not_found', listingMessages.notFound)
  if (listing.owner_id !== caller) throw new AppError('forbidden', forbidden[to])
  return listing as OwnListing
}
