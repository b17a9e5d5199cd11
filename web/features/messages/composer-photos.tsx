import { t } from '@lingui/core/macro'
import { useSelector } from '@tanstack/react-store'
import { type ChangeEvent, useEffect, useRef, useState } from 'react'
import { v4 as newUuid } from 'uuid'
import { readText } from '#web/features/drafts/draft-storage.ts'
import { useDraft } from '#web/features/drafts/use-draft.ts'
import type { PhotoList } from '#web/features/images/photo-list.ts'
import { PhotoPreview } from '#web/features/images/photo-preview.tsx'
import { isRunning, type ListedPhoto } from '#web/features/images/photo-state.ts'
import { translateMessage } from '#web/i18n/translate-message.ts'
import { IconButton } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { ErrorNote } from '#web/ui/error-note.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { Cluster } from '#web/ui/layout.tsx'
import { Progress } from '#web/ui/progress.tsx'
import css from './composer-photos.module.css'
import { useOutbox } from './outbox.ts'
import type { Unsent } from './unsent-messages.ts'
import { useMessagePhotos } from './use-message-photos.ts'

/** Holds the photos of the message that is being written. They are stored and uploaded until it is sent. */
export function useComposerPhotos(receiver: number) {
  const stored = useDraft(`message-photos-${receiver}`, readText)
  const [initial] = useState(() => newUuid())
  const [next, setNext] = useState<string>()
  const draft = next ?? stored.restored ?? initial
  const list = useMessagePhotos(draft)
  const { photos } = useSelector(list.state)
  const count = photos.length
  const { photoLists } = useOutbox()
  useEffect(() => {
    photoLists.set(draft, list)
    return () => {
      if (list.state.get().photos.length > 0) return
      list.close()
      photoLists.delete(draft)
    }
  }, [photoLists, draft, list])

  return {
    list,
    count,
    add(files: Iterable<File>) {
      stored.save(draft)
      void list.add(files)
    },
    /** Returns the photos for the outbox, and shows none any more. Returns undefined if there are none. */
    take(): Unsent['photos'] {
      if (count === 0) return undefined
      stored.clear()
      setNext(newUuid())
      return { draft, count }
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
      <IconButton label={t`Add photos`} onClick={() => input.current?.click()}>
        <Icon name="camera" />
      </IconButton>
      <input
        ref={input}
        type="file"
        accept="image/*,.heic,.heif"
        multiple
        hidden
        aria-label={t`Photos`}
        onChange={choose}
      />
    </>
  )
}

/** Shows the chosen photos above the text field. */
export function ChosenPhotos({ list }: { list: PhotoList }) {
  const { photos, problem } = useSelector(list.state)
  return (
    <>
      {photos.length > 0 && (
        <Cluster as="ul" align="stretch" className={css.photos} aria-label={t`Photos to send`}>
          {photos.map((photo, index) => (
            <ChosenPhoto
              key={photo.key}
              photo={photo}
              index={index}
              onRemove={() => list.remove(photo.key)}
            />
          ))}
        </Cluster>
      )}
      {problem !== undefined && (
        <ErrorNote role="alert" className={css.problem}>
          {problem}
        </ErrorNote>
      )}
    </>
  )
}

type ChosenPhotoProps = { photo: ListedPhoto; index: number; onRemove: () => void }

function ChosenPhoto({ photo, index, onRemove }: ChosenPhotoProps) {
  const { step, progress, problem } = photo
  const name = t`photo ${{ number: index + 1 }}`
  return (
    <li className={classNames((step === 'failed' || step === 'waiting') && css.noted)}>
      <div className={css.photo}>
        <PhotoPreview
          photo={photo}
          alt={t`Photo ${{ number: index + 1 }}: ${{ file: photo.file?.name ?? '' }}`}
          sizes="72px"
        />
        <IconButton label={t`Remove ${name}`} variant="paper" className={css.remove} onClick={onRemove}>
          <Icon name="close" size={16} />
        </IconButton>
      </div>
      {isRunning(step) && (
        <Progress
          hiddenLabel
          label={step === 'preparing' ? t`Preparing ${name}` : t`Sending ${name}`}
          value={progress}
        />
      )}
      {step === 'waiting' && <p className={css.waiting}>{t`Waiting for a connection`}</p>}
      {step === 'failed' && <ErrorNote role="alert">{problem && translateMessage(problem)}</ErrorNote>}
    </li>
  )
}
