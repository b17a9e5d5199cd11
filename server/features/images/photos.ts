import { limits } from '#contract/constants.ts'
import { imageMessages, type Photo } from '#contract/images.ts'
import { listingMessages } from '#contract/listings.ts'
import type { Deps } from '#server/deps.ts'
import { inTransaction } from '#server/platform/db/database.ts'
import { AppError, invalid } from '#server/platform/errors.ts'
import type { UploadedFile } from '#server/platform/http/upload.ts'
import type { Db, Tx } from '#server/tables.ts'
import { photoOf } from './paths.ts'
import { listPhotoIds, lockUsablePhotos, updateAlt, updatePositions } from './queries.ts'
import { dropImages, withImage } from './store-image.ts'

/** Stores a photo for later use. Throws `invalid` without a file, and the errors of storing an image. */
export async function uploadPhoto(
  deps: Pick<Deps, 'db' | 'images'>,
  owner: number,
  file: UploadedFile | undefined,
): Promise<Photo> {
  if (!file) throw invalid('image', imageMessages.photoNeeded)
  return withImage(deps, { memberId: owner, file, purpose: 'photo' }, async (_tx, image) => {
    if (!image) throw invalid('image', imageMessages.photoNeeded)
    return photoOf({ ...image, alt: null })
  })
}

/** Sets the alternative text of a photo. Throws `not_found` unless it is the caller's and not sent in a message. */
export async function describePhoto(db: Db, caller: number, id: number, alt: string | null): Promise<Photo> {
  const change = { id, owner_id: caller, alt: alt || null }
  const photo = await inTransaction(db, (tx) => updateAlt(tx, change))
  if (!photo) throw new AppError('not_found', imageMessages.notFound)
  return photoOf(photo)
}

interface ListingOfOwner {
  readonly owner_id: number
  readonly listing_id: number
}

/**
 * Sets the photos of a listing, in this order. Photos that it had and are left out are deleted. The listing is locked or new. Throws
 * `invalid` for photos of others and photos that are used elsewhere.
 */
export async function setPhotos(
  { jobs }: Pick<Deps, 'jobs'>,
  tx: Tx,
  listing: ListingOfOwner,
  ids: readonly number[],
): Promise<void> {
  if (ids.length > limits.photos.listing) throw invalid('image_ids', listingMessages.tooManyPhotos)
  const usable = await lockUsablePhotos(tx, listing.owner_id, listing.listing_id, ids)
  const usableIds = new Set(usable.map(({ id }) => id))
  if (ids.some((id) => !usableIds.has(id)))
    throw invalid('image_ids', imageMessages.notUsable, 'photos_not_usable')
  const kept = new Set(ids)
  await dropImages(
    { jobs },
    tx,
    usable.flatMap(({ id }) => (kept.has(id) ? [] : id)),
  )
  if (ids.length > 0) await updatePositions(tx, listing.listing_id, ids)
}

/** Replaces the first photo of a listing, or without an id removes it. The listing is locked. */
export async function setFirstPhoto(
  deps: Pick<Deps, 'jobs'>,
  tx: Tx,
  listing: ListingOfOwner,
  id: number | undefined,
): Promise<void> {
  const [, ...others] = await listPhotoIds(tx, listing.listing_id)
  await setPhotos(deps, tx, listing, id === undefined ? others : [id, ...others])
}
