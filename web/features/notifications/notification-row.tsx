import type { Notification } from '#contract/notifications.ts'
import { Username } from '#web/features/members/username.tsx'
import { useStoredLogin } from '#web/login/login-store.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { InboxRow, UnreadDot } from '#web/ui/inbox-row.tsx'
import { Cluster, Stack } from '#web/ui/layout.tsx'
import { shortTime, Time } from '#web/ui/time.tsx'
import { rowOfKind } from './notification-kinds.tsx'
import css from './notification-row.module.css'

/** A notification as a link to its subject. */
export function NotificationRow({ notification, unread }: { notification: Notification; unread: boolean }) {
  const { kind, user, created_at } = notification
  const me = useStoredLogin()?.user.id
  const name =
    user.id === me ? undefined : (
      <b>
        <Username name={user.username} />
      </b>
    )
  const { text, link } = rowOfKind(kind)
  return (
    <li>
      <InboxRow unread={unread} {...link(notification)}>
        <Avatar id={user.id} name={user.username} picture={user.profile_picture} />
        <Cluster as="span" className={css.content}>
          <span className={css.text}>{text({ notification, name })}</span>
          <Stack as="span" gap="2" align="end" className={css.end}>
            <Time at={created_at} format={shortTime} />
            {unread && <UnreadDot />}
          </Stack>
        </Cluster>
      </InboxRow>
    </li>
  )
}
