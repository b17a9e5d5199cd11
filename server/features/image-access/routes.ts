import { errorMessages } from '#contract/error-messages.ts'
import { getImage } from '#contract/images.ts'
import type { Deps } from '#server/deps.ts'
import { findRole } from '#server/features/desk/roles.ts'
import { isKept } from '#server/features/images/kept-photos.ts'
import { openImage } from '#server/features/images/open-images.ts'
import { isOfOwnMessage } from '#server/features/messages/threads.ts'
import { AppError } from '#server/platform/errors.ts'
import { type App, type Caller, route } from '#server/platform/http/route.ts'
import { imageNameOf } from '#server/platform/images/images.ts'
import type { Db } from '#server/tables.ts'
import { type Audience, findAudience } from './queries.ts'

export function imageAccessRoutes(app: App, { db, images }: Deps) {
  route(app, getImage, async ({ member, params }) =>
    openImage(images, params.id, await requireAudience(db, params.id, member)),
  )
}

/** Returns who may see an image. Throws `not_found` if the caller may not, or `not_authenticated` if a guest may not. */
async function requireAudience(
  db: Db,
  file: string,
  member: Caller | undefined,
): Promise<Exclude<Audience, 'desk' | 'message' | 'neither'>> {
  const name = imageNameOf(file)
  const row = name === undefined ? undefined : await findAudience(db, name, member?.id ?? null)
  if (row?.audience === 'everybody' || row?.audience === 'caller') return row.audience
  // The photos of all listings are open to the desk, and those of a report also if they are deleted.
  const isForDesk = row?.audience === 'desk' || (name !== undefined && (await isKept(db, name)))
  if (member && isForDesk && (await findRole(db, member.id))) return 'caller'
  if (!row) throw new AppError('not_found', errorMessages.notFound)
  if (!member) throw new AppError('not_authenticated', errorMessages.notAuthenticated)
  if (row.audience === 'message' && (await isOfOwnMessage(db, member.id, row))) return 'caller'
  throw new AppError('not_found', errorMessages.notFound)
}
