import { type ChangeEvent, useId } from 'react'
import type { usePhoto } from '#web/features/profile/use-photo.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Button } from '#web/ui/button.tsx'
import { buttonLook } from '#web/ui/button-look.ts'
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx'
import css from './photo-field.module.css'

interface PhotoFieldProps {
  id: number
  name: string
  photo: ReturnType<typeof usePhoto>
  /** How much of the photo has been sent, from 0 to 1, while it is being sent. */
  sent: number | undefined
}

/** The photo in its circle, and what can be done with it. */
export function PhotoField({ id, name, photo: { photo, choose, remove }, sent }: PhotoFieldProps) {
  const inputId = useId()
  const noteId = useId()

  function take({ target }: ChangeEvent<HTMLInputElement>) {
    const [file] = target.files ?? []
    if (file !== undefined) void choose(file)
    // The same file can be chosen again after it was removed.
    target.value = ''
  }

  return (
    <div className={css.photo}>
      <Avatar id={id} name={name} picture={photo?.preview} size="md" />
      <div className={css.side}>
        <div className={css.choices}>
          <input
            type="file"
            accept="image/*"
            id={inputId}
            className={css.input}
            aria-describedby={noteId}
            onChange={take}
          />
          <label htmlFor={inputId} className={buttonLook({ variant: 'secondary', size: 'small' })}>
            {photo === undefined ? 'Add a photo' : 'Change'}
            {photo !== undefined && <VisuallyHidden> photo</VisuallyHidden>}
          </label>
          {photo !== undefined && (
            <Button variant="quiet" size="small" onClick={remove}>
              Remove
            </Button>
          )}
        </div>
        <div id={noteId} className={css.note} aria-live="polite">
          {photo === undefined && 'Optional. Neighbors see it beside your name.'}
          {photo?.warning}
        </div>
        {photo !== undefined && photo.done < 1 && <Progress label="Preparing the photo" done={photo.done} />}
        {sent !== undefined && <Progress label="Sending the photo" done={sent} />}
      </div>
    </div>
  )
}

export function Progress({ label, done }: { label: string; done: number }) {
  return (
    <label className={css.progress}>
      {label}
      <progress value={done} />
    </label>
  )
}
