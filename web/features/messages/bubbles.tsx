import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link, useHydrated } from '@tanstack/react-router'
import { type KeyboardEvent, memo, useCallback, useState } from 'react'
import type { Message } from '#contract/messages.ts'
import { LazyReportDialog } from '#web/features/reports/report-button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { copyText } from '#web/ui/copy-text.ts'
import { Icon } from '#web/ui/icon.tsx'
import { Row } from '#web/ui/layout.tsx'
import { Menu, MenuItem } from '#web/ui/menu.tsx'
import { dayName, isSameDay, shortTime, Time, unknownTime } from '#web/ui/time.tsx'
import { useToasts } from '#web/ui/toasts.ts'
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx'
import css from './bubbles.module.css'
import { endsRun } from './conversation.ts'
import { ListingNow } from './listing-now.tsx'
import { MessagePhotos } from './message-photos.tsx'
import { MessageText } from './message-text.tsx'
import { UnsentBubble } from './unsent-bubble.tsx'
import type { Unsent } from './unsent-messages.ts'

type BubblesProps = {
  messages: readonly Message[]
  unsent: readonly Unsent[]
  /** The other member of the conversation. */
  otherId: number
  otherName: string
}

/** Shows the messages of a conversation, oldest first, and below them the unsent ones. */
export function Bubbles({ messages, unsent, otherId, otherName }: BubblesProps) {
  const confirmedIds = new Set(messages.map(({ client_id }) => client_id))
  const today = new Date().toDateString()
  const lastIncoming = messages.findLast(({ sender_id }) => sender_id === otherId)
  const [reported, setReported] = useState<number>()
  const toasts = useToasts()
  const copy = useCallback(
    async function copy(text: string) {
      try {
        await copyText(text)
        toasts.show(t`Message copied`)
      } catch {
        const press = () => void copy(text)
        toasts.showAction({
          key: 'copy',
          text: t`Failed to copy the message`,
          label: t`Try again`,
          press,
          ofMember: true,
        })
      }
    },
    [toasts],
  )
  const lastSeen = messages.findLast(({ sender_id, is_read }) => sender_id !== otherId && is_read)
  return (
    <>
      {messages.map((message, index) => (
        <Bubble
          key={message.id}
          message={message}
          before={messages[index - 1]}
          after={messages[index + 1]}
          from={message.sender_id === otherId ? otherName : undefined}
          today={today}
          isLast={message === lastIncoming}
          onReport={setReported}
          onCopy={copy}
          isLastSeen={message === lastSeen}
        />
      ))}
      {unsent
        .filter(({ client_id }) => !confirmedIds.has(client_id))
        .map((message) => (
          <UnsentBubble key={message.client_id} message={message} />
        ))}
      {reported !== undefined && (
        <LazyReportDialog about={{ message_id: reported }} onClose={() => setReported(undefined)} />
      )}
    </>
  )
}

/** Compares the days in the browser's time zone, and before hydration in UTC. */
function areOnSameDay(one: Message, other: Message, isHydrated: boolean): boolean {
  if (isHydrated) return isSameDay(new Date(one.created_at), new Date(other.created_at))
  return one.created_at.slice(0, 10) === other.created_at.slice(0, 10)
}

type BubbleProps = {
  message: Message
  before: Message | undefined
  after: Message | undefined
  /** The sender's name, undefined for an own message. */
  from: string | undefined
  today: string
  /** True for the last message of the other member. Its menu is in the tab order; arrow keys move to the others. */
  isLast: boolean
  onReport: (id: number) => void
  onCopy: (text: string) => void
  /** True for the last own message that the other member has read. */
  isLastSeen: boolean
}

/** Memoized, so that new messages don't render it again or search its links again. */
const Bubble = memo(function Bubble({
  message,
  before,
  after,
  from,
  today,
  isLast,
  onReport,
  onCopy,
  isLastSeen,
}: BubbleProps) {
  const own = from === undefined
  const now = new Date(today)
  const isHydrated = useHydrated()
  const opensDay = before === undefined || !areOnSameDay(before, message, isHydrated)
  return (
    <>
      {opensDay && (
        <Row as="p" className={css.day}>
          {isHydrated ? dayName(message.created_at, now) : unknownTime}
        </Row>
      )}
      {own ? (
        <div className={classNames(css.bubble, css.out)}>
          <Content message={message} from={from} />
        </div>
      ) : (
        <Row gap="1" className={css.incoming} onKeyDown={moveBetweenMenus}>
          <div className={css.bubble}>
            <Content message={message} from={from} />
          </div>
          <Menu small label={menuLabel(message)} tabIndex={isLast ? 0 : -1}>
            {message.content !== '' && (
              <MenuItem icon="copy" onClick={() => onCopy(message.content)}>
                {t`copy`}
              </MenuItem>
            )}
            <MenuItem icon="warn" onClick={() => onReport(message.id)}>
              {t`report`}
            </MenuItem>
          </Menu>
        </Row>
      )}
      {(isLastSeen || endsRun(message, after)) && (
        <Row as="p" gap="1" className={classNames(css.stamp, css.sent, own && css.stampOut)}>
          <Time at={message.created_at} format={(at) => shortTime(at, now)} />
          {isLastSeen && (
            <span className={css.seen}>
              <Icon name="check" size={14} />
              {t`Seen`}
            </span>
          )}
        </Row>
      )}
    </>
  )
})

const maxLabelLength = 80

/** Returns the name of a message's menu, with its first words. */
function menuLabel({ content, images }: Message): string {
  const [first = ''] = content.trim().split('\n')
  if (first === '')
    return plural(images.length, {
      1: 'Message menu: photo',
      one: 'Message menu: # photo',
      other: 'Message menu: # photos',
    })
  const shown = first.length > maxLabelLength ? `${first.slice(0, maxLabelLength)}…` : first
  return t`Message menu: ${shown}`
}

function Content({ message, from }: Pick<BubbleProps, 'message' | 'from'>) {
  return (
    <>
      <p>
        <VisuallyHidden>{`${from ?? t`You`}: `}</VisuallyHidden>
        <About message={message} />
        <MessageText text={message.content} />
      </p>
      {message.images.length > 0 && <MessagePhotos images={message.images} from={from} />}
    </>
  )
}

/** Links to the listing that a message is about, or to the trade that the message began. */
function About({ message: { listing, trade_id } }: { message: Message }) {
  if (listing === null) return null
  const words = (
    <>
      <Trans>
        About <bdi>{listing.title}</bdi>
      </Trans>
      <ListingNow id={listing.id} />
    </>
  )
  return trade_id === null ? (
    <Link className={css.about} to="/listings/$id" params={{ id: String(listing.id) }}>
      {words}
    </Link>
  ) : (
    <Link className={css.about} to="/trades/$id" params={{ id: trade_id }}>
      {words}
    </Link>
  )
}

/** Moves the focus from the menu button of a message to that of the previous or the next one, unless the menu is open. */
function moveBetweenMenus(event: KeyboardEvent<HTMLElement>) {
  const { key, currentTarget: row, target } = event
  if ((key !== 'ArrowUp' && key !== 'ArrowDown') || !(target instanceof Element)) return
  if (target.parentElement !== row || row.querySelector(':popover-open')) return
  const rows = [...(row.parentElement?.querySelectorAll(`.${css.incoming}`) ?? [])]
  const next = rows[rows.indexOf(row) + (key === 'ArrowUp' ? -1 : 1)]
  next?.querySelector<HTMLElement>(':scope > button')?.focus()
  event.preventDefault()
}
