import { linkOptions } from '@tanstack/react-router'
import type { Notification } from '#contract/notifications.ts'
import { EndNote } from '#web/features/listings/end-note.tsx'
import { Username } from '#web/features/members/username.tsx'
import { messageTime } from '#web/features/messages/time-format.ts'
import { TradeNotificationText } from '#web/features/trades/trade-notification-text.tsx'
import { useStoredLogin } from '#web/login/login-store.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { BrowserTime } from '#web/ui/browser-time.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { InboxRow, UnreadDot } from '#web/ui/inbox-row.tsx'
import css from './notification-row.module.css'

/** A notification as a link to its subject. */
export function NotificationRow({ notification, unread }: { notification: Notification; unread: boolean }) {
  const { user, created_at } = notification
  return (
    <li>
      <InboxRow unread={unread} {...linkOf(notification)}>
        <Avatar id={user.id} name={user.username} picture={user.profile_picture} />
        <span className={css.content}>
          <span className={css.text}>
            <NotificationText notification={notification} />
          </span>
          <span className={css.end}>
            <BrowserTime at={created_at} format={messageTime} />
            {unread && <UnreadDot />}
          </span>
        </span>
      </InboxRow>
    </li>
  )
}

function NotificationText({ notification }: { notification: Notification }) {
  const { kind, user, match, listing, trade } = notification
  const me = useStoredLogin()?.user.id
  const name = (
    <b>
      <Username name={user.username} />
    </b>
  )
  if (match !== null)
    return (
      <>
        <span>
          {name} has <b dir="auto">{match.listing_title}</b>
          {kind === 'swap' && ' and wants something of yours'}
        </span>
        <span className={css.reason}>
          {kind === 'swap' && (
            <span className={css.swap}>
              <Icon name="swap" size={16} />
              swap
            </span>
          )}
          For “<bdi>{match.want_title}</bdi>”: {match.reason}.{match.more > 0 && ` And ${match.more} more.`}
        </span>
      </>
    )
  if (listing)
    return (
      <>
        <span>
          <b dir="auto">{listing.title}</b> <EndNote at={listing.expires_at} inSentence />
        </span>
        <span className={css.reason}>Still there? List it again for the same time.</span>
      </>
    )
  if (trade !== null)
    return <TradeNotificationText kind={kind} name={user.id === me ? undefined : name} trade={trade} />
  if (kind === 'ring') return <span>A ring was found in which you get something you want</span>
  return (
    <span>
      {name} {kind === 'friend_request' ? 'would like to be your friend' : 'and you are friends now'}
    </span>
  )
}

function linkOf({ kind, user, match, listing, trade }: Notification) {
  if (listing) return linkOptions({ to: '/listings/$id', params: { id: String(listing.id) } })
  if (kind === 'trade_next' && trade !== null)
    return linkOptions({ to: '/listings/$id', params: { id: String(trade.listing_id) }, hash: 'requests' })
  if (trade !== null) return linkOptions({ to: '/trades/$id', params: { id: trade.id } })
  if (kind === 'ring') return linkOptions({ to: '/matches' })
  if (match !== null && match.more > 0) return linkOptions({ to: '/matches' })
  if (match !== null) return linkOptions({ to: '/listings/$id', params: { id: String(match.listing_id) } })
  if (kind === 'friend_request') return linkOptions({ to: '/myfriends', search: { view: 'invitations' } })
  return linkOptions({ to: '/seller/$id', params: { id: String(user.id) } })
}
