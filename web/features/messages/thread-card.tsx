import { Trans } from '@lingui/react/macro'
import type { Thread } from '#contract/messages.ts'
import { formerMember } from '#web/features/members/former-member.ts'
import text from '#web/styles/text.module.css'
import { Avatar } from '#web/ui/avatar.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { InboxRow, UnreadDot } from '#web/ui/inbox-row.tsx'
import { Row } from '#web/ui/layout.tsx'
import { shortTime, Time } from '#web/ui/time.tsx'
import { previewOf } from './conversation.ts'
import css from './thread-card.module.css'

/** A conversation as a link with its last message. */
export function ThreadCard({ thread: { user_id, user, last_message, unread_count } }: { thread: Thread }) {
  const name = user?.username ?? formerMember()
  const own = last_message.sender_id !== user_id
  const preview = previewOf(last_message)
  const unread = unread_count > 0
  return (
    <li>
      <InboxRow unread={unread} to="/messages/$otherId" params={{ otherId: user_id }} search={true}>
        <Avatar id={user_id} name={name} picture={user?.profile_picture} />
        <span className={css.text}>
          <span className={css.top}>
            <bdi className={classNames(text.ellipsis, css.name)}>{name}</bdi>
            <Time at={last_message.created_at} format={shortTime} className={css.time} />
          </span>
          <Row as="span" className={css.preview}>
            <span className={text.ellipsis} dir={own ? undefined : 'auto'}>
              {own ? (
                <Trans>
                  You: <bdi>{preview}</bdi>
                </Trans>
              ) : (
                preview
              )}
            </span>
            {unread && <UnreadDot count={unread_count} />}
          </Row>
        </span>
      </InboxRow>
    </li>
  )
}
