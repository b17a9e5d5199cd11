import { t } from '@lingui/core/macro'
import { useHydrated } from '@tanstack/react-router'
import {
  type ClipboardEvent,
  type FormEvent,
  type KeyboardEvent,
  type RefObject,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { limits } from '#contract/constants.ts'
import { messageErrorMessages } from '#contract/messages.ts'
import { useAppContext } from '#web/context/app-context.ts'
import { readText } from '#web/features/drafts/draft-storage.ts'
import { useDraft } from '#web/features/drafts/use-draft.ts'
import { translateMessage } from '#web/i18n/translate-message.ts'
import { shownMemberId } from '#web/login/login-store.ts'
import { useAnnounced } from '#web/ui/announcements.ts'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import field from '#web/ui/field.module.css'
import { Icon } from '#web/ui/icon.tsx'
import { isEnter } from '#web/ui/is-enter.ts'
import { Cluster } from '#web/ui/layout.tsx'
import css from './composer.module.css'
import { AddPhotos, ChosenPhotos, useComposerPhotos } from './composer-photos.tsx'
import { useOutbox } from './outbox.ts'

/** The numbers of characters left that are announced. The counter appears below the largest. */
const announcedSteps = [20, 100, 500] as const

type ComposerProps = {
  receiver: number
  label: string
  /** The listing that the next message is about. */
  about?: { id: number; title: string } | undefined
  onSent?: () => void
}

/** The text field and button for a new message. Text and photos are stored as a draft until they are sent. */
export function Composer({ receiver, label, about, onSent }: ComposerProps) {
  const outbox = useOutbox()
  const { login } = useAppContext()
  const [sender] = useState(() => shownMemberId(login))
  const photos = useComposerPhotos(receiver)
  const draft = useDraft(`message-${receiver}`, readText)
  const [typed, setTyped] = useState<string>()
  const text = typed ?? draft.restored ?? ''
  const { length } = text.trim()
  const isTooLong = length > limits.message
  const hasNote = length >= limits.message - announcedSteps[2]
  const noteId = useId()

  function write(next: string) {
    setTyped(next)
    draft.save(next || undefined)
  }

  function send() {
    const content = text.trim()
    if ((content === '' && photos.count === 0) || isTooLong) return
    // Another member has logged in in another tab: the text stays the draft of its sender.
    if (shownMemberId(login) !== sender) return
    write('')
    outbox.post(receiver, content, about, photos.take())
    onSent?.()
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    send()
  }

  return (
    <Cluster as="form" align="end" className={css.composer} onSubmit={submit}>
      {hasNote && <LengthNote id={noteId} length={length} />}
      <ChosenPhotos list={photos.list} />
      <MessageField
        label={label}
        noteId={hasNote ? noteId : undefined}
        isTooLong={isTooLong}
        text={text}
        onWrite={write}
        onSend={send}
        onPastePhotos={photos.add}
      />
      <AddPhotos onAdd={photos.add} />
      {/* Keeps the focus in the text field, so that a phone's keyboard stays open. */}
      <Button type="submit" onMouseDown={(event) => event.preventDefault()}>
        {t`Send`}
      </Button>
    </Cluster>
  )
}

type MessageFieldProps = {
  label: string
  /** The id of the note about the length. */
  noteId: string | undefined
  isTooLong: boolean
  text: string
  onWrite: (text: string) => void
  onSend: () => void
  onPastePhotos: (files: FileList) => void
}

function MessageField({ label, noteId, isTooLong, text, onWrite, onSend, onPastePhotos }: MessageFieldProps) {
  const isHydrated = useHydrated()
  const box = useRef<HTMLTextAreaElement>(null)
  useGrowingBox(box, text)

  /** Sends on Enter, unless Shift is pressed or an input method is composing. */
  function sendOnEnter(event: KeyboardEvent) {
    if (!isEnter(event) || event.shiftKey) return
    event.preventDefault()
    onSend()
  }

  function pastePhotos(event: ClipboardEvent) {
    const { files } = event.clipboardData
    if (files.length === 0) return
    event.preventDefault()
    onPastePhotos(files)
  }
  return (
    <textarea
      ref={box}
      className={field.input}
      rows={1}
      dir="auto"
      aria-label={label}
      placeholder={t`Type a message…`}
      enterKeyHint="send"
      aria-describedby={noteId}
      aria-invalid={isTooLong || undefined}
      value={text}
      readOnly={!isHydrated}
      onChange={(event) => onWrite(event.target.value)}
      onKeyDown={sendOnEnter}
      onPaste={pastePhotos}
    />
  )
}

/** Makes the box as high as its text in browsers without `field-sizing`: Firefox before 152 and Safari before 26.2. */
function useGrowingBox(box: RefObject<HTMLTextAreaElement | null>, text: string) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height depends on the text
  useLayoutEffect(() => {
    if (CSS.supports('field-sizing', 'content')) return
    const grow = () => {
      if (box.current === null) return
      const { style } = box.current
      style.height = 'auto'
      const { scrollHeight, offsetHeight, clientHeight } = box.current
      style.height = `${scrollHeight + offsetHeight - clientHeight}px`
    }
    grow()
    addEventListener('resize', grow)
    return () => removeEventListener('resize', grow)
  }, [box, text])
}

/** Shows the length of a long message, and whether it is too long. Screen readers announce the steps, not each character. */
function LengthNote({ id, length }: { id: string; length: number }) {
  const isTooLong = length > limits.message
  const tooLong = translateMessage(messageErrorMessages.tooLong)
  const step = announcedSteps.find((left) => length >= limits.message - left)
  useAnnounced(isTooLong ? tooLong : step === undefined ? undefined : t`At most ${step} characters left`)
  return (
    <p id={id} className={classNames(css.note, isTooLong && css.tooLong)}>
      {isTooLong && <Icon name="warn" size={16} />}
      <span>
        {isTooLong && `${tooLong} `}
        {length}/{limits.message}
      </span>
    </p>
  )
}
