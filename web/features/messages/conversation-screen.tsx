import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { isNotFound } from '#web/api/api-error.ts'
import { blocksQuery } from '#web/features/members/blocks.ts'
import { publicMemberQuery } from '#web/features/members/public-member-query.ts'
import { UnblockButton } from '#web/features/members/unblock-button.tsx'
import { Username } from '#web/features/members/username.tsx'
import { BackLink } from '#web/features/page-head/back-link.tsx'
import { MemberHead } from '#web/features/page-head/member-head.tsx'
import { MemberTrades } from '#web/features/trades/member-trades.tsx'
import { Avatar } from '#web/ui/avatar.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { Cluster, Row } from '#web/ui/layout.tsx'
import { Composer } from './composer.tsx'
import { ConversationMenu } from './conversation-menu.tsx'
import css from './conversation-screen.module.css'
import { MessageList } from './message-list.tsx'
import { OfflineNote } from './offline-note.tsx'

/** The conversation with another member, who may be unknown or have left. */
export function ConversationScreen({ otherId }: { otherId: number }) {
  const { data: member, error } = useQuery(publicMemberQuery(otherId))
  const { data: blockedMembers } = useQuery(blocksQuery)
  const name = member?.username ?? t`User ${otherId}`
  const hasLeft = isNotFound(error)
  const hasBlockedMember = blockedMembers?.some(({ id }) => id === otherId) ?? false
  return (
    <>
      <Row className={css.head}>
        <MemberHead
          title={
            <Trans>
              Chat with <Username name={name} />
            </Trans>
          }
          back={
            <Row as="span" gap="0" align="stretch" className={css.back}>
              <BackLink to="/messages" />
            </Row>
          }
          action={
            member !== undefined &&
            blockedMembers !== undefined && (
              <ConversationMenu member={member} hasBlockedMember={hasBlockedMember} />
            )
          }
        />
        <Link
          className={css.strip}
          to="/seller/$id"
          params={{ id: String(otherId) }}
          // A former member has no profile.
          disabled={hasLeft}
        >
          <Avatar id={otherId} name={name} picture={member?.profile_picture} />
          <span className={css.name}>
            <Username name={name} />
          </span>
          {!hasLeft && <Icon name="next" size={18} />}
        </Link>
      </Row>
      <section className={css.talk} aria-label={t`Messages`}>
        <MemberTrades key={otherId} memberId={otherId} />
        <MessageList key={otherId} otherId={otherId} otherName={name} />
        <div className={css.foot}>
          <OfflineNote />
          {hasLeft ? (
            <p className={css.note}>{t`This member can not be written to.`}</p>
          ) : hasBlockedMember ? (
            <Blocked member={{ id: otherId, username: name }} />
          ) : (
            <Composer key={otherId} receiver={otherId} label={t`Message to ${name}`} />
          )}
        </div>
      </section>
    </>
  )
}

/** Replaces the composer in the conversation with a member whom the member has blocked. */
function Blocked({ member }: { member: { id: number; username: string } }) {
  return (
    <Cluster className={css.blocked}>
      <p className={css.note}>{t`You have blocked this member.`}</p>
      <UnblockButton member={member} variant="secondary" />
    </Cluster>
  )
}
