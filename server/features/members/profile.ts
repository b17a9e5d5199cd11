import type { PersonalInfo, Profile } from '#contract/auth.ts'
import type { Deps } from '#server/deps.ts'
import { dropImage, withImage } from '#server/features/images/store-image.ts'
import { movedTo } from '#server/features/locations/places.ts'
import { inTransaction } from '#server/platform/db/database.ts'
import type { UploadedFile } from '#server/platform/http/upload.ts'
import type { Db } from '#server/tables.ts'
import {
  findAccountForUpdate,
  findProfile,
  incrementInvitationVersion,
  updateLocationAndPicture,
} from './queries.ts'

/** Saves the given parts of the location and the photo, and deletes the previous photo. Throws the errors of `withImage`. */
export async function savePersonalInfo(
  deps: Pick<Deps, 'db' | 'events' | 'jobs' | 'images' | 'region'>,
  userId: number,
  { postcode, ...location }: PersonalInfo,
  file: UploadedFile | undefined,
): Promise<Profile> {
  await withImage(deps, { memberId: userId, file, purpose: 'avatar' }, async (tx, image) => {
    const changes = { ...location, ...(postcode !== undefined && { zip_code: postcode }) }
    const moved = movedTo(deps.region.country, await findAccountForUpdate(tx, userId), changes)
    const before = await updateLocationAndPicture(tx, userId, {
      ...changes,
      ...moved,
      ...(image ? { picture_name: image.name } : {}),
    })
    if (moved) await deps.events.publish(tx, 'member_moved', { user_id: userId, ...moved })
    if (image && before) await dropImage(deps, tx, before)
  })
  return findProfile(deps.db, userId)
}

/** Invalidates the invitation links of a member. */
export async function endInvitationLinks(db: Db, userId: number): Promise<void> {
  // A transaction, because it checks the session.
  await inTransaction(db, (tx) => incrementInvitationVersion(tx, userId))
}
