import { limits } from '#contract/constants.ts'
import { messageErrorMessages } from '#contract/messages.ts'
import type { AppContext } from '#web/context/app-context.ts'
import { PhotoList } from '#web/features/images/photo-list.ts'

export type PhotoLists = Map<string, PhotoList>
export type PhotoDependencies = Pick<AppContext, 'queryClient' | 'login'>

/** Returns the photos of a message that is being written or is unsent, by the name of their draft. */
export function photosOfDraft({ queryClient, login }: PhotoDependencies, lists: PhotoLists, draft: string) {
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
