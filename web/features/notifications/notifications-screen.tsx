import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { pollMs } from '#contract/constants.ts'
import type { Notification } from '#contract/notifications.ts'
import { useInfiniteList } from '#web/api/infinite-list.ts'
import noMessages from '#web/art/empty/no-messages.svg'
import { BackLink } from '#web/features/shell/back-link.tsx'
import { MemberHead } from '#web/features/shell/member-head.tsx'
import { useConnected } from '#web/realtime/connection.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { Empty } from '#web/ui/empty.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { LoadMore } from '#web/ui/load-more.tsx'
import { Page } from '#web/ui/page.tsx'
import { RowsSkeleton } from '#web/ui/skeleton.tsx'
import { markReadUpTo, notificationPagesQuery } from './notification-queries.ts'
import { NotificationRow } from './notification-row.tsx'
import css from './notifications-screen.module.css'

const failure = 'Failed to load data'
const none: readonly Notification[] = []

export function NotificationsScreen() {
  return (
    <Page column>
      <MemberHead title="notifications" back={<BackLink to="/my-listings" />} />
      <div className={css.main}>
        <Notifications />
      </div>
    </Page>
  )
}

function Notifications() {
  const connected = useConnected()
  const pages = useInfiniteList({
    ...notificationPagesQuery,
    refetchInterval: connected ? false : pollMs.unreadCount,
  })
  const wasUnread = useMarkRead(pages.items ?? none)

  if (pages.isPending) return <RowsSkeleton count={6} />
  if (pages.items === undefined) return <ErrorState text={failure} onRetry={() => pages.refetch()} />
  if (pages.isEmpty)
    return (
      <Empty art={noMessages} text="No notifications yet.">
        <ButtonLink variant="secondary" to="/post-want">
          Add wanted items
        </ButtonLink>
      </Empty>
    )
  return (
    <>
      <ul className={css.list}>
        {pages.items.map((notification) => (
          <NotificationRow
            key={notification.id}
            notification={notification}
            unread={notification.read_at === null || wasUnread.has(notification.id)}
          />
        ))}
      </ul>
      <LoadMore {...pages} failure={failure} of="notifications" />
    </>
  )
}

/**
 * Marks the notifications as read while the page is visible. Returns the ids of those that were unread. They stay marked as new
 * while the screen is open.
 */
function useMarkRead(notifications: readonly Notification[]): ReadonlySet<number> {
  const client = useQueryClient()
  const [wasUnread, setWasUnread] = useState<ReadonlySet<number>>(new Set())
  const unread = notifications.flatMap(({ id, read_at }) => (read_at === null ? id : []))
  const [newest] = unread
  const read = useEffectEvent(() => {
    if (newest === undefined || document.visibilityState !== 'visible') return
    setWasUnread((ids) => new Set([...ids, ...unread]))
    // A failure is harmless: the badge counts them until the next attempt.
    markReadUpTo(client, newest).catch(() => undefined)
  })
  useEffect(() => {
    if (newest === undefined) return
    read()
    document.addEventListener('visibilitychange', read)
    return () => document.removeEventListener('visibilitychange', read)
  }, [newest])
  return wasUnread
}
