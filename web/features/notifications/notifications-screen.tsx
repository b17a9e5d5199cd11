import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { pollMs } from '#contract/constants.ts'
import type { Notification } from '#contract/notifications.ts'
import { useInfiniteList } from '#web/api/infinite-list.ts'
import noMessages from '#web/art/empty/no-messages.svg'
import { BackLink } from '#web/features/page-head/back-link.tsx'
import { MemberHead } from '#web/features/page-head/member-head.tsx'
import { useConnected } from '#web/realtime/connection.ts'
import { pollUnless } from '#web/realtime/poll-unless.ts'
import layout from '#web/styles/layout.module.css'
import { ButtonLink, IconLink } from '#web/ui/button.tsx'
import { Empty } from '#web/ui/empty.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { InboxRows } from '#web/ui/inbox-row.tsx'
import { Page } from '#web/ui/page.tsx'
import { PagedList } from '#web/ui/paged-list.tsx'
import { RowsSkeleton } from '#web/ui/skeleton.tsx'
import { useWhenVisible } from '#web/ui/use-when-visible.ts'
import { markReadUpTo, notificationPagesQuery } from './notification-queries.ts'
import { NotificationRow } from './notification-row.tsx'

const none: readonly Notification[] = []

export function NotificationsScreen() {
  return (
    <Page column>
      <MemberHead
        title={t`notifications`}
        back={<BackLink to="/my-listings" />}
        action={
          <IconLink label={t`Notification settings`} to="/notifications/settings">
            <Icon name="filter" />
          </IconLink>
        }
      />
      <div className={layout.above5}>
        <Notifications />
      </div>
    </Page>
  )
}

function Notifications() {
  const connected = useConnected()
  const pages = useInfiniteList({
    ...notificationPagesQuery,
    refetchInterval: pollUnless(connected, pollMs.unreadCount),
  })
  const wasUnread = useMarkRead(pages.items ?? none)
  return (
    <PagedList
      list={pages}
      skeleton={<RowsSkeleton count={6} />}
      empty={<NoNotifications />}
      failure={t`Failed to load data`}
      of={t`notifications`}
    >
      {(items) => (
        <InboxRows afterHead>
          {items.map((notification) => (
            <NotificationRow
              key={notification.id}
              notification={notification}
              unread={notification.read_at === null || wasUnread.has(notification.id)}
            />
          ))}
        </InboxRows>
      )}
    </PagedList>
  )
}

function NoNotifications() {
  return (
    <Empty art={noMessages} text={t`No notifications yet.`}>
      <ButtonLink variant="secondary" to="/post-want">
        {t`Add wanted items`}
      </ButtonLink>
    </Empty>
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
  useWhenVisible(unread[0], (newest) => {
    setWasUnread((ids) => new Set([...ids, ...unread]))
    // A failure is harmless: the badge counts them until the next attempt.
    markReadUpTo(client, newest).catch(() => undefined)
  })
  return wasUnread
}
