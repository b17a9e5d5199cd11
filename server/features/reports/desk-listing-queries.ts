import type { DeskListing } from '#contract/desk-listings.ts'
import { type PhotoRow, photoRows } from '#server/features/images/paths.ts'
import { isHeld } from '#server/features/visibility/listings.ts'
import { statement } from '#server/platform/db/database.ts'
import { anyOf } from '#server/platform/db/expressions.ts'
import type { Tx } from '#server/tables.ts'

export interface DeskListingRow extends Omit<DeskListing, 'owner' | 'images'> {
  owner_id: number
  owner_username: string
  photos: PhotoRow[] | null
}

const deskListings = (condition: string) =>
  statement<[before: number, limit: number], DeskListingRow>(
    `select l.id, l.title, l.description, l.owner_id, o.username as owner_username, l.category_id, l.is_active, l.is_public,
      l.hidden_at is not null as is_hidden, ${isHeld} as is_held, l.expires_at <= now() as is_expired, l.created_at,
      ${photoRows('i.listing_id = l.id')} as photos
     from listings l join users o on o.id = l.owner_id
     where ${condition} order by l.id desc limit $2`,
  )

/** Returns listings of any state, newest first. */
export const listNewest = deskListings('l.id < $1')

/** Returns the listings that are not held, newest first. */
export const listUnheld = deskListings(`l.id < $1 and not ${isHeld}`)

/** Returns the held listings, newest first. */
export const listHeld = deskListings(`l.id < $1 and l.is_held and l.hidden_at is not null`)

/** Returns the listings that moderators have hidden, newest first. */
export const listHidden = deskListings('l.id < $1 and l.hidden_at is not null and not l.is_held')

/** Locks listings until the transaction ends, in one order, so that two moderators act one after the other. Leaves out deleted ones. */
export function lockListings(tx: Tx, ids: readonly number[]) {
  return tx
    .selectFrom('listings')
    .select(['id', 'title', 'owner_id', 'category_id', 'hidden_at', 'is_held'])
    .where('id', '=', anyOf(ids))
    .orderBy('id')
    .forUpdate()
    .execute()
}
