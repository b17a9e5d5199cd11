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
  const wasUnread = useFirstUnread(pages.items ?? none)
  useMarkRead(pages.items?.find(({ read_at }) => read_at === null)?.id)

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

/** Returns the ids that were unread when they were first shown: they stay marked while the screen is open. */
function useFirstUnread(notifications: readonly Notification[]): ReadonlySet<number> {
  const [ids, setIds] = useState<ReadonlySet<number>>(new Set())
  useEffect(() => {
    const unread = notifications.flatMap(({ id, read_at }) => (read_at === null ? id : []))
    setIds((known) => (unread.every((id) => known.has(id)) ? known : new Set([...known, ...unread])))
  }, [notifications])
  return ids
}

/** Marks all notifications up to the newest as read while the page is visible. */
function useMarkRead(newest: number | undefined) {
  const client = useQueryClient()
  const read = useEffectEvent(() => {
    if (newest !== undefined && document.visibilityState === 'visible')
      // A failure is harmless: the badge counts them until the next attempt.
      markReadUpTo(client, newest).catch(() => undefined)
  })
  useEffect(() => {
    if (newest === undefined) return
    read()
    document.addEventListener('visibilitychange', read)
    return () => document.removeEventListener('visibilitychange', read)
  }, [newest])
}
