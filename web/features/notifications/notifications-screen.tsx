import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { pollMs } from '#contract/constants.ts'
import type { Notification } from '#contract/notifications.ts'
import noMessages from '#web/art/empty/no-messages.svg'
import { BackLink } from '#web/features/shell/back-link.tsx'
import { useConnected } from '#web/realtime/connection.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { Empty } from '#web/ui/empty.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { LoadMore } from '#web/ui/load-more.tsx'
import { Page, PageHead } from '#web/ui/page.tsx'
import { RowsSkeleton } from '#web/ui/skeleton.tsx'
import { notificationPagesQuery, readUpTo } from './notification-queries.ts'
import { NotificationRow } from './notification-row.tsx'
import css from './notifications-screen.module.css'

const failure = 'Failed to load data'
const none: readonly Notification[] = []

export function NotificationsScreen() {
  return (
    <Page column>
      <PageHead title="notifications" back={<BackLink to="/my-listings" />} />
      <div className={css.main}>
        <Notifications />
      </div>
    </Page>
  )
}

function Notifications() {
  const connected = useConnected()
  const pages = useInfiniteQuery({
    ...notificationPagesQuery,
    refetchInterval: connected ? false : pollMs.unreadCount,
  })
  const told = pages.data?.pages.flatMap((page) => page.items) ?? none
  const news = useNews(told)
  useReading(told.find(({ read_at }) => read_at === null)?.id)

  if (pages.isPending) return <RowsSkeleton count={6} />
  if (pages.data === undefined) return <ErrorState text={failure} onRetry={() => pages.refetch()} />
  if (told.length === 0 && !pages.hasNextPage)
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
        {told.map((one) => (
          <NotificationRow key={one.id} told={one} unread={news.has(one.id)} />
        ))}
      </ul>
      <LoadMore {...pages} failure={failure} of="notifications" />
    </>
  )
}

/** What was unread when it came into sight: it stays marked as long as the screen stands, though it counts as read by then. */
function useNews(told: readonly Notification[]): ReadonlySet<number> {
  const [news, setNews] = useState<ReadonlySet<number>>(new Set())
  const unread = told.filter(({ id, read_at }) => read_at === null && !news.has(id))
  if (unread.length > 0) setNews(new Set([...news, ...unread.map(({ id }) => id)]))
  return news
}

/** Marks all up to the newest as read while the member looks at them. */
function useReading(newest: number | undefined) {
  const client = useQueryClient()
  const read = useEffectEvent(() => {
    if (newest !== undefined && document.visibilityState === 'visible')
      // What stays unread is only counted a little longer.
      readUpTo(client, newest).catch(() => undefined)
  })
  useEffect(() => {
    if (newest === undefined) return
    read()
    document.addEventListener('visibilitychange', read)
    return () => document.removeEventListener('visibilitychange', read)
  }, [newest])
}
