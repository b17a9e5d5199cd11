import { plural, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { PublicMember } from '#contract/members.ts'
import noFriends from '#web/art/empty/no-friends.svg'
import { cityAndState } from '#web/features/members/location.ts'
import { Username } from '#web/features/members/username.tsx'
import { formatNumber } from '#web/i18n/formats.ts'
import { useAnnouncedCount } from '#web/ui/announcements.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { Empty } from '#web/ui/empty.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { GroupHead } from '#web/ui/group-head.tsx'
import { Outdated } from '#web/ui/outdated.tsx'
import { RowsSkeleton } from '#web/ui/skeleton.tsx'
import css from './result-rows.module.css'
import { memberResultsQuery } from './search-queries.ts'

export function MemberResults({ q }: { q: string | undefined }) {
  const found = useQuery(memberResultsQuery(q))
  const isOutdated = found.isPlaceholderData
  useAnnouncedCount(isOutdated ? undefined : found.data?.length, t`members`)
  if (found.isPending || (isOutdated && found.data?.length === 0)) return <RowsSkeleton count={6} />
  if (found.data === undefined)
    return (
      <ErrorState text={t`Failed to fetch data. Please try again later.`} onRetry={() => found.refetch()} />
    )

  if (found.data.length === 0)
    return (
      <Empty art={noFriends} text={q === undefined ? t`Nobody near you yet.` : t`No members found.`}>
        <ButtonLink variant="secondary" to="/invite-your-friends" search={{ from: 'friends' }}>
          {t`Invite a neighbor`}
        </ButtonLink>
      </Empty>
    )
  return (
    <Outdated isOutdated={isOutdated}>
      <section aria-labelledby="found-members">
        <GroupHead
          id="found-members"
          icon="friends"
          title={q === undefined ? t`near you` : t`members`}
          count={formatNumber(found.data.length)}
        />
        <ul>
          {found.data.map((member) => (
            <MemberRow key={member.id} member={member} />
          ))}
        </ul>
      </section>
    </Outdated>
  )
}

function MemberRow({ member }: { member: PublicMember }) {
  return (
    <li>
      <Link className={css.row} to="/seller/$id" params={{ id: String(member.id) }}>
        <Avatar id={member.id} name={member.username} picture={member.profile_picture} />
        <span className={css.text}>
          <span className={css.name}>
            <Username name={member.username} />
          </span>
          <span className={css.note}>{cityAndState(member) || t`Location not specified`}</span>
        </span>
        <span className={css.kind}>
          {plural(member.friend_count, { one: '# friend', other: '# friends' })}
        </span>
      </Link>
    </li>
  )
}
