import { useId, useRef } from 'react'
import { useObjectUrl } from '#web/features/images/use-object-url.ts'
import type { PhotoChoice } from '#web/features/images/use-photo.ts'
import { PhotoInput, PhotoProgress } from '#web/features/profile/photo-input.tsx'
import { PhotoNote } from '#web/features/profile/photo-note.tsx'
import layout from '#web/styles/layout.module.css'
import { Avatar } from '#web/ui/avatar.tsx'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx'
import css from './photo-field.module.css'

interface PhotoFieldProps {
  id: number
  name: string
  /** The stored photo. */
  current: string | null | undefined
  choice: PhotoChoice
  /** The sent share of the photo from 0 to 1, undefined if no upload is running. */
  sent: number | undefined
}

/** Shows the profile photo with buttons to choose and remove it. */
export function PhotoField({ id, name, current, choice: { photo, choose, remove }, sent }: PhotoFieldProps) {
  const noteId = useId()
  const choices = useRef<HTMLDivElement>(null)
  const preview = useObjectUrl(photo.step === 'none' ? undefined : photo.file)
  const hasPhoto = photo.step !== 'none' || Boolean(current)

  function removePhoto() {
    remove()
    // The pressed button disappears, so focus the input.
    choices.current?.querySelector('input')?.focus()
  }
  return (
    <div className={classNames(layout.cluster, css.photo)}>
      <Avatar id={id} name={name} picture={preview ?? current} size="md" />
      <div className={css.side}>
        <div ref={choices} className={layout.cluster}>
          <PhotoInput describedBy={noteId} onChoose={choose}>
            {hasPhoto ? 'Change' : 'Add a photo'}
            {hasPhoto && <VisuallyHidden> photo</VisuallyHidden>}
          </PhotoInput>
          {photo.step !== 'none' && (
            <Button variant="quiet" size="small" onClick={removePhoto}>
              Remove
            </Button>
          )}
        </div>
        <div className={css.note}>
          <PhotoNote id={noteId} photo={photo} hint="Optional. Neighbors see it beside your name." />
        </div>
        <PhotoProgress photo={photo} sent={sent} />
      </div>
    </div>
  )
}
