import { useId } from 'react'
import type { Profile } from '#contract/auth.ts'
import { useObjectUrl } from '#web/features/images/use-object-url.ts'
import type { PhotoChoice } from '#web/features/images/use-photo.ts'
import { PhotoInput, PhotoProgress } from '#web/features/profile/photo-input.tsx'
import { PhotoNote } from '#web/features/profile/photo-note.tsx'
import layout from '#web/styles/layout.module.css'
import { Avatar } from '#web/ui/avatar.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx'
import css from './photo-update.module.css'

interface PhotoUpdateProps {
  me: Profile
  choice: PhotoChoice
  /** The sent share of the photo from 0 to 1, undefined if no upload is running. */
  sent: number | undefined
  onChoose: () => void
}

/** Shows the stored or chosen photo with a button to choose another one. */
export function PhotoUpdate({ me, choice: { photo, choose }, sent, onChoose }: PhotoUpdateProps) {
  const noteId = useId()
  const preview = useObjectUrl(photo.step === 'none' ? undefined : photo.file)

  function change(file: File) {
    onChoose()
    choose(file)
  }

  return (
    <div className={classNames(layout.stack, layout.gap3, layout.center, css.update)}>
      <Avatar
        id={me.id}
        name={me.first_name || me.username}
        picture={preview ?? me.profile_picture}
        size="lg"
      />
      <PhotoInput describedBy={noteId} onChoose={change}>
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
