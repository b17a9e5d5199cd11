import { plural, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useInfiniteList } from '#web/api/infinite-list.ts'
import noFriends from '#web/art/empty/no-friends.svg'
import { Connect } from '#web/features/invitations/connect.tsx'
import { profileQuery } from '#web/features/members/profile-query.ts'
import { Username } from '#web/features/members/username.tsx'
import { BackLink } from '#web/features/page-head/back-link.tsx'
import { MemberHead } from '#web/features/page-head/member-head.tsx'
import { useReadNotificationsOf } from '#web/features/page-head/use-read-notifications.ts'
import layout from '#web/styles/layout.module.css'
import text from '#web/styles/text.module.css'
import { Avatar } from '#web/ui/avatar.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Empty } from '#web/ui/empty.tsx'
import { Cluster } from '#web/ui/layout.tsx'
import { Loading } from '#web/ui/loading.tsx'
import { Page } from '#web/ui/page.tsx'
import { PagedList } from '#web/ui/paged-list.tsx'
import { SearchBox } from '#web/ui/search-box.tsx'
import { FriendCount } from './friend-count.tsx'
import { friendPagesQuery, friendRequestsQuery } from './friend-queries.ts'
import { FriendRequests } from './friend-requests.tsx'
import css from './friends-screen.module.css'

const route = getRouteApi('/_members/myfriends')

export function FriendsScreen() {
  const { view, q } = route.useSearch()
  useReadNotificationsOf('friend_request', 'friend_accepted')
  return (
    <Page
      rail={
        <>
          <MemberHead title={t`my friends`} back={<BackLink to="/profile" />} />
          <Counts />
        </>
      }
    >
      {view === 'invitations' ? <FriendRequests /> : <Friends q={q} />}
      <section className={classNames(layout.wideSection, css.connect)} aria-labelledby="connect">
        <h2 id="connect" className={text.subheading}>
          {t`Connect to your friends`}
        </h2>
        <Connect mail />
      </section>
    </Page>
  )
}

function Counts() {
  const { data: me } = useQuery(profileQuery)
  const { items: requests, hasNextPage } = useInfiniteList(friendRequestsQuery)
  return (
    <Cluster className={css.counts}>
      <span>{me === undefined ? '\u2007' : <FriendCount count={me.friend_count} />}</span>
      <Link
        to="/myfriends"
        search={{ view: 'invitations' }}
        className={classNames(text.link, text.standalone)}
      >
        {hasNextPage
          ? plural(requests?.length ?? 0, { one: '#+ pending invitation', other: '#+ pending invitation' })
          : plural(requests?.length ?? 0, { one: '# pending invitation', other: '# pending invitation' })}
      </Link>
    </Cluster>
  )
}

function Friends({ q }: { q: string | undefined }) {
  const navigate = useNavigate()
  return (
    <>
      <div className={css.search}>
        <SearchBox
          label={t`Search by username`}
          words={q}
          minLength={1}
          onSearch={(words) => void navigate({ to: '/myfriends', search: { q: words }, replace: true })}
        />
      </div>
      <FriendGrid q={q} />
    </>
  )
}

function FriendGrid({ q }: { q: string | undefined }) {
  const friends = useInfiniteList(friendPagesQuery(q))
  return (
    <PagedList
      list={friends}
      skeleton={<Loading />}
      empty={<Empty art={noFriends} text={q === undefined ? t`No friends yet.` : t`No friends found.`} />}
      failure={t`Failed to load data`}
      of={t`friends`}
    >
      {(items) => (
        <ul className={classNames(layout.ruleAbove, css.friends)}>
          {items.map((friend) => (
            <li key={friend.id}>
              <Link to="/seller/$id" params={{ id: String(friend.id) }}>
                <Avatar id={friend.id} name={friend.username} picture={friend.profile_picture} />
                <span className={layout.grow}>
                  <Username name={friend.username} />
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </PagedList>
  )
}
