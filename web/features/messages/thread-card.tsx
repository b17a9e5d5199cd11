import { Link } from '@tanstack/react-router'
import type { Thread } from '#contract/messages.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx'
import { messageTime } from './message-time.ts'
import css from './thread-card.module.css'

/** What stands for a member who has left. */
const formerMember = 'former member'

export function ThreadCard({ thread: { user_id, user, last_message, unread_count } }: { thread: Thread }) {
  const name = user?.username ?? formerMember
  const own = last_message.sender_id !== user_id
  const unread = unread_count > 0
  return (
    <li>
      <Link
        className={classNames(css.thread, unread && css.unread)}
        to="/messages/$otherId"
        params={{ otherId: user_id }}
      >
        <Avatar id={user_id} name={name} picture={user?.profile_picture} />
        <span className={css.text}>
          <span className={css.top}>
            <span className={css.name}>{name}</span>
            <time className={css.time} dateTime={last_message.created_at}>
              {messageTime(last_message.created_at)}
            </time>
          </span>
          <span className={css.preview}>
            <span>
              {own && 'You: '}
              {last_message.content}
            </span>
            {unread && (
              <>
                <span className={css.dot} aria-hidden="true" />
                <VisuallyHidden>{unread_count} unread</VisuallyHidden>
              </>
            )}
          </span>
        </span>
      </Link>
    </li>
  )
}
