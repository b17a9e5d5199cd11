import { plural, t } from '@lingui/core/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useHydrated } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { pollMs } from '#contract/constants.ts'
import { memberMessages } from '#contract/members.ts'
import type { Message } from '#contract/messages.ts'
import { isNotFound } from '#web/api/api-error.ts'
import nobody from '#web/art/empty/no-friends.svg'
import { useAppContext } from '#web/context/app-context.ts'
import { labelFor } from '#web/i18n/formats.ts'
import { translateMessage } from '#web/i18n/translate-message.ts'
import { useConnected } from '#web/realtime/connection.ts'
import { pollUnless } from '#web/realtime/poll-unless.ts'
import { announce, useAnnounced } from '#web/ui/announcements.ts'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Empty } from '#web/ui/empty.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Stack } from '#web/ui/layout.tsx'
import { useOnScreen } from '#web/ui/use-on-screen.ts'
import { useWhenVisible } from '#web/ui/use-when-visible.ts'
import { Bubbles } from './bubbles.tsx'
import { type Conversation, previewOf } from './conversation.ts'
import css from './message-list.module.css'
import { conversationQuery, loadOlder, markConversationRead } from './message-queries.ts'
import { useUnsent } from './outbox.ts'
import type { Unsent } from './unsent-messages.ts'
import { nearPx, useScrollPosition } from './use-scroll-position.ts'

const noMessages: readonly Message[] = []

/** If more new messages arrive at once, screen readers announce only their number. */
const maxAnnounced = 3

type MessageListProps = {
  otherId: number
  otherName: string
  /** Makes the list as high as its content, up to a limit. By default it fills its parent. */
  panel?: boolean
}

/** Shows a conversation, or that it could not be loaded. */
export function MessageList({ otherId, otherName, panel = false }: MessageListProps) {
  const connected = useConnected()
  const { data, error, refetch } = useQuery({
    ...conversationQuery(otherId),
    refetchInterval: pollUnless(connected, pollMs.threads),
  })
  const unsent = useUnsent(otherId)
  const notLoaded = data === undefined && error !== null && <NotLoaded error={error} onRetry={refetch} />
  if (notLoaded && unsent.length === 0) return notLoaded
  return (
    <div className={classNames(css.container, panel && css.panel)}>
      <MessageLog otherId={otherId} otherName={otherName} unsent={unsent} conversation={data}>
        {data === undefined && (notLoaded || <p className={css.note}>{t`Loading...`}</p>)}
      </MessageLog>
    </div>
  )
}

type MessageLogProps = Participants & {
  conversation: Conversation | undefined
  /** Is shown above the messages. */
  children: ReactNode
}

/** Shows messages from the last one. Loads older ones on scrolling up, and follows new ones while the end is in view. */
function MessageLog({ otherId, otherName, unsent, conversation, children }: MessageLogProps) {
  const messages = conversation?.messages
  const isHydrated = useHydrated()
  const list = useRef<HTMLDivElement>(null)
  const scroll = useScrollPosition(list, {
    first: messages?.[0]?.id,
    last: messages?.at(-1)?.id,
    unsent: unsent.at(-1)?.client_id,
  })
  const older = useOlderMessages(otherId, conversation?.hasOlder ?? false)
  const end = useRef<HTMLDivElement>(null)
  useMarkRead(otherId, messages, useOnScreen(end, 0.5))
  useAnnouncedMessages(messages, { otherId, otherName, unsent })

  function onScroll() {
    scroll.onScroll()
    if (list.current !== null && list.current.scrollTop < nearPx) older.load()
  }

  return (
    <>
      <div
        ref={list}
        className={classNames(css.scroller, !isHydrated && css.fromEnd)}
        role="log"
        // Older messages are inserted too. `useAnnouncedMessages` announces the new ones.
        aria-live="off"
        aria-label={t`Messages with ${otherName}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys scroll it.
        tabIndex={0}
        onScroll={onScroll}
      >
        <Stack gap="2" className={css.bubbles}>
          {children}
          {/* The pressed button disappears, so focus the list. */}
          <OlderMessages {...older} onPress={() => list.current?.focus()} />
          <Bubbles
            messages={messages ?? noMessages}
            unsent={unsent}
            otherId={otherId}
            otherName={otherName}
          />
          <div ref={end} className={css.end} />
        </Stack>
      </div>
      {scroll.hasNew && (
        <NewMessages
          onPress={() => {
            list.current?.focus()
            scroll.scrollToEnd()
          }}
        />
      )}
    </>
  )
}

function NewMessages({ onPress }: { onPress: () => void }) {
  return (
    <div className={css.newMessages}>
      <Button size="small" onClick={onPress}>
        {t`new messages`}
      </Button>
    </div>
  )
}

function NotLoaded({ error, onRetry }: { error: Error; onRetry: () => void }) {
  return (
    <div className={css.failed}>
      {isNotFound(error) ? (
        <Empty art={nobody} text={translateMessage(memberMessages.notFound)} />
      ) : (
        <ErrorState text={t`Failed to load data`} onRetry={onRetry} />
      )}
    </div>
  )
}

interface OlderMessagesState {
  readonly state: 'idle' | 'loading' | 'failed'
  readonly load: () => void
}

/** Shows that older messages are loading, or a button to load them after a failure. */
function OlderMessages({ state, load, onPress }: OlderMessagesState & { onPress: () => void }) {
  if (state === 'idle') return null
  return (
    <p className={css.note}>
      {state === 'loading' ? (
        t`Loading...`
      ) : (
        <Button
          variant="quiet"
          size="small"
          onClick={() => {
            onPress()
            load()
          }}
        >
          {t`Load older messages`}
        </Button>
      )}
    </p>
  )
}

/** Loads older messages page by page. */
function useOlderMessages(otherId: number, hasOlder: boolean): OlderMessagesState {
  const client = useQueryClient()
  const [state, setState] = useState<OlderMessagesState['state']>('idle')
  function load() {
    if (!hasOlder || state === 'loading') return
    setState('loading')
    loadOlder(client, otherId).then(
      () => setState('idle'),
      () => setState('failed'),
    )
  }
  return { state, load }
}

/** Marks the messages of the other member as read while the page is visible and their end is on the screen. Tries again after a reconnect. */
function useMarkRead(otherId: number, messages: readonly Message[] | undefined, isEndOnScreen: boolean) {
  const client = useQueryClient()
  const connected = useConnected()
  const unreadId = messages?.findLast(({ sender_id, is_read }) => sender_id === otherId && !is_read)?.id
  useWhenVisible(
    isEndOnScreen ? unreadId : undefined,
    () =>
      markConversationRead(client, otherId).catch((failure: unknown) =>
        console.info('The conversation was not marked as read:', failure),
      ),
    connected,
  )
}

interface Participants {
  readonly otherId: number
  readonly otherName: string
  readonly unsent: readonly Unsent[]
}

/** Announces new messages of the other member, and the number of failed ones, to screen readers. */
function useAnnouncedMessages(
  messages: readonly Message[] | undefined,
  { otherId, otherName, unsent }: Participants,
) {
  const { announcement } = useAppContext()
  const lastAnnounced = useRef<number>(undefined)
  useEffect(() => {
    if (messages === undefined) return
    const last = lastAnnounced.current
    lastAnnounced.current = Math.max(last ?? 0, messages.at(-1)?.id ?? 0)
    // Does not announce the messages that were there when the conversation opened.
    if (last === undefined) return
    const added = messages.filter(({ id, sender_id }) => id > last && sender_id === otherId)
    if (added.length > maxAnnounced) announce(announcement, newMessagesOf(otherName, added.length))
    else if (added.length > 0)
      announce(announcement, added.map((message) => labelFor(otherName, previewOf(message))).join('\n'))
  }, [messages, otherId, otherName, announcement])

  const failures = unsent.filter(({ state }) => state === 'failed').length
  useAnnounced(failures > 0 ? t`Messages that could not be sent: ${failures}` : undefined)
}

function newMessagesOf(name: string, count: number): string {
  return plural(count, { one: `# new message of ${name}`, other: `# new messages of ${name}` })
}
