import { useEffect } from 'react'
import { useAppContext } from '#web/context/app-context.ts'
import type { PhotoList } from '#web/features/images/photo-list.ts'
import { useOutbox } from './outbox.ts'
import { photosOfDraft } from './unsent-photos.ts'

/** Returns the photos of a message that is being written or is unsent, and restores the stored ones. */
export function useMessagePhotos(draft: string): PhotoList {
  const list = photosOfDraft(useAppContext(), useOutbox().photoLists, draft)
  useEffect(() => void list.open(), [list])
  return list
}
