import { type FormEvent, type KeyboardEvent, useState } from 'react'
import { z } from 'zod'
import { limits } from '#contract/constants.ts'
import { useDraft } from '#web/features/drafts/use-draft.ts'
import { Button } from '#web/ui/button.tsx'
import css from './composer.module.css'
import { useOutbox } from './outbox.ts'

const storedText = z.string()

type ComposerProps = {
  receiver: number
  label: string
  /** What a first message starts with; it can be changed. */
  opening?: string
  onSent?: () => void
}

/** What is typed here stays, across a reload too, until it is sent. */
export function Composer({ receiver, label, opening = '', onSent }: ComposerProps) {
  const outbox = useOutbox()
  const draft = useDraft(`message-${receiver}`, storedText)
  const [typed, setTyped] = useState<string>()
  const text = typed ?? draft.restored ?? opening

  function write(next: string) {
    setTyped(next)
    draft.save(next || undefined)
  }

  function send() {
    const content = text.trim()
    if (content === '') return
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
      <textarea
        rows={1}
        aria-label={label}
        placeholder="Type a message…"
        enterKeyHint="send"
        maxLength={limits.message}
        value={text}
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
