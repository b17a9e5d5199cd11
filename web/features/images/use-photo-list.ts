import { useQueryClient } from '@tanstack/react-query'
import { useSelector } from '@tanstack/react-store'
import { useEffect, useState } from 'react'
import { limits } from '#contract/constants.ts'
import type { Photo } from '#contract/images.ts'
import { listingMessages } from '#contract/listings.ts'
import { useAppContext } from '#web/context/app-context.ts'
import { createPhotoList, type PhotoList } from './photo-list.ts'
import { isUploaded } from './photo-state.ts'

/** Holds the photos of a listing's form. `saved` are the photos of the edited listing. */
export function usePhotoList(draftKey: string, saved: readonly Photo[]): PhotoList {
  const client = useQueryClient()
  const { login, postingDrafts } = useAppContext()
  const [list] = useState(() =>
    createPhotoList({
      client,
      login,
      draftKey,
      saved,
      posting: postingDrafts,
      max: limits.photos.listing,
      tooMany: listingMessages.tooManyPhotos,
    }),
  )
  useEffect(() => {
    void list.open()
    return list.close
  }, [list])
  useEffect(() => list.setSaved(saved), [list, saved])
  return list
}

/** Returns the progress of the uploads for a submit button. Returns undefined when all photos are uploaded. */
export function useSendingText(list: PhotoList): string | undefined {
  const { photos } = useSelector(list.state)
  const count = photos.filter(isUploaded).length
  return count === photos.length ? undefined : `Sending photo ${count + 1} of ${photos.length}...`
}
