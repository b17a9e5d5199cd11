import { t } from '@lingui/core/macro'
import { useSelector } from '@tanstack/react-store'
import { type ChangeEvent, type ReactNode, useId } from 'react'
import type { PhotoList } from '#web/features/images/photo-list.ts'
import { warningText } from '#web/features/images/prepare-image.ts'
import { useObjectUrl } from '#web/features/images/use-object-url.ts'
import { usePhotoList } from '#web/features/images/use-photo-list.ts'
import text from '#web/styles/text.module.css'
import { buttonClass } from '#web/ui/button-class.ts'
import { classNames } from '#web/ui/class-names.ts'
import { ErrorNote } from '#web/ui/error-note.tsx'
import { Progress } from '#web/ui/progress.tsx'
import css from './photo-input.module.css'

/** Holds a chosen profile photo, which is sent with the profile. */
export function useProfilePhoto(): PhotoList {
  return usePhotoList({ draftKey: 'profile', max: 1, uploads: false })
}

/** Returns the state of the chosen photo, and a URL of it. */
export function useChosenPhoto(list: PhotoList) {
  const { photos, problem, isRestored } = useSelector(list.state)
  const [photo] = photos
  return { photo, problem, isRestored, preview: useObjectUrl(photo?.isPrepared ? photo.file : undefined) }
}

interface PhotoInputProps {
  /** The id of the element that describes the photo. */
  describedBy: string
  onChoose: (file: File) => void
  /** The label of the button. */
  children: ReactNode
}

/** A file input for a photo, styled as a button. */
export function PhotoInput({ describedBy, onChoose, children }: PhotoInputProps) {
  const id = useId()

  function change({ currentTarget }: ChangeEvent<HTMLInputElement>) {
    const file = currentTarget.files?.[0]
    if (file !== undefined) onChoose(file)
    // Otherwise choosing the same file again fires no event.
    currentTarget.value = ''
  }

  return (
    <span className={css.input}>
      <input
        type="file"
        accept="image/*,.heic,.heif"
        id={id}
        aria-describedby={describedBy}
        onChange={change}
      />
      <label htmlFor={id} className={buttonClass({ variant: 'secondary', size: 'small' })}>
        {children}
      </label>
    </span>
  )
}

type PhotoNoteProps = { id: string; list: PhotoList; hint?: string }

/** Shows the problem of the chosen photo or a hint, and the progress while the photo is prepared or sent. */
export function PhotoNote({ id, list, hint }: PhotoNoteProps) {
  const { photos, problem } = useSelector(list.state)
  const [photo] = photos
  const shownProblem = problem ?? (photo?.warning && warningText(photo.warning))
  return (
    <>
      <div id={id} aria-live="polite">
        {shownProblem !== undefined && <ErrorNote>{shownProblem}</ErrorNote>}
        {shownProblem === undefined && photo === undefined && hint !== undefined && (
          <p className={classNames(text.caption, text.muted)}>{hint}</p>
        )}
      </div>
      {photo?.step === 'preparing' && <Progress label={t`Preparing the photo`} value={photo.progress} />}
      {photo?.step === 'sending' && <Progress label={t`Sending the photo`} value={photo.progress} />}
    </>
  )
}
