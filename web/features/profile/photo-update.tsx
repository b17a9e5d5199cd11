import { useId } from 'react'
import type { Profile } from '#contract/auth.ts'
import { useObjectUrl } from '#web/features/images/use-object-url.ts'
import type { PhotoChoice } from '#web/features/images/use-photo.ts'
import { PhotoInput, PhotoProgress } from '#web/features/profile/photo-input.tsx'
import { PhotoNote } from '#web/features/profile/photo-note.tsx'
import { Avatar } from '#web/ui/avatar.tsx'
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx'
import css from './photo-update.module.css'

interface PhotoUpdateProps {
  me: Profile
  choice: PhotoChoice
  /** How much of the photo has been sent, from 0 to 1, while it is being sent. */
  sent: number | undefined
  onChoose: () => void
}

/** The photo as it is or will be, and the way to another one. */
export function PhotoUpdate({ me, choice: { photo, choose }, sent, onChoose }: PhotoUpdateProps) {
  const noteId = useId()
  const preview = useObjectUrl(photo.step === 'none' ? undefined : photo.file)

  function take(file: File) {
    onChoose()
    choose(file)
  }

  return (
    <div className={css.update}>
      <Avatar
        id={me.id}
        name={me.first_name || me.username}
        picture={preview ?? me.profile_picture}
        size="lg"
      />
      <PhotoInput describedBy={noteId} onChoose={take}>
        update
        <VisuallyHidden> photo</VisuallyHidden>
      </PhotoInput>
      <div className={css.note}>
        <PhotoNote id={noteId} photo={photo} />
        <PhotoProgress photo={photo} sent={sent} />
      </div>
    </div>
  )
}
