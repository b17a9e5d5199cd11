import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useSelector } from '@tanstack/react-store'
import { useEffect, useState } from 'react'
import type { Photo } from '#contract/images.ts'
import { useAppContext } from '#web/context/app-context.ts'
import { PhotoList, type PhotoListOptions } from './photo-list.ts'
import { isUploaded } from './photo-state.ts'

const none: readonly Photo[] = []

/** Holds the photos of a form while it is shown. `saved` are the photos of the edited listing. */
export function usePhotoList(
  options: Omit<PhotoListOptions, 'client' | 'login'>,
  saved: readonly Photo[] = none,
): PhotoList {
  const client = useQueryClient()
  const { login } = useAppContext()
  const [list] = useState(() => new PhotoList({ client, login, ...options }, saved))
  useEffect(() => {
    void list.open()
    return () => list.close()
  }, [list])
  useEffect(() => list.setSaved(saved), [list, saved])
  return list
}

/** Returns the progress of the uploads for a submit button. Returns undefined when all photos are uploaded. */
export function useSendingText(list: PhotoList): string | undefined {
  const { photos } = useSelector(list.state)
  const count = photos.filter(isUploaded).length
  return count === photos.length
    ? undefined
    : t`Sending photo ${{ number: count + 1 }} of ${{ count: photos.length }}...`
}
