import { type ChangeEvent, type ReactNode, useId } from 'react'
import type { Photo } from '#web/features/images/use-photo.ts'
import { buttonLook } from '#web/ui/button-look.ts'
import css from './photo-input.module.css'

interface PhotoInputProps {
  /** The id of what is said about the photo. */
  describedBy: string
  onChoose: (file: File) => void
  /** The words on its button. */
  children: ReactNode
}

/** Takes a photo from the camera or the files. */
export function PhotoInput({ describedBy, onChoose, children }: PhotoInputProps) {
  const id = useId()

  function take({ currentTarget }: ChangeEvent<HTMLInputElement>) {
    const file = currentTarget.files?.[0]
    if (file !== undefined) onChoose(file)
    // The same file can be chosen again after it was removed.
    currentTarget.value = ''
  }

  return (
    <span className={css.input}>
      <input
        type="file"
        accept="image/*,.heic,.heif"
        id={id}
        aria-describedby={describedBy}
        onChange={take}
      />
      <label htmlFor={id} className={buttonLook({ variant: 'secondary', size: 'small' })}>
        {children}
      </label>
    </span>
  )
}

interface PhotoProgressProps {
  photo: Photo
  /** How much of the photo has been sent, from 0 to 1, while it is being sent. */
  sent: number | undefined
}

/** How far the photo is, while it is prepared or sent. */
export function PhotoProgress({ photo, sent }: PhotoProgressProps) {
  return (
    <>
      {photo.step === 'preparing' && <Progress label="Preparing the photo" done={photo.done} />}
      {sent !== undefined && <Progress label="Sending the photo" done={sent} />}
    </>
  )
}

function Progress({ label, done }: { label: string; done: number }) {
  return (
    <label className={css.progress}>
      {label}
      <progress value={done} />
    </label>
  )
}
