import { t } from '@lingui/core/macro'
import { useState } from 'react'
import type { Photo } from '#contract/images.ts'
import { lazyExport } from '#web/ui/lazy-export.tsx'
import { Thumbnail } from '#web/ui/thumbnail.tsx'
import css from './message-photos.module.css'

const PhotoViewer = lazyExport(() => import('#web/features/images/photo-viewer.tsx'), 'PhotoViewer')

type MessagePhotosProps = {
  images: readonly Photo[]
  /** The sender's name, undefined for an own message. */
  from: string | undefined
}

/** The photos of a message. A press shows one full screen. */
export function MessagePhotos({ images, from }: MessagePhotosProps) {
  const [opened, setOpened] = useState<number>()
  const photos = images.map((photo, index) => ({ ...photo, alt: photo.alt ?? nameOf(index, images.length) }))
  return (
    <div className={css.photos}>
      {photos.map((photo, index) => (
        <button
          key={photo.id}
          type="button"
          aria-label={t`Show ${{ alt: photo.alt }} full screen`}
          aria-haspopup="dialog"
          onClick={() => setOpened(index)}
        >
          <Thumbnail picture={photo} alt="" sizes="160px" />
        </button>
      ))}
      {opened !== undefined && (
        <PhotoViewer
          photos={photos}
          title={from === undefined ? t`Your photos` : t`Photos from ${from}`}
          first={opened}
          onClose={() => setOpened(undefined)}
        />
      )}
    </div>
  )
}

function nameOf(index: number, count: number): string {
  return count === 1 ? t`photo` : t`photo ${{ number: index + 1 }} of ${count}`
}
