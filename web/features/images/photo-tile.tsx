import { useMutationState } from '@tanstack/react-query'
import { type DragEvent, type KeyboardEvent, type RefObject, useRef, useState } from 'react'
import { limits } from '#contract/constants.ts'
import { imageMessages } from '#contract/images.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { TextField } from '#web/ui/field.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { isUploaded, type ListedPhoto } from './photo-state.ts'
import css from './photo-tile.module.css'
import { isOffline, uploadKey, uploadProblem } from './upload-photo.ts'
import { useObjectUrl } from './use-object-url.ts'

type PhotoTileProps = {
  photo: ListedPhoto
  index: number
  isLast: boolean
  onMove: (to: number) => void
  onRemove: () => void
  onRetry: () => void
  onDescribe: (alt: string) => void
  onDragStart: () => void
  onDragEnd: () => void
  /** Called when another photo is dropped here. Undefined while none is dragged. */
  onDropPhoto: (() => void) | undefined
}

/** Shows a photo of a form with its state, its description, and buttons that move and remove it. */
export function PhotoTile({
  photo,
  index,
  isLast,
  onMove,
  onRemove,
  onRetry,
  onDescribe,
  onDragStart,
  onDragEnd,
  onDropPhoto,
}: PhotoTileProps) {
  const step = useStep(photo)
  const removeButton = useRef<HTMLButtonElement>(null)
  const name = `photo ${index + 1}`

  function allowDrop(event: DragEvent) {
    if (onDropPhoto) event.preventDefault()
  }
  function drop(event: DragEvent) {
    if (!onDropPhoto) return
    event.preventDefault()
    onDropPhoto()
  }
  function retry() {
    onRetry()
    // The pressed button goes.
    removeButton.current?.focus()
  }
  return (
    <li className={classNames(css.tile, onDropPhoto && css.target)} onDragOver={allowDrop} onDrop={drop}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the buttons move it too. */}
      <div className={css.picture} draggable onDragStart={onDragStart} onDragEnd={onDragEnd}>
        <Preview photo={photo} alt={photo.alt || `Photo ${index + 1}`} />
        {index === 0 && <span className={css.cover}>cover</span>}
      </div>
      <div className={css.details}>
        <TextField
          label={`Describe ${name}`}
          optional
          autoComplete="off"
          value={photo.alt}
          counter={{ count: photo.alt.length, max: limits.photos.alt }}
          error={photo.alt.length > limits.photos.alt ? imageMessages.altTooLong : undefined}
          onChange={({ currentTarget }) => onDescribe(currentTarget.value)}
        />
        <Actions {...{ name, index, isLast, onMove, onRemove, removeButton }} />
      </div>
      <StepNote step={step} photo={photo} onRetry={retry} />
    </li>
  )
}

type ActionsProps = Pick<PhotoTileProps, 'index' | 'isLast' | 'onMove' | 'onRemove'> & {
  name: string
  removeButton: RefObject<HTMLButtonElement | null>
}

function Actions({ name, index, isLast, onMove, onRemove, removeButton }: ActionsProps) {
  function moveByKey(event: KeyboardEvent) {
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return
    event.preventDefault()
    onMove(event.key === 'ArrowUp' ? index - 1 : index + 1)
  }
  return (
    <div className={css.actions}>
      <IconButton
        label={`Move ${name} earlier`}
        aria-disabled={index === 0}
        aria-keyshortcuts="ArrowUp"
        onKeyDown={moveByKey}
        onClick={() => onMove(index - 1)}
      >
        <Icon name="down" className={css.up} />
      </IconButton>
      <IconButton
        label={`Move ${name} later`}
        aria-disabled={isLast}
        aria-keyshortcuts="ArrowDown"
        onKeyDown={moveByKey}
        onClick={() => onMove(index + 1)}
      >
        <Icon name="down" />
      </IconButton>
      <IconButton ref={removeButton} label={`Remove ${name}`} onClick={onRemove}>
        <Icon name="trash" />
      </IconButton>
    </div>
  )
}

type Step = { name: 'preparing' | 'sending' | 'waiting' | 'ready' } | { name: 'failed'; problem: string }

/** Returns the state of a photo's preparation and upload. */
function useStep(photo: ListedPhoto): Step {
  const upload = useMutationState({ filters: { mutationKey: uploadKey(photo.key) } }).at(-1)
  if (upload?.status === 'pending') {
    const isWaiting = isOffline(upload.failureReason) || (upload.isPaused && !navigator.onLine)
    return { name: isWaiting ? 'waiting' : 'sending' }
  }
  if (isUploaded(photo)) return { name: 'ready' }
  if (!photo.isPrepared) return { name: 'preparing' }
  if (upload?.status === 'error') return { name: 'failed', problem: uploadProblem(upload.error) }
  return { name: 'sending' }
}

function StepNote({ step, photo, onRetry }: { step: Step; photo: ListedPhoto; onRetry: () => void }) {
  return (
    <>
      {photo.warning !== undefined && (
        <p className={css.note} role="alert">
          <Icon name="warn" size={16} />
          <span>{photo.warning}</span>
        </p>
      )}
      {step.name === 'preparing' && <Progress text="Preparing photo" done={photo.progress} />}
      {step.name === 'sending' && <Progress text="Sending photo" done={photo.progress} />}
      {step.name === 'waiting' && <p className={css.waiting}>Waiting for a connection</p>}
      {step.name === 'failed' && (
        <div className={css.refusal}>
          <p className={css.note} role="alert">
            <Icon name="warn" size={16} />
            <span>{step.problem}</span>
          </p>
          <Button variant="secondary" size="small" onClick={onRetry}>
            Try again
          </Button>
        </div>
      )}
    </>
  )
}

function Progress({ text, done }: { text: string; done: number }) {
  return (
    <p className={css.progress}>
      <span>{text}</span>
      <progress value={done} aria-label={text} />
    </p>
  )
}

/** Shows the chosen file, or the uploaded photo. If the browser can not display the file, shows its name until it is uploaded. */
function Preview({ photo: { file, image }, alt }: { photo: ListedPhoto; alt: string }) {
  const url = useObjectUrl(file)
  const [broken, setBroken] = useState<string>()
  if (url !== undefined && url !== broken)
    return <img src={url} alt={alt} draggable={false} onError={() => setBroken(url)} />
  if (image !== undefined && (file === undefined || url !== undefined))
    return <img src={image.src} srcSet={image.srcset} sizes="6rem" alt={alt} draggable={false} />
  if (url === undefined) return null
  return (
    <p className={css.unknown}>
      <Icon name="camera" size={24} />
      <span>{file?.name}</span>
    </p>
  )
}
