import { useHydrated } from '@tanstack/react-router'
import { memo } from 'react'
import type { Message } from '#contract/messages.ts'
import { classNames } from '#web/ui/class-names.ts'
import { Icon } from '#web/ui/icon.tsx'
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx'
import css from './bubbles.module.css'
import { endsRun } from './conversation.ts'
import { MessageText } from './message-text.tsx'
import { MessageTime, unknownTime } from './message-time.tsx'
import { failureText, type Unsent, useOutbox } from './outbox.ts'
import { dayName, isSameDay } from './time-format.ts'

/** As high as a time. When it is where the reader is, only their browser knows. */

type BubblesProps = {
  messages: readonly Message[]
  unsent: readonly Unsent[]
  /** The other side, by whom messages come in. */
  otherId: number
  otherName: string
}

/** A conversation from its oldest message to what is on its way. */
export function Bubbles({ messages, unsent, otherId, otherName }: BubblesProps) {
  const arrived = new Set(messages.map(({ client_id }) => client_id))
  const today = new Date().toDateString()
  return (
    <>
      {messages.map((message, place) => (
        <Bubble
          key={message.id}
          message={message}
          before={messages[place - 1]}
          after={messages[place + 1]}
          from={message.sender_id === otherId ? otherName : undefined}
          today={today}
        />
      ))}
      {unsent
        .filter(({ client_id }) => !arrived.has(client_id))
        .map((message) => (
          <UnsentBubble key={message.client_id} message={message} />
        ))}
    </>
  )
}

/** Where the reader's days begin, only their browser knows, too. */
function areOneDay(one: Message, other: Message, isHydrated: boolean): boolean {
  if (isHydrated) return isSameDay(new Date(one.created_at), new Date(other.created_at))
  return one.created_at.slice(0, 10) === other.created_at.slice(0, 10)
}

type BubbleProps = {
  message: Message
  before: Message | undefined
  after: Message | undefined
  /** The sender's name; undefined for one's own message. */
  from: string | undefined
  today: string
}

/** Memoized, so that new messages don't render it again or search its links again. */
const Bubble = memo(function Bubble({ message, before, after, from, today }: BubbleProps) {
  const own = from === undefined
  const now = new Date(today)
  const isHydrated = useHydrated()
  const opensDay = before === undefined || !areOneDay(before, message, isHydrated)
  return (
    <>
      {opensDay && <p className={css.day}>{isHydrated ? dayName(message.created_at, now) : unknownTime}</p>}
      <p className={classNames(css.bubble, own && css.out)}>
        <VisuallyHidden>{own ? 'You: ' : `${from}: `}</VisuallyHidden>
        <MessageText text={message.content} />
      </p>
      {endsRun(message, after) && (
        <p className={classNames(css.stamp, own && css.stampOut)}>
          <MessageTime at={message.created_at} now={now} />
        </p>
      )}
    </>
  )
})

function UnsentBubble({ message }: { message: Unsent }) {
  const outbox = useOutbox()
  const failed = message.state === 'failed'
  return (
    <>
      <p className={classNames(css.bubble, css.out, failed ? css.failed : css.sending)}>
        <VisuallyHidden>You: </VisuallyHidden>
        <MessageText text={message.content} />
      </p>
      {failed ? (
        <p className={classNames(css.stamp, css.stampOut, css.stampFailed)}>
          <Icon name="warn" size={14} />
          {failureText(message)}
          {message.refusal === undefined ? (
            <button
              type="button"
              onClick={({ currentTarget }) => {
                goOnWriting(currentTarget)
                outbox.retry(message.receiver_id)
              }}
            >
              Try again
            </button>
          ) : (
            <button
              type="button"
              onClick={({ currentTarget }) => {
                goOnWriting(currentTarget)
                outbox.discard(message.client_id)
              }}
            >
              Remove
            </button>
          )}
        </p>
      ) : (
        <p className={classNames(css.stamp, css.stampOut)}>
          <Icon name="clock" size={14} />
          Sending
        </p>
      )}
    </>
  )
}

/** The button that is pressed goes; what is written is written below. */
function goOnWriting(button: HTMLElement) {
  button.closest('section')?.querySelector('textarea')?.focus()
}
