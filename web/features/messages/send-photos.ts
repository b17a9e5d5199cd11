import { ApiError } from '#web/api/api-error.ts'
import { PhotoNotSent } from '#web/features/images/photo-list.ts'
import type { Unsent } from './unsent-messages.ts'
import { type PhotoDependencies, type PhotoLists, photosOfDraft } from './unsent-photos.ts'

/** Uploads the photos of an unsent message and calls `send` with their ids, until the signal is aborted. Throws `ApiError`. */
export async function sendPhotos(
  app: PhotoDependencies,
  lists: PhotoLists,
  { draft, count }: NonNullable<Unsent['photos']>,
  { send, signal }: { send: (image_ids: number[]) => Promise<void>; signal: AbortSignal },
) {
  const list = photosOfDraft(app, lists, draft)
  await list.open()
  signal.addEventListener('abort', () => list.abortUploads(), { once: true })
  try {
    await list.submit(async (image_ids = []) => {
      if (image_ids.length < count) throw new ApiError({ status: 410 })
      await send(image_ids)
    })
  } catch (failure) {
    throw failure instanceof PhotoNotSent ? failure.cause : failure
  }
}
