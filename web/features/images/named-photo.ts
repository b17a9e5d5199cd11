import { t } from '@lingui/core/macro'
import type { Photo } from '#contract/images.ts'

/** A photo with a text alternative. */
export type NamedPhoto = Photo & { readonly alt: string }

/** Adds text alternatives to a listing's photos: their owner's description, or their place among them. */
export function namePhotos(photos: readonly Photo[], title: string): NamedPhoto[] {
  return photos.map((photo, index) => ({
    ...photo,
    alt:
      photo.alt ??
      (photos.length > 1
        ? t`Photo ${{ number: index + 1 }} of ${{ count: photos.length }} of ${title}`
        : title),
  }))
}
