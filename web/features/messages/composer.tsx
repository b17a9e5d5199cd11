import { useHydrated } from '@tanstack/react-router'
import { type FormEvent, type KeyboardEvent, useId, useState } from 'react'
import { z } from 'zod'
import { limits } from '#contract/constants.ts'
import { messageErrorMessages } from '#contract/messages.ts'
import { useDraft } from '#web/features/drafts/use-draft.ts'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Icon } from '#web/ui/icon.tsx'
import css from './composer.module.css'
import { useOutbox } from './outbox.ts'

/** The counter is shown when fewer characters are left. */
const shownBelow = 500

const storedText = z.string()

type ComposerProps = {
  receiver: number
  label: string
  /** The suggested text of a first message. */
  opening?: string
  onSent?: () => void
}

/** The composer. Its text is stored until it is sent. */
export function Composer({ receiver, label, opening = '', onSent }: ComposerProps) {
  const outbox = useOutbox()
  const draft = useDraft(`message-${receiver}`, storedText)
  const [typed, setTyped] = useState<string>()
  const isHydrated = useHydrated()
  const text = typed ?? draft.restored ?? opening
  const { length } = text.trim()
  const isTooLong = length > limits.message
  const noteId = useId()

  function write(next: string) {
    setTyped(next)
    draft.save(next || undefined)
  }

  function send() {
    const content = text.trim()
    if (content === '' || isTooLong) return
    write('')
    outbox.post(receiver, content)
    onSent?.()
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    send()
  }

  /** Enter sends; with Shift, or while a word is being composed, it does not. */
  function press(event: KeyboardEvent) {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    send()
  }
  return (
    <form className={css.composer} onSubmit={submit}>
      {length >= limits.message - shownBelow && (
        <p id={noteId} className={classNames(css.note, isTooLong && css.tooLong)} role="status">
          {isTooLong && <Icon name="warn" size={16} />}
          <span>
            {isTooLong && `${messageErrorMessages.tooLong} `}
            {length}/{limits.message}
          </span>
        </p>
      )}
      <textarea
        rows={1}
        dir="auto"
        aria-label={label}
        placeholder="Type a message…"
        enterKeyHint="send"
        aria-describedby={length >= limits.message - shownBelow ? noteId : undefined}
        aria-invalid={isTooLong || undefined}
        value={text}
        readOnly={!isHydrated}
        onChange={(event) => write(event.target.value)}
        onKeyDown={press}
      />
      {/* The focus stays where it is written, or a phone's keyboard would go after every message. */}
      <Button type="submit" onMouseDown={(event) => event.preventDefault()}>
        Send
      </Button>
    </form>
  )
}
