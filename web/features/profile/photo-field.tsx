import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useId, useRef } from 'react'
import type { PhotoList } from '#web/features/images/photo-list.ts'
import { PhotoInput, PhotoNote, useChosenPhoto } from '#web/features/profile/photo-input.tsx'
import { Avatar } from '#web/ui/avatar.tsx'
import { Button } from '#web/ui/button.tsx'
import { Cluster } from '#web/ui/layout.tsx'
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx'
import css from './photo-field.module.css'

interface PhotoFieldProps {
  id: number
  name: string
  /** The stored photo. */
  current: string | null | undefined
  list: PhotoList
}

/** Shows the profile photo with buttons to choose and remove it. */
export function PhotoField({ id, name, current, list }: PhotoFieldProps) {
  const noteId = useId()
  const choices = useRef<HTMLDivElement>(null)
  const { photo, preview } = useChosenPhoto(list)
  const hasPhoto = photo !== undefined || Boolean(current)

  function removePhoto() {
    if (photo) list.remove(photo.key)
    // The pressed button disappears, so focus the input.
    choices.current?.querySelector('input')?.focus()
  }
  return (
    <Cluster className={css.photo}>
      <Avatar id={id} name={name} picture={preview ?? current} size="md" />
      <div className={css.side}>
        <Cluster ref={choices}>
          <PhotoInput describedBy={noteId} onChoose={(file) => list.add([file])}>
            {hasPhoto ? (
              <Trans>
                Change<VisuallyHidden> photo</VisuallyHidden>
              </Trans>
            ) : (
              t`Add a photo`
            )}
          </PhotoInput>
          {photo !== undefined && (
            <Button variant="quiet" size="small" onClick={removePhoto}>
              {t`Remove`}
            </Button>
          )}
        </Cluster>
        <div className={css.note}>
          <PhotoNote id={noteId} list={list} hint={t`Optional. Neighbors see it beside your name.`} />
        </div>
      </div>
    </Cluster>
  )
}
