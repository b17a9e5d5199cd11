import { type ChangeEvent, useEffect, useRef, useState } from 'react'
import { limits } from '#contract/constants.ts'
import { errorMessages } from '#contract/error-messages.ts'
import { messageErrorMessages } from '#contract/messages.ts'
import { isImage } from '#web/features/images/is-image.ts'
import { prepareImage } from '#web/features/images/prepare-image.ts'
import { useObjectUrl } from '#web/features/images/use-object-url.ts'
import { IconButton } from '#web/ui/button.tsx'
import { Icon } from '#web/ui/icon.tsx'
import css from './composer-photos.module.css'

/** A chosen photo. `prepared` is the file to send, once it is ready. */
interface ChosenPhoto {
  readonly key: string
  readonly file: File
  readonly prepared: File | undefined
}

export interface ComposerPhotos {
  readonly photos: readonly ChosenPhoto[]
  /** The reason why the last files were not added. */
  readonly problem: string | undefined
  readonly isPreparing: boolean
  add(files: Iterable<File>): void
  remove(key: string): void
  /** Returns the prepared photos and shows none any more. */
  take(): File[]
}

/** Holds the photos of a message that is being written. */
export function useComposerPhotos(): ComposerPhotos {
  const [photos, setPhotos] = useState<readonly ChosenPhoto[]>([])
  const [problem, setProblem] = useState<string>()
  const leaving = useRef(new AbortController())
  useEffect(() => {
    const controller = new AbortController()
    leaving.current = controller
    return () => controller.abort()
  }, [])

  async function prepare({ key, file }: ChosenPhoto) {
    const { file: prepared } = await prepareImage(file, { signal: leaving.current.signal })
    setPhotos((before) => before.map((photo) => (photo.key === key ? { ...photo, prepared } : photo)))
  }

  return {
    photos,
    problem,
    isPreparing: photos.some(({ prepared }) => prepared === undefined),
    add(files) {
      const chosen = [...files]
      const images = chosen.filter(isImage)
      const room = limits.photos.message - photos.length
      const added = images
        .slice(0, room)
        .map((file) => ({ key: crypto.randomUUID(), file, prepared: undefined }))
      const tooMany = images.length > room ? messageErrorMessages.tooManyPhotos : undefined
      setProblem(images.length < chosen.length ? errorMessages.notAnImage : tooMany)
      setPhotos([...photos, ...added])
      // Preparing fails only if the screen is left.
      for (const photo of added) prepare(photo).catch(() => undefined)
    },
    remove(key) {
      setProblem(undefined)
      setPhotos(photos.filter((photo) => photo.key !== key))
    },
    take() {
      setProblem(undefined)
      setPhotos([])
      return photos.flatMap(({ prepared }) => prepared ?? [])
    },
  }
}

/** Takes photos from the camera or the library. */
export function AddPhotos({ onAdd }: { onAdd: (files: Iterable<File>) => void }) {
  const input = useRef<HTMLInputElement>(null)

  function choose({ currentTarget }: ChangeEvent<HTMLInputElement>) {
    onAdd([...(currentTarget.files ?? [])])
    // Otherwise choosing the same file again fires no event.
    currentTarget.value = ''
  }
  return (
    <>
      <IconButton label="Add photos" onClick={() => input.current?.click()}>
        <Icon name="camera" />
      </IconButton>
      <input
        ref={input}
        type="file"
        accept="image/*,.heic,.heif"
        multiple
        hidden
        aria-label="Photos"
        onChange={choose}
      />
    </>
  )
}

/** Shows the chosen photos above the text field. */
export function ChosenPhotos({ photos, problem, remove }: ComposerPhotos) {
  return (
    <>
      {photos.length > 0 && (
        <ul className={css.photos} aria-label="Photos to send">
          {photos.map(({ key, file }, index) => (
            <li key={key}>
              <FileImage file={file} alt={`Photo ${index + 1}: ${file.name}`} />
              <IconButton
                label={`Remove photo ${index + 1}`}
                variant="paper"
                className={css.remove}
                onClick={() => remove(key)}
              >
                <Icon name="close" size={16} />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      {problem !== undefined && (
        <p className={css.problem} role="alert">
          <Icon name="warn" size={16} />
          {problem}
        </p>
      )}
    </>
  )
}

export function FileImage({ file, alt }: { file: File; alt: string }) {
  const url = useObjectUrl(file)
  return url !== undefined && <img className={css.image} src={url} alt={alt} />
}
