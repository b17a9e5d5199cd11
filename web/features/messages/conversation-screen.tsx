import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { publicMemberQuery } from '#web/features/members/public-member-query.ts'
import { Username } from '#web/features/sellers/username.tsx'
import { BackLink } from '#web/features/shell/back-link.tsx'
import { Avatar } from '#web/ui/avatar.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Icon } from '#web/ui/icon.tsx'
import { PageHead } from '#web/ui/page.tsx'
import { Composer } from './composer.tsx'
import css from './conversation-screen.module.css'
import { MessageList } from './message-list.tsx'
import { OfflineNote } from './offline-note.tsx'

export function ConversationScreen({ otherId }: { otherId: number }) {
  const { data: member, isError } = useQuery(publicMemberQuery(otherId))
  const name = member?.username ?? `User ${otherId}`
  return (
    <div className={css.page}>
      <div className={css.rail}>
        <PageHead
          title={
            <>
              Chat with <Username name={name} />
            </>
          }
          back={<BackLink to="/messages" />}
        />
        <Link
          className={css.strip}
          to="/seller/$id"
          params={{ id: String(otherId) }}
          // Nobody is behind the address of a former member.
          disabled={isError}
        >
          <Avatar id={otherId} name={name} picture={member?.profile_picture} />
          <span className={css.name}>
            <Username name={name} />
          </span>
          {!isError && <Icon name="next" />}
        </Link>
      </div>
      <section className={css.talk} aria-label="Messages">
        <MessageList key={otherId} otherId={otherId} otherName={name} />
        <div className={css.foot}>
          <OfflineNote />
          {isError ? (
            <p className={classNames(css.gone)}>This member can not be written to.</p>
          ) : (
            <Composer key={otherId} receiver={otherId} label={`Message to ${name}`} />
          )}
        </div>
      </section>
    </div>
  )
}
