import { type ChangeEvent, type ReactNode, useId } from 'react'
import type { ChosenPhoto } from '#web/features/images/use-photo.ts'
import { buttonClass } from '#web/ui/button-class.ts'
import { Progress } from '#web/ui/progress.tsx'
import css from './photo-input.module.css'

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

interface PhotoProgressProps {
  photo: ChosenPhoto
  /** The sent share of the photo from 0 to 1, undefined if no upload is running. */
  sent: number | undefined
}

/** Shows the progress while the photo is prepared or sent. */
export function PhotoProgress({ photo, sent }: PhotoProgressProps) {
  return (
    <>
      {photo.step === 'preparing' && <Progress label="Preparing the photo" value={photo.done} />}
      {sent !== undefined && <Progress label="Sending the photo" value={sent} />}
    </>
  )
}
