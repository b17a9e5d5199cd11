import { type ChangeEvent, useId } from 'react'
import type { Profile } from '#contract/auth.ts'
import { Progress } from '#web/features/profile/photo-field.tsx'
import type { usePhoto } from '#web/features/profile/use-photo.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { buttonLook } from '#web/ui/button-look.ts'
import css from './photo-update.module.css'

interface PhotoUpdateProps {
  me: Profile
  photo: ReturnType<typeof usePhoto>
  /** How much of the photo has been sent, from 0 to 1, while it is being sent. */
  sent: number | undefined
  onChoose: () => void
}

/** The photo as it is or will be, and the way to another one. */
export function PhotoUpdate({ me, photo: { photo, choose }, sent, onChoose }: PhotoUpdateProps) {
  const inputId = useId()
  const noteId = useId()

  function take({ target }: ChangeEvent<HTMLInputElement>) {
    const [file] = target.files ?? []
    if (file !== undefined) {
      onChoose()
      void choose(file)
    }
    // The same file again is a choice too.
    target.value = ''
  }

  return (
    <div className={css.update}>
      <Avatar
        id={me.id}
        name={me.first_name || me.username}
        picture={photo?.preview ?? me.profile_picture}
        size="lg"
      />
      <input
        type="file"
        accept="image/*"
        id={inputId}
        className={css.input}
        aria-describedby={noteId}
        onChange={take}
      />
      <label htmlFor={inputId} className={buttonLook({ variant: 'secondary', size: 'small' })}>
        update
      </label>
      <div id={noteId} className={css.note} aria-live="polite">
        {photo?.warning}
        {photo !== undefined && photo.done < 1 && <Progress label="Preparing the photo" done={photo.done} />}
        {sent !== undefined && <Progress label="Sending the photo" done={sent} />}
      </div>
    </div>
  )
}
