import { type ChangeEvent, type DragEvent, type ReactNode, useId, useRef, useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Icon } from '#web/ui/icon.tsx'
import css from './photo-picker.module.css'
import { useObjectUrl } from './use-object-url.ts'
import type { Photo, PhotoChoice } from './use-photo.ts'

type PhotoPickerProps = {
  choice: PhotoChoice
  /** The URL of the stored photo, shown until another one is chosen. */
  current?: string | undefined
  onRemoveCurrent?: () => void
  /** The text below 'Choose a photo'. */
  hint: string
  /** The sent share of the photo from 0 to 1, undefined if no upload is running. */
  sent?: number | undefined
  /** The server's error message for the photo. */
  error?: string | undefined
  /** Called when a photo is chosen or removed. */
  onChange?: () => void
}

/** Takes a photo from the camera, a file or a drop. Shows its preview, progress and errors. */
export function PhotoPicker({
  choice,
  current,
  onRemoveCurrent,
  hint,
  sent,
  error,
  onChange,
}: PhotoPickerProps) {
  const { photo } = choice
  const input = useRef<HTMLInputElement>(null)
  const id = useId()
  const isEmpty = photo.step === 'none' && current === undefined
  const isSending = sent !== undefined
  const note = error ?? noteOn(photo)

  function choose(file: File | undefined) {
    if (file === undefined) return
    choice.choose(file)
    onChange?.()
  }

  function remove() {
    choice.remove()
    onRemoveCurrent?.()
    onChange?.()
    input.current?.focus()
  }

  function chooseFrom({ currentTarget }: ChangeEvent<HTMLInputElement>) {
    choose(currentTarget.files?.[0])
    // Otherwise choosing the same file again fires no event.
    currentTarget.value = ''
  }

  return (
    <div className={css.picker}>
      <label className={css.label} htmlFor={id}>
        Photo <span>(optional)</span>
      </label>
      <DropZone disabled={isSending} onChoose={choose}>
        <input
          ref={input}
          id={id}
          type="file"
          accept="image/*,.heic,.heif"
          className={css.input}
          disabled={isSending}
          tabIndex={isEmpty ? 0 : -1}
          aria-describedby={note === undefined ? undefined : `${id}-note`}
          aria-invalid={note === undefined ? undefined : true}
          onChange={chooseFrom}
        />
        <Picture photo={photo} current={current} />
        {isEmpty && <Invitation inputId={id} hint={hint} />}
        {photo.step === 'preparing' && <Progress text="Preparing photo" done={photo.done} />}
        {isSending && <Progress text="Sending photo" done={sent} />}
      </DropZone>
      {note !== undefined && <Note id={`${id}-note`} text={note} />}
      {!isEmpty && (
        <Actions disabled={isSending} onReplace={() => input.current?.click()} onRemove={remove} />
      )}
    </div>
  )
}

function Picture({ photo, current }: { photo: Photo; current: string | undefined }) {
  if (photo.step !== 'none') return <Preview file={photo.file} />
  return current !== undefined && <img className={css.preview} src={current} alt="Current" />
}

function Invitation({ inputId, hint }: { inputId: string; hint: string }) {
  return (
    <label htmlFor={inputId} className={css.invitation}>
      <Icon name="camera" size={32} />
      <span>
        <b>Choose a photo</b>
        <br />
        {hint}
      </span>
    </label>
  )
}

type ActionsProps = { disabled: boolean; onReplace: () => void; onRemove: () => void }

function Actions({ disabled, onReplace, onRemove }: ActionsProps) {
  return (
    <div className={css.actions}>
      <Button variant="secondary" size="small" disabled={disabled} onClick={onReplace}>
        replace
      </Button>
      <Button variant="quiet" size="small" disabled={disabled} onClick={onRemove}>
        remove
      </Button>
    </div>
  )
}

function Note({ id, text }: { id: string; text: string }) {
  return (
    <p className={css.note} id={id} role="alert">
      <Icon name="warn" size={16} />
      <span>{text}</span>
    </p>
  )
}

function noteOn(photo: Photo): string | undefined {
  if (photo.step === 'none') return photo.problem
  if (photo.step === 'ready') return photo.warning
}

type DropZoneProps = { disabled: boolean; onChoose: (file: File) => void; children: ReactNode }

/** Accepts a dropped file. The input inside is the accessible control. */
function DropZone({ disabled, onChoose, children }: DropZoneProps) {
  const [isOver, setIsOver] = useState(false)

  function over(event: DragEvent) {
    event.preventDefault()
    setIsOver(!disabled)
  }
  function drop(event: DragEvent) {
    event.preventDefault()
    setIsOver(false)
    const file = event.dataTransfer.files[0]
    if (file && !disabled) onChoose(file)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the input inside is the control.
    <div
      className={classNames(css.zone, isOver && css.over)}
      onDragOver={over}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      {children}
    </div>
  )
}

/** Shows the chosen photo, or its name if the browser can not display it. */
function Preview({ file }: { file: File }) {
  const url = useObjectUrl(file)
  const [broken, setBroken] = useState<string>()
  if (url === undefined) return null
  if (url !== broken) {
    return <img className={css.preview} src={url} alt="Chosen" onError={() => setBroken(url)} />
  }
  return (
    <p className={css.unknown}>
      <Icon name="camera" size={32} />
      <span>{file.name}</span>
    </p>
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
