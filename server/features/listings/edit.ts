import { states, types } from '#contract/constants.ts'
import { imageMessages } from '#contract/images.ts'
import { type Listing, type ListingChanges, listingMessages } from '#contract/listings.ts'
import type { Deps } from '#server/deps.ts'
import { setFirstPhoto, setPhotos } from '#server/features/images/photos.ts'
import { withImage } from '#server/features/images/store-image.ts'
import { drawingOf } from '#server/features/matching/drawing.ts'
import { indexVersion } from '#server/features/matching/index-terms.ts'
import { readTexts } from '#server/features/matching/pipeline.ts'
import { inTransaction } from '#server/platform/db/database.ts'
import { AppError, invalid } from '#server/platform/errors.ts'
import type { UploadedFile } from '#server/platform/http/upload.ts'
import type { Tx } from '#server/tables.ts'
import type { OwnListing } from './access.ts'
import { expiryColumns, readyAtOf } from './duration.ts'
import { searchIndexOf } from './indexing.ts'
import { visibleListing } from './listing.ts'
import {
  type Amounts,
  deleteListing,
  deleteUnheld,
  type EditedRow,
  findListingForUpdate,
  findTimeZone,
  insertUnheld,
  updateAmounts,
  updateHidden,
  updateListing,
} from './queries.ts'
import { insertSearchTerms } from './search-queries.ts'

type ChangeDeps = Pick<Deps, 'events' | 'jobs'>
type IdsOfListing = Pick<OwnListing, 'id' | 'owner_id'>

/**
 * Changes the given fields. The result must be valid like a new listing; the price becomes 0 if it is not for sale. `days` count
 * from now, so they relist a listing that has ended. Throws `invalid`, and `not_found` if the listing was deleted meanwhile.
 */
export async function changeListing(
  deps: ChangeDeps & Pick<Deps, 'db'>,
  listing: OwnListing,
  changes: ListingChanges,
): Promise<Listing> {
  await inTransaction(deps.db, (tx) => changeInTransaction(deps, tx, listing, changes))
  return visibleListing(deps.db, listing.owner_id, listing.id)
}

/** Changes a listing like `changeListing`. */
export async function changeInTransaction(
  { events, jobs }: ChangeDeps,
  tx: Tx,
  listing: IdsOfListing,
  { image_ids, ...input }: ListingChanges,
): Promise<void> {
  const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined))
  const before = await lockListing(tx, listing)
  const changes = { ...given, ...(await termChanges(tx, listing, before, input)) }
  const after = { ...before, ...changes }
  const isSale = after.type_id === types.sell
  if (isSale && after.price <= 0) throw invalid('price', listingMessages.priceNeeded)
  if (!isSale) after.price = 0
  if (after.quantity === null && input.unit) throw invalid('quantity', listingMessages.unitAlone)
  if (after.quantity === null) after.unit = null
  after.quantity_left = quantityLeft(before, after)
  if (image_ids) {
    await setPhotos({ jobs }, tx, idsOf(listing), image_ids)
    await updateListing(tx, listing.id, {})
  }
  const changed = Object.keys(after).filter(
    (field) => after[field as keyof EditedRow] !== before[field as keyof EditedRow],
  )
  if (changed.length === 0) return
  const reading = readTexts(after)
  const { lexemes, terms, crops } = searchIndexOf(after, reading)
  await updateListing(
    tx,
    listing.id,
    {
      ...changes,
      price: after.price,
      unit: after.unit,
      quantity_left: after.quantity_left,
      drawing: drawingOf(after, reading.title),
      index_version: indexVersion,
      crops,
    },
    lexemes,
  )
  if (after.is_public && after.is_active) await insertSearchTerms(tx, terms)
  await events.publish(tx, 'listing_changed', { ...idsOf(listing), changed })
  if (isSale && before.type_id === types.sell && after.price < before.price)
    await events.publish(tx, 'price_dropped', { ...idsOf(listing), from: before.price, to: after.price })
}

/** Returns the columns that change with the days or the date of a listing. Its days count from when it is ready. */
async function termChanges(
  tx: Tx,
  { owner_id }: IdsOfListing,
  before: EditedRow,
  { days, ready_from }: Pick<ListingChanges, 'days' | 'ready_from'>,
) {
  const isMoved = ready_from !== undefined && ready_from !== before.ready_from
  const ready_at = isMoved ? readyAtOf(await findTimeZone(tx, owner_id), ready_from) : before.ready_at
  if (days === undefined && ready_at === before.ready_at) return {}
  return { ...expiryColumns(days ?? before.days, ready_at), ready_at }
}

/**
 * Returns how many are left after an edit: nothing of a gone listing, all of one that is offered again. Throws `invalid` if more are
 * promised or handed over than the listing has.
 */
function quantityLeft(before: EditedRow, { quantity, state_id }: EditedRow): number | null {
  if (quantity === null) return null
  if (state_id === states.gone) return 0
  if (before.state_id === states.gone || before.quantity === null) return quantity
  const taken = before.quantity - (before.quantity_left ?? 0)
  if (quantity < taken) throw invalid('quantity', listingMessages.quantityTaken)
  return quantity - taken
}

/** Replaces the first photo, or adds one. Throws `invalid` without a file, and the errors of storing an image. */
export async function changePhoto(
  deps: Pick<Deps, 'db' | 'images' | 'jobs'>,
  listing: OwnListing,
  file: UploadedFile | undefined,
): Promise<Listing> {
  if (!file) throw invalid('image', imageMessages.photoNeeded)
  await withImage(deps, { memberId: listing.owner_id, file, purpose: 'photo' }, async (tx, image) => {
    await changeFirstPhoto(deps, tx, listing, image?.id)
  })
  return visibleListing(deps.db, listing.owner_id, listing.id)
}

/** Removes the first photo, if there is one. */
export async function removePhoto(deps: Pick<Deps, 'db' | 'jobs'>, listing: OwnListing): Promise<Listing> {
  await inTransaction(deps.db, (tx) => changeFirstPhoto(deps, tx, listing, undefined))
  return visibleListing(deps.db, listing.owner_id, listing.id)
}

/**
 * Hides a listing from everyone except its owner, or shows it. The next listings of an owner of whom one was shown are not held. Throws
 * `not_found`.
 */
export async function setHidden(
  { events }: Pick<Deps, 'events'>,
  tx: Tx,
  id: number,
  hidden: boolean,
): Promise<void> {
  const listing = await updateHidden(tx, id, hidden)
  if (!listing) throw new AppError('not_found', listingMessages.notFound)
  const unheld = { user_id: listing.owner_id, listing_id: id }
  if (hidden) await deleteUnheld(tx, unheld)
  else await insertUnheld(tx, unheld)
  await events.publish(tx, hidden ? 'listing_hidden' : 'listing_shown', listing)
}

/** Sets the states of the listings of a trade and what is left of them. The trade notifies its members. */
export async function setAmounts(tx: Tx, listings: readonly Amounts[]): Promise<void> {
  if (listings.length > 0) await updateAmounts(tx, listings)
}

/** Deletes the listing. Its photos are deleted after the commit. Throws `not_found` if it was deleted meanwhile. */
export async function removeListing(
  { db, events, jobs }: Pick<Deps, 'db' | 'events' | 'jobs'>,
  listing: OwnListing,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    await lockListing(tx, listing)
    await removeLocked({ events, jobs }, tx, listing)
  })
}

/** Deletes a listing, which is locked or found in the transaction, with its photos. */
export async function removeLocked(
  { events, jobs }: Pick<Deps, 'events' | 'jobs'>,
  tx: Tx,
  listing: IdsOfListing,
): Promise<void> {
  await events.publish(tx, 'listing_deleted', idsOf(listing))
  await setPhotos({ jobs }, tx, idsOf(listing), [])
  await deleteListing(tx, listing.id)
}

function idsOf({ id, owner_id }: IdsOfListing): {
  listing_id: number
  owner_id: number
} {
  return { listing_id: id, owner_id }
}

async function changeFirstPhoto(
  { jobs }: Pick<Deps, 'jobs'>,
  tx: Tx,
  listing: OwnListing,
  image: number | undefined,
): Promise<void> {
  await lockListing(tx, listing)
  await setFirstPhoto({ jobs }, tx, idsOf(listing), image)
  await updateListing(tx, listing.id, {})
}

/** Locks a listing until the transaction ends and returns its current row. Throws `not_found` if it was deleted meanwhile. */
export async function lockListing(tx: Tx, { id }: Pick<OwnListing, 'id'>): Promise<EditedRow> {
  const before = await findListingForUpdate(tx, id)
  if (!before) throw new AppError('not_found', listingMessages.notFound)
  return before
}
