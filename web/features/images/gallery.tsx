import { t } from '@lingui/core/macro'
import { useState } from 'react'
import type { Photo } from '#contract/images.ts'
import { classNames } from '#web/ui/class-names.ts'
import { Row } from '#web/ui/layout.tsx'
import { lazyExport } from '#web/ui/lazy-export.tsx'
import { Thumbnail } from '#web/ui/thumbnail.tsx'
import css from './gallery.module.css'
import { namePhotos } from './named-photo.ts'
import snap from './snap-row.module.css'
import { useSnapRow } from './use-snap-row.ts'

const PhotoViewer = lazyExport(() => import('./photo-viewer.tsx'), 'PhotoViewer')

type GalleryProps = {
  photos: readonly Photo[]
  /** The title of their listing. */
  title: string
  /** The width of the gallery, as in `<img sizes>`. */
  sizes: string
  className?: string | undefined
}

/** Shows photos as a row to swipe, on desktops with thumbnails below. A press opens them full screen. */
export function Gallery({ photos: unnamed, title, sizes, className }: GalleryProps) {
  const photos = namePhotos(unnamed, title)
  const { row, shown, onScroll, show } = useSnapRow(photos.length)
  const [opened, setOpened] = useState<number>()
  return (
    <div className={css.gallery}>
      <ul ref={row} className={snap.row} aria-label={t`Photos`} onScroll={onScroll}>
        {photos.map((photo, index) => (
          <li key={photo.id}>
            <Thumbnail
              className={className}
              picture={photo}
              alt={photo.alt}
              sizes={sizes}
              eager={index === 0}
            >
              <button
                type="button"
                className={css.openButton}
                aria-label={t`Show ${{ alt: photo.alt }} full screen`}
                aria-haspopup="dialog"
                onClick={() => setOpened(index)}
              />
            </Thumbnail>
          </li>
        ))}
      </ul>
      {photos.length > 1 && <Dots photos={photos} shown={shown} />}
      {photos.length > 1 && <Thumbnails photos={photos} shown={shown} onShow={show} />}
      {opened !== undefined && (
        <PhotoViewer
          photos={photos}
          title={title}
          first={opened}
          onClose={(last) => {
            setOpened(undefined)
            show(last, 'instant')
          }}
        />
      )}
    </div>
  )
}

type PositionProps = { photos: readonly Photo[]; shown: number }

function Dots({ photos, shown }: PositionProps) {
  return (
    <Row as="p" align="stretch" className={css.dots} aria-hidden="true">
      {photos.map((photo, index) => (
        <span key={photo.id} className={classNames(index === shown && css.current)} />
      ))}
    </Row>
  )
}

function Thumbnails({ photos, shown, onShow }: PositionProps & { onShow: (index: number) => void }) {
  return (
    <ul className={css.thumbnails} aria-label={t`Choose a photo`}>
      {photos.map((photo, index) => (
        <li key={photo.id}>
          <button
            type="button"
            aria-label={t`Photo ${{ number: index + 1 }}`}
            aria-current={index === shown}
            onClick={() => onShow(index)}
          >
            <Thumbnail picture={photo} alt="" sizes="72px" />
          </button>
        </li>
      ))}
    </ul>
  )
}
