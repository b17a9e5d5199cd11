import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { pollMs } from '#contract/constants.ts'
import { memberMessages } from '#contract/members.ts'
import type { Message } from '#contract/messages.ts'
import { isNotFound } from '#web/api/api-error.ts'
import { useAppContext } from '#web/app-context.ts'
import nobody from '#web/art/empty/no-friends.svg'
import { useConnected } from '#web/realtime/connection.ts'
import { announce, useAnnounced } from '#web/ui/announcements.ts'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Empty } from '#web/ui/empty.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Bubbles } from './bubbles.tsx'
import css from './message-list.module.css'
import { conversationQuery, loadOlder, pollUnless, readThread } from './message-queries.ts'
import { useUnsent } from './outbox.ts'
import type { Unsent } from './unsent-messages.ts'

/** As near to the end as this, a reader is at it. */
const nearPx = 80

/** With more new messages than this, screen readers hear only their number. */
const maxRead = 3

type MessageListProps = {
  otherId: number
  otherName: string
  /** In a panel the list is as high as it needs, up to a limit; otherwise it fills what there is. */
  panel?: boolean
}

/** Opens at the newest message, goes back as the reader scrolls up, and follows what comes only from its end. */
export function MessageList({ otherId, otherName, panel = false }: MessageListProps) {
  const connected = useConnected()
  const { data, error, isError, refetch } = useQuery({
    ...conversationQuery(otherId),
    refetchInterval: pollUnless(connected, pollMs.threads),
  })
  const unsent = useUnsent(otherId)
  const list = useRef<HTMLDivElement>(null)
  const scroll = useScroll(list, {
    first: data?.messages[0]?.id,
    last: data?.messages.at(-1)?.id,
    unsent: unsent.at(-1)?.client_id,
  })
  const { older, failed, load } = useOlder(otherId, data?.hasOlder ?? false)
  useReading(
    otherId,
    data?.messages.findLast(({ sender_id, is_read }) => sender_id === otherId && !is_read)?.id,
    scroll.atEnd,
  )
  useAnnouncedNews(data?.messages, { otherId, otherName, unsent })

  /** The button that is pressed goes, and the keyboard goes on among the messages. */
  function focusList() {
    list.current?.focus()
  }

  function follow() {
    scroll.follow()
    if (list.current !== null && list.current.scrollTop < nearPx) load()
  }

  if (data === undefined && isError) {
    return (
      <div className={css.failed}>
        {isNotFound(error) ? (
          <Empty art={nobody} text={memberMessages.notFound} />
        ) : (
          <ErrorState text="Failed to load data" onRetry={() => refetch()} />
        )}
      </div>
    )
  }
  return (
    <div className={classNames(css.frame, panel && css.panel)}>
      <div
        ref={list}
        className={css.scroller}
        role="log"
        // It fills with what was said long ago, above too. What is new is announced by itself.
        aria-live="off"
        aria-label={`Messages with ${otherName}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: whoever has no pointer scrolls it with the arrow keys.
        tabIndex={0}
        onScroll={follow}
      >
        <div className={css.bubbles}>
          {data === undefined && <p className={css.note}>Loading...</p>}
          {(older || failed) && (
            <p className={css.note}>
              {failed ? (
                <Button
                  variant="quiet"
                  size="small"
                  onClick={() => {
                    focusList()
                    load()
                  }}
                >
                  Load older messages
                </Button>
              ) : (
                'Loading...'
              )}
            </p>
          )}
          {data !== undefined && (
            <Bubbles messages={data.messages} unsent={unsent} otherId={otherId} otherName={otherName} />
          )}
        </div>
      </div>
      {scroll.hasNew && (
        <div className={css.news}>
          <Button
            size="small"
            onClick={() => {
              focusList()
              scroll.toEnd()
            }}
          >
            new messages
          </Button>
        </div>
      )}
    </div>
  )
}

/** Loads what is older, a page at a time. */
function useOlder(otherId: number, hasOlder: boolean) {
  const client = useQueryClient()
  const [state, setState] = useState<'idle' | 'loading' | 'failed'>('idle')
  function load() {
    if (!hasOlder || state === 'loading') return
    setState('loading')
    loadOlder(client, otherId).then(
      () => setState('idle'),
      () => setState('failed'),
    )
  }
  return { older: state === 'loading', failed: state === 'failed', load }
}

/** Marks what came in as read while its reader looks at the end of the conversation. */
function useReading(otherId: number, unreadId: number | undefined, atEnd: boolean) {
  const client = useQueryClient()
  const read = useEffectEvent(() => {
    if (unreadId !== undefined && atEnd && document.visibilityState === 'visible')
      readThread(client, otherId).catch((failure: unknown) => console.info('Not marked as read', failure))
  })
  useEffect(() => {
    if (unreadId === undefined || !atEnd) return
    read()
    document.addEventListener('visibilitychange', read)
    return () => document.removeEventListener('visibilitychange', read)
  }, [unreadId, atEnd])
}

interface Talk {
  readonly otherId: number
  readonly otherName: string
  readonly unsent: readonly Unsent[]
}

/** Says once what the other side writes while the conversation is open, and what could not be sent; never what was there before. */
function useAnnouncedNews(messages: readonly Message[] | undefined, { otherId, otherName, unsent }: Talk) {
  const { announcement } = useAppContext()
  const heard = useRef<number>(undefined)
  useEffect(() => {
    if (messages === undefined) return
    const last = heard.current
    heard.current = Math.max(last ?? 0, messages.at(-1)?.id ?? 0)
    if (last === undefined) return
    const news = messages.filter(({ id, sender_id }) => id > last && sender_id === otherId)
    if (news.length > maxRead) announce(announcement, `${news.length} new messages of ${otherName}`)
    else if (news.length > 0)
      announce(announcement, news.map(({ content }) => `${otherName}: ${content}`).join('\n'))
  }, [messages, otherId, otherName, announcement])

  const failures = unsent.filter(({ state }) => state === 'failed').length
  useAnnounced(failures > 0 ? `Messages that could not be sent: ${failures}` : undefined)
}

interface Ends {
  readonly first: number | undefined
  readonly last: number | undefined
  readonly unsent: string | undefined
}

/** Keeps the reader's place: at the end they follow what comes, elsewhere nothing moves under their eyes. */
function useScroll(list: { current: HTMLDivElement | null }, { first, last, unsent }: Ends) {
  const [atEnd, setAtEnd] = useState(true)
  const [seen, setSeen] = useState<number>()
  const before = useRef({ first, unsent, height: 0 })

  /** Later messages are new to the reader. */
  function leaveEnd() {
    setSeen(last)
    setAtEnd(false)
  }
  const toEnd = () => {
    if (list.current !== null) list.current.scrollTop = list.current.scrollHeight
  }

  useLayoutEffect(() => {
    const box = list.current
    if (box === null) return
    const was = before.current
    // In a first look its place is counted from the end, and its reader may have left that already.
    const hasLeft = was.height === 0 && box.scrollTop < -nearPx
    if (hasLeft) leaveEnd()
    const grewAbove = was.first !== undefined && first !== undefined && first < was.first
    if (grewAbove) box.scrollTop += box.scrollHeight - was.height
    else if (!hasLeft && (atEnd || unsent !== was.unsent)) box.scrollTop = box.scrollHeight
    before.current = { first, unsent, height: box.scrollHeight }
  })

  // A keyboard that opens, or a box that grows, must not hide the end from who is at it.
  useEffect(() => {
    const box = list.current
    if (box === null) return
    const watcher = new ResizeObserver(() => {
      if (atEnd) box.scrollTop = box.scrollHeight
    })
    watcher.observe(box)
    return () => watcher.disconnect()
  }, [list, atEnd])

  function follow() {
    const box = list.current
    if (box === null) return
    const isNear = box.scrollHeight - box.scrollTop - box.clientHeight < nearPx
    if (isNear) setAtEnd(true)
    else if (atEnd) leaveEnd()
  }
  return { atEnd, hasNew: !atEnd && last !== seen, follow, toEnd }
}
