import { t } from '@lingui/core/macro'
import { type KeyboardEvent, type MouseEvent, useLayoutEffect, useRef, useState } from 'react'
import { IconButton } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { Cluster } from '#web/ui/layout.tsx'
import type { NamedPhoto } from './named-photo.ts'
import css from './photo-viewer.module.css'
import snap from './snap-row.module.css'
import { useSnapRow } from './use-snap-row.ts'

/** The zoomed photo, and the point of it to show, from 0 to 1. */
type Zoom = { index: number; x: number; y: number }

type PhotoViewerProps = {
  photos: readonly NamedPhoto[]
  title: string
  /** The index of the photo that is shown first. */
  first: number
  /** Receives the index of the photo that was shown last. */
  onClose: (last: number) => void
}

/** Shows photos full screen. Browsers zoom by pinching; a double tap, a double click or the button zoom to twice the size. */
export function PhotoViewer({ photos, title, first, onClose }: PhotoViewerProps) {
  const { row, shown, onScroll, show } = useSnapRow(photos.length, first)
  const [zoom, setZoom] = useState<Zoom>()
  const zoomed = zoom?.index === shown ? zoom : undefined

  function pressKey(event: KeyboardEvent) {
    const next = { ArrowLeft: shown - 1, ArrowRight: shown + 1, Home: 0, End: photos.length - 1 }[event.key]
    if (next === undefined || zoomed) return
    event.preventDefault()
    show(next)
  }

  return (
    <Dialog fullScreen title={title} onOpen={() => show(first, 'instant')} onClose={() => onClose(shown)}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it handles keys of the controls inside. */}
      <div className={css.viewer} onKeyDown={pressKey}>
        <ul
          ref={row}
          className={classNames(snap.row, css.row)}
          aria-label={t`Photos`}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls needs access by keyboard.
          tabIndex={0}
          onScroll={onScroll}
        >
          {photos.map((photo, index) => (
            <li key={photo.id} aria-hidden={index !== shown}>
              <ZoomablePhoto
                photo={photo}
                zoom={index === shown ? zoomed : undefined}
                onZoom={(point) => setZoom(point && { index, ...point })}
              />
            </li>
          ))}
        </ul>
        <Cluster gap="3" className={css.controls}>
          <IconButton
            label={zoomed ? t`Zoom out` : t`Zoom in`}
            variant="paper"
            onClick={() => setZoom(zoomed ? undefined : { index: shown, x: 0.5, y: 0.5 })}
          >
            <Icon name={zoomed ? 'zoom-out' : 'zoom-in'} />
          </IconButton>
          {photos.length > 1 && <Steps count={photos.length} shown={shown} onShow={show} />}
        </Cluster>
      </div>
    </Dialog>
  )
}

type ZoomablePhotoProps = {
  photo: NamedPhoto
  zoom: Zoom | undefined
  onZoom: (point: { x: number; y: number } | undefined) => void
}

function ZoomablePhoto({ photo, zoom, onZoom }: ZoomablePhotoProps) {
  const box = useRef<HTMLDivElement>(null)

  useLayoutEffect(() => {
    if (zoom === undefined || box.current === null) return
    const { scrollWidth, scrollHeight, clientWidth, clientHeight } = box.current
    box.current.scrollTo(zoom.x * scrollWidth - clientWidth / 2, zoom.y * scrollHeight - clientHeight / 2)
  }, [zoom])

  function toggle({ clientX, clientY, currentTarget }: MouseEvent) {
    const { left, top, width, height } = currentTarget.getBoundingClientRect()
    onZoom(zoom ? undefined : { x: (clientX - left) / width, y: (clientY - top) / height })
  }

  return (
    <div ref={box} className={classNames(css.box, zoom && css.zoomed)} tabIndex={zoom ? 0 : undefined}>
      <img
        src={photo.src}
        srcSet={photo.srcset}
        sizes={zoom ? '200vw' : '100vw'}
        width={photo.width}
        height={photo.height}
        alt={photo.alt}
        decoding="async"
        draggable={false}
        onDoubleClick={toggle}
      />
    </div>
  )
}

type StepsProps = { count: number; shown: number; onShow: (index: number) => void }

function Steps({ count, shown, onShow }: StepsProps) {
  return (
    <>
      <IconButton
        label={t`Previous photo`}
        variant="paper"
        aria-disabled={shown === 0}
        onClick={() => onShow(shown - 1)}
      >
        <Icon name="previous" />
      </IconButton>
      <p role="status">{t`${{ shown: shown + 1 }} of ${count}`}</p>
      <IconButton
        label={t`Next photo`}
        variant="paper"
        aria-disabled={shown === count - 1}
        onClick={() => onShow(shown + 1)}
      >
        <Icon name="next" />
      </IconButton>
    </>
  )
}
