import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useSelector } from '@tanstack/react-store'
import { type ChangeEvent, type DragEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { limits } from '#contract/constants.ts'
import { imageMessages } from '#contract/images.ts'
import { useAppContext } from '#web/context/app-context.ts'
import { translateMessage } from '#web/i18n/translate-message.ts'
import text from '#web/styles/text.module.css'
import { announce } from '#web/ui/announcements.ts'
import { IconButton } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { ErrorNote } from '#web/ui/error-note.tsx'
import { TextField } from '#web/ui/field.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { Grid, Row, Stack } from '#web/ui/layout.tsx'
import hidden from '#web/ui/visually-hidden.module.css'
import type { PhotoList } from './photo-list.ts'
import type { ListedPhoto } from './photo-state.ts'
import { PhotoTile } from './photo-tile.tsx'
import css from './photos-field.module.css'
import { useDragOrder } from './use-drag-order.ts'

type PhotosFieldProps = {
  list: PhotoList
  /** The text below 'Choose a photo'. */
  hint: string
  /** The server's error message for the photos. */
  error?: string | undefined
  /** Focuses the input when the error appears. */
  focusError?: boolean
  onChange: () => void
}

/** Takes photos from the camera, files or a drop, and shows them in their order. The first is the cover. */
export function PhotosField({ list, hint, error, focusError = false, onChange }: PhotosFieldProps) {
  const { photos, refused, problem } = useSelector(list.state)
  const input = useRef<HTMLInputElement>(null)
  const id = useId()
  const shownError = error ?? problem
  useEffect(() => {
    if (error !== undefined && focusError) input.current?.focus()
  }, [error, focusError])

  function add(files: Iterable<File>) {
    void list.add(Array.from(files))
    onChange()
  }

  function chooseFrom({ currentTarget }: ChangeEvent<HTMLInputElement>) {
    add(currentTarget.files ?? [])
    // Otherwise choosing the same file again fires no event.
    currentTarget.value = ''
  }

  return (
    <DropZone onChoose={add}>
      <label className={classNames(text.label, css.label)} htmlFor={id}>
        {t`Photos`} <span>{t`(optional)`}</span>
      </label>
      {photos.length > 0 && (
        <Photos list={list} photos={photos} onChange={onChange} onRemoved={() => input.current?.focus()} />
      )}
      <div className={css.chooser}>
        <input
          ref={input}
          id={id}
          type="file"
          multiple
          accept="image/*,.heic,.heif"
          className={hidden.hidden}
          aria-describedby={shownError === undefined ? undefined : `${id}-error`}
          aria-invalid={shownError === undefined ? undefined : true}
          onChange={chooseFrom}
        />
        <ChooseLabel inputId={id} count={photos.length} hint={hint} />
      </div>
      {refused.length > 0 && (
        <ul className={css.refused}>
          {refused.map(({ key, name }) => (
            <Row as="li" key={key}>
              <span>
                <Trans>
                  <bdi>{name}</bdi> is no picture and is left out.
                </Trans>
              </span>
              <IconButton
                label={t`Remove ${name}`}
                onClick={() => {
                  list.dismiss(key)
                  input.current?.focus()
                }}
              >
                <Icon name="close" size={20} />
              </IconButton>
            </Row>
          ))}
        </ul>
      )}
      {shownError !== undefined && (
        <ErrorNote id={`${id}-error`} role="alert">
          {shownError}
        </ErrorNote>
      )}
    </DropZone>
  )
}

type PhotosProps = Pick<PhotosFieldProps, 'list' | 'onChange'> & {
  photos: readonly ListedPhoto[]
  onRemoved: () => void
}

function Photos({ list, photos, onChange, onRemoved }: PhotosProps) {
  const { announcement } = useAppContext()
  const { list: element, drag, handleProps } = useDragOrder(move)

  function move(key: string, to: number) {
    if (to < 0 || to >= photos.length || photos[to]?.key === key) return
    list.move(key, to)
    announce(announcement, t`Photo moved to place ${{ place: to + 1 }} of ${{ count: photos.length }}`)
    onChange()
  }

  function remove(key: string) {
    list.remove(key)
    announce(announcement, t`Photo removed`)
    onRemoved()
    onChange()
  }

  const cover = photos.findIndex(({ step }) => step !== 'failed')
  return (
    <>
      <ol ref={element} className={css.photos}>
        {photos.map((photo, index) => (
          <PhotoTile
            key={photo.key}
            photo={photo}
            index={index}
            isCover={index === cover}
            isLast={index === photos.length - 1}
            onMove={(to) => move(photo.key, to)}
            onRemove={() => remove(photo.key)}
            onRetry={() => list.retry(photo.key)}
            handleProps={handleProps(photo.key)}
            isDragged={drag?.key === photo.key}
            isTarget={drag !== undefined && drag.over === index && drag.key !== photo.key}
          />
        ))}
      </ol>
      <Descriptions photos={photos} onDescribe={(key, alt) => list.describe(key, alt)} />
    </>
  )
}

type DescriptionsProps = {
  photos: readonly ListedPhoto[]
  onDescribe: (key: string, alt: string) => void
}

/** Fields that describe the photos, behind a tap. */
function Descriptions({ photos, onDescribe }: DescriptionsProps) {
  return (
    <details className={css.descriptions}>
      <summary className={classNames(text.link, text.standalone)}>{t`Describe the photos`}</summary>
      <Stack gap="3">
        {photos.map(({ key, alt }, index) => (
          <TextField
            key={key}
            label={t`Describe ${{ name: t`photo ${{ number: index + 1 }}` }}`}
            optional
            autoComplete="off"
            value={alt}
            counter={{ count: alt.length, max: limits.photos.alt }}
            error={alt.length > limits.photos.alt ? translateMessage(imageMessages.altTooLong) : undefined}
            onChange={({ currentTarget }) => onDescribe(key, currentTarget.value)}
          />
        ))}
      </Stack>
    </details>
  )
}

function ChooseLabel({ inputId, count, hint }: { inputId: string; count: number; hint: string }) {
  if (count > 0) {
    return (
      <label htmlFor={inputId} className={classNames(css.chooseLabel, css.more)}>
        <Icon name="camera" size={24} />
        <span>
          <b>{t`Add photos`}</b> {count}/{limits.photos.listing}
        </span>
      </label>
    )
  }
  return (
    <label htmlFor={inputId} className={css.chooseLabel}>
      <Icon name="camera" size={32} />
      <span>
        <b>{t`Choose a photo`}</b>
        <br />
        {hint}
      </span>
    </label>
  )
}

type DropZoneProps = { onChoose: (files: FileList) => void; children: ReactNode }

/** Accepts dropped files. The input inside is the accessible control. */
function DropZone({ onChoose, children }: DropZoneProps) {
  const [isOver, setIsOver] = useState(false)

  function over(event: DragEvent) {
    if (!event.dataTransfer.types.includes('Files')) return
    event.preventDefault()
    setIsOver(true)
  }
  function drop(event: DragEvent) {
    setIsOver(false)
    if (event.dataTransfer.files.length === 0) return
    event.preventDefault()
    onChoose(event.dataTransfer.files)
  }
  return (
    <Grid
      gap="3"
      className={classNames(css.field, isOver && css.over)}
      onDragOver={over}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      {children}
    </Grid>
  )
}
