import { t } from '@lingui/core/macro'
import { getRouteApi } from '@tanstack/react-router'
import type { DeskMemberRow } from '#contract/desk-members.ts'
import { useInfiniteList } from '#web/api/infinite-list.ts'
import { textOf } from '#web/i18n/i18n.ts'
import layout from '#web/styles/layout.module.css'
import text from '#web/styles/text.module.css'
import { classNames } from '#web/ui/class-names.ts'
import { Stack } from '#web/ui/layout.tsx'
import { PagedList } from '#web/ui/paged-list.tsx'
import { SearchBox } from '#web/ui/search-box.tsx'
import { RowsSkeleton } from '#web/ui/skeleton.tsx'
import { dayOf, Time } from '#web/ui/time.tsx'
import { DeskMemberLink } from './desk-member-link.tsx'
import { DeskPage } from './desk-page.tsx'
import { deskMembersPagesQuery } from './desk-queries.ts'
import { roleTexts } from './desk-texts.ts'
import { RegistrationRequests } from './registration-requests.tsx'

const route = getRouteApi('/_members/desk/members/')

/** The members, new ones first, found by name, username or e-mail. */
export function MembersScreen() {
  const { q } = route.useSearch()
  const navigate = route.useNavigate()
  const members = useInfiniteList(deskMembersPagesQuery(q))
  return (
    <DeskPage>
      <RegistrationRequests />
      <div className={layout.above5}>
        <SearchBox
          label={t`Name, username or e-mail`}
          words={q}
          onSearch={(words) => navigate({ search: { q: words }, replace: true })}
        />
      </div>
      <PagedList
        list={members}
        skeleton={<RowsSkeleton />}
        empty={<p className={layout.above5}>{t`No members found.`}</p>}
        failure={t`Failed to load data`}
        of={t`members`}
      >
        {(items) => (
          <ul className={classNames(layout.above5, layout.ruleAbove)}>
            {items.map((member) => (
              <MemberRow key={member.id} member={member} />
            ))}
          </ul>
        )}
      </PagedList>
    </DeskPage>
  )
}

function MemberRow({ member }: { member: DeskMemberRow }) {
  const { id, username, first_name, last_name, email, email_confirmed, created_at } = member
  const { suspended_at, desk_role } = member
  const states = [
    ...(email_confirmed ? [] : [t`not confirmed`]),
    ...(suspended_at === null ? [] : [t`suspended`]),
    ...(desk_role === null ? [] : [textOf(roleTexts[desk_role])]),
  ]
  return (
    <Stack as="li" gap="1" className={classNames(layout.listItem, text.breakable)}>
      <p>
        <DeskMemberLink id={id}>
          <bdi>{username}</bdi>
        </DeskMemberLink>
      </p>
      <p dir="auto">
        {first_name} {last_name}
      </p>
      <p className={text.muted}>
        <bdi>{email ?? t`no e-mail address`}</bdi> · <Time at={created_at} format={dayOf} />
        {states.map((state) => (
          <b key={state}> · {state}</b>
        ))}
      </p>
    </Stack>
  )
}
