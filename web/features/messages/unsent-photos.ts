import { t } from '@lingui/core/macro'
import { limits } from '#contract/constants.ts'
import { messageErrorMessages } from '#contract/messages.ts'
import { ApiError } from '#web/api/api-error.ts'
import type { AppContext } from '#web/context/app-context.ts'
import { PhotoList, PhotoNotSent } from '#web/features/images/photo-list.ts'
import type { Unsent } from './unsent-messages.ts'

const photosLost = () => t`The photos are no longer on this device. Please add them again.`

type PhotoLists = Map<string, PhotoList>
type Dependencies = Pick<AppContext, 'queryClient' | 'login'>

/** Returns the photos of a message that is being written or is unsent, by the name of their draft. */
export function photosOfDraft({ queryClient, login }: Dependencies, lists: PhotoLists, draft: string) {
  const list =
    lists.get(draft) ??
    new PhotoList({
      client: queryClient,
      login,
      draftKey: `message-${draft}`,
      max: limits.photos.message,
      tooMany: messageErrorMessages.tooManyPhotos,
    })
  lists.set(draft, list)
  return list
}

/** Uploads the photos of an unsent message and calls `send` with their ids, until the signal is aborted. Throws `ApiError`. */
export async function sendPhotos(
  app: Dependencies,
  lists: PhotoLists,
  { draft, count }: NonNullable<Unsent['photos']>,
  { send, signal }: { send: (image_ids: number[]) => Promise<void>; signal: AbortSignal },
) {
  const list = photosOfDraft(app, lists, draft)
  await list.open()
  signal.addEventListener('abort', () => list.abortUploads(), { once: true })
  try {
    await list.submit(async (image_ids = []) => {
      if (image_ids.length < count) throw new ApiError({ status: 410, detail: photosLost() })
      await send(image_ids)
    })
  } catch (failure) {
    throw failure instanceof PhotoNotSent ? failure.cause : failure
  }
}
