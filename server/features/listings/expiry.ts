import { states } from '#contract/constants.ts'
import type { Listing } from '#contract/listings.ts'
import type { Deps } from '#server/deps.ts'
import { inBatches, inTransaction } from '#server/platform/db/database.ts'
import type { Tx } from '#server/tables.ts'
import type { OwnListing } from './access.ts'
import { expiryColumns } from './duration.ts'
import { lockListing } from './edit.ts'
import { searchIndexOf } from './indexing.ts'
import { visibleListing } from './listing.ts'
import { type DueReminder, updateEnded, updateListing, updateReady, updateReminded } from './queries.ts'
import { insertSearchTerms } from './search-queries.ts'

const hourMs = 60 * 60 * 1000

/**
 * Relists a listing for as many days as before, counted from now, and makes a gone one available. Does nothing if it was relisted within
 * the last hour, for example by a first tap. Throws `not_found` if it was deleted meanwhile.
 */
export async function relist(
  { db, events }: Pick<Deps, 'db' | 'events'>,
  listing: OwnListing,
): Promise<Listing> {
  await inTransaction(db, async (tx) => {
    const before = await lockListing(tx, listing)
    const expiry = expiryColumns(before.days, before.ready_at)
    const isGone = before.state_id === states.gone
    const isRecent = Date.parse(expiry.expires_at) - Date.parse(before.expires_at) < hourMs
    if (isRecent && !isGone) return
    await updateListing(tx, listing.id, {
      ...expiry,
      ...(isGone && { state_id: states.available, quantity_left: before.quantity }),
    })
    if (before.is_public && before.is_active) await insertSearchTerms(tx, searchIndexOf(before).terms)
    const ids = { listing_id: listing.id, owner_id: listing.owner_id }
    await events.publish(tx, 'listing_changed', { ...ids, changed: Object.keys(expiry) })
  })
  return visibleListing(db, listing.owner_id, listing.id)
}

const batchSize = 500

/** Marks expired listings as ended, which removes them from the indexes. */
export async function endListings({ db, events }: Pick<Deps, 'db' | 'events'>): Promise<void> {
  await inBatches(db, batchSize, async (tx) => {
    const rows = await updateEnded(tx, batchSize)
    const listings = rows.map(({ id, owner_id }) => ({ listing_id: id, owner_id }))
    await events.publish(tx, 'listings_ended', { listings })
    return rows.length
  })
}

/** Marks listings as ready whose day has begun, so that wants are matched with them. */
export async function readyListings({ db, events }: Pick<Deps, 'db' | 'events'>): Promise<void> {
  await inBatches(db, batchSize, async (tx) => {
    const rows = await updateReady(tx, batchSize)
    for (const { id, owner_id } of rows)
      await events.publish(tx, 'listing_changed', { listing_id: id, owner_id, changed: ['ready_at'] })
    return rows.length
  })
}

/** Reminders of one owner that are due within these hours become one mail. */
const aheadHours = 6

/** Returns reminders that are due and marks them as sent. They are fewer than `limit` only if no others are due. */
export function takeDueReminders(tx: Tx, limit: number): Promise<DueReminder[]> {
  return updateReminded(tx, limit, aheadHours)
}
