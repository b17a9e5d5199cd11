import { Trans } from '@lingui/react/macro'
import { useId } from 'react'
import type { Profile } from '#contract/auth.ts'
import type { PhotoList } from '#web/features/images/photo-list.ts'
import { PhotoInput, PhotoNote, useChosenPhoto } from '#web/features/profile/photo-input.tsx'
import { Avatar } from '#web/ui/avatar.tsx'
import { Stack } from '#web/ui/layout.tsx'
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx'
import css from './photo-update.module.css'

interface PhotoUpdateProps {
  me: Profile
  list: PhotoList
  onChoose: () => void
}

/** Shows the stored or chosen photo with a button to choose another one. */
export function PhotoUpdate({ me, list, onChoose }: PhotoUpdateProps) {
  const noteId = useId()
  const { preview } = useChosenPhoto(list)

  function choose(file: File) {
    onChoose()
    void list.add([file])
  }

  return (
    <Stack gap="3" align="center" className={css.update}>
      <Avatar
        id={me.id}
        name={me.first_name || me.username}
        picture={preview ?? me.profile_picture}
        size="lg"
      />
      <PhotoInput describedBy={noteId} onChoose={choose}>
        <Trans>
          update
          <VisuallyHidden> photo</VisuallyHidden>
        </Trans>
      </PhotoInput>
      <Stack gap="0" align="center" className={css.note}>
        <PhotoNote id={noteId} list={list} />
      </Stack>
    </Stack>
  )
}
