import { t } from '@lingui/core/macro'
import { useSelector } from '@tanstack/react-store'
import { useEffect, useState } from 'react'
import { useAnnounced } from '#web/ui/announcements.ts'
import { classNames } from '#web/ui/class-names.ts'
import { Icon } from '#web/ui/icon.tsx'
import { Row } from '#web/ui/layout.tsx'
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx'
import css from './bubbles.module.css'
import { failureText } from './failure-text.ts'
import { MessageText } from './message-text.tsx'
import { useOutbox } from './outbox.ts'
import type { Unsent } from './unsent-messages.ts'
import { UnsentPhotos } from './unsent-photo-list.tsx'
import { useMessagePhotos } from './use-message-photos.ts'

type UnsentProps = { message: Unsent }

/** Shows a message that the server has not confirmed, and its state. */
export function UnsentBubble({ message }: UnsentProps) {
  const failed = message.state === 'failed'
  return (
    <>
      <div className={classNames(css.bubble, css.out, failed ? css.failed : css.sending)}>
        <p>
          <VisuallyHidden>{`${t`You:`} `}</VisuallyHidden>
          {message.listing !== undefined && (
            <span className={css.about}>{t`About ${{ title: message.listing.title }}`}</span>
          )}
          <MessageText text={message.content} />
        </p>
        {message.photos && <UnsentPhotos draft={message.photos.draft} isSending={!failed} />}
      </div>
      {failed && (
        <Row as="p" gap="1" className={classNames(css.stamp, css.stampOut, css.stampFailed)}>
          <Icon name="warn" size={14} />
          {failureText(message)}
          <Actions message={message} />
        </Row>
      )}
      {!failed && message.photos === undefined && <Sending message={message} />}
      {!failed && message.photos !== undefined && (
        <SendingPhotos message={message} draft={message.photos.draft} />
      )}
    </>
  )
}

function SendingPhotos({ message, draft }: UnsentProps & { draft: string }) {
  const { photos } = useSelector(useMessagePhotos(draft).state)
  const progress = photos.map(({ progress, image }) => (image === undefined ? progress : 'sent')).join(' ')
  return (
    <Sending
      message={message}
      progress={progress}
      isWaiting={photos.some(({ step }) => step === 'waiting')}
      isPreparing={photos.some(({ isPrepared }) => !isPrepared)}
    />
  )
}

type SendingProps = UnsentProps & {
  /** Changes while photos are being uploaded. */
  progress?: string
  isWaiting?: boolean
  isPreparing?: boolean
}

/** Shows that a message is being sent, or that it waits for a connection. */
function Sending({ message, progress = '', isWaiting = false, isPreparing = false }: SendingProps) {
  const isStalled = useIsStalled(message, progress) && !isPreparing
  const waits = isWaiting || isStalled
  useAnnounced(waits ? waitingText() : undefined)
  return (
    <Row as="p" gap="1" className={classNames(css.stamp, css.stampOut)}>
      <Icon name="clock" size={14} />
      {waits ? waitingText() : t`Sending`}
      {waits && <Actions message={message} />}
    </Row>
  )
}

const waitingText = () => t`Waiting for a connection`

/** A message waits if nothing of it was sent for this time. */
const stalledMs = 5000

function useIsStalled(message: Unsent, progress: string): boolean {
  const [stalled, setStalled] = useState<{ message: Unsent; progress: string }>()
  useEffect(() => {
    const timer = setTimeout(() => setStalled({ message, progress }), stalledMs)
    return () => clearTimeout(timer)
  }, [message, progress])
  return stalled?.message === message && stalled.progress === progress
}

/** Buttons that send the message again, unless the server refused it, and remove it. */
function Actions({ message: { client_id, receiver_id, refusal } }: UnsentProps) {
  const outbox = useOutbox()
  return (
    <>
      {refusal === undefined && (
        <button type="button" onClick={() => outbox.retry(receiver_id)}>
          {t`Try again`}
        </button>
      )}
      <button type="button" onClick={() => outbox.remove(client_id)}>
        {t`Remove`}
      </button>
    </>
  )
}
