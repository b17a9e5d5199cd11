import { authMessages } from '#contract/auth.ts'
import type { Deps } from '#server/deps.ts'
import { openImage } from '#server/features/images/open-images.ts'
import { avatarFile } from '#server/features/images/paths.ts'
import { AppError } from '#server/platform/errors.ts'
import { findPictureName } from './queries.ts'

/** Returns the response with the caller's photo. Browsers revalidate it, because its URL stays when the photo changes. Throws `not_found`. */
export async function openOwnAvatar({ db, images }: Pick<Deps, 'db' | 'images'>, userId: number) {
  const name = await findPictureName(db, userId)
  if (name === null) throw new AppError('not_found', authMessages.noAvatar)
  return openImage(images, avatarFile(name, 'large'), 'caller')
}
