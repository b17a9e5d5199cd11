import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { InterestedMember } from '#contract/matches.ts'
import { useInfiniteList } from '#web/api/infinite-list.ts'
import { MemberLink } from '#web/features/members/member-link.tsx'
import layout from '#web/styles/layout.module.css'
import text from '#web/styles/text.module.css'
import { Avatar } from '#web/ui/avatar.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { Cluster, Stack } from '#web/ui/layout.tsx'
import { PagedList } from '#web/ui/paged-list.tsx'
import { SectionTitle } from '#web/ui/section-title.tsx'
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx'
import { wantedByQuery } from './match-queries.ts'
import { Reason } from './reason.tsx'
import css from './wanted-by.module.css'

/** Lists the members who want an own listing, with links to write to them. */
export function WantedBy({ listingId }: { listingId: number }) {
  const interested = useInfiniteList(wantedByQuery(listingId))
  if (interested.isPending) return null
  const count = interested.items?.length ?? 0
  return (
    <section className={layout.section} aria-labelledby="wanted">
      <SectionTitle id="wanted">
        {count === 0 ? t`Wanted` : interested.hasNextPage ? t`Wanted by ${count}+` : t`Wanted by ${count}`}
      </SectionTitle>
      <PagedList
        list={interested}
        skeleton={null}
        empty={<p className={text.none}>{t`Nobody yet. A neighbor who wants it gets a notification.`}</p>}
        failure={t`Failed to load data`}
      >
        {(members) => (
          <ul>
            {members.map((member) => (
              <Member key={member.want.id} member={member} />
            ))}
          </ul>
        )}
      </PagedList>
    </section>
  )
}

function Member({ member: { user, ...match } }: { member: InterestedMember }) {
  return (
    <Cluster as="li" gap="3" className={layout.listItem}>
      <Avatar id={user.id} name={user.username} picture={user.profile_picture} />
      <Stack gap="2px" align="start" className={css.text}>
        <MemberLink id={user.id} name={user.username} tab="want" className={css.name} />
        <Reason {...match} />
      </Stack>
      <ButtonLink variant="secondary" size="small" to="/messages/$otherId" params={{ otherId: user.id }}>
        <span>
          <Trans>
            Write<VisuallyHidden> to {user.username}</VisuallyHidden>
          </Trans>
        </span>
      </ButtonLink>
    </Cluster>
  )
}
