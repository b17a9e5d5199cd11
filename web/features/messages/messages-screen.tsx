import { getRouteApi, Outlet, useHydrated, useMatch, useNavigate } from '@tanstack/react-router'
import { pollMs } from '#contract/constants.ts'
import { useInfiniteList } from '#web/api/infinite-list.ts'
import noMessages from '#web/art/empty/no-messages.svg'
import { BackLink } from '#web/features/shell/back-link.tsx'
import { MemberHead } from '#web/features/shell/member-head.tsx'
import { useConnected } from '#web/realtime/connection.ts'
import { classNames } from '#web/ui/class-names.ts'
import { Empty } from '#web/ui/empty.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { LoadMore } from '#web/ui/load-more.tsx'
import { SearchBox } from '#web/ui/search-box.tsx'
import { RowsSkeleton } from '#web/ui/skeleton.tsx'
import { useMediaQuery } from '#web/ui/use-media-query.ts'
import { pollUnless, threadPagesQuery } from './message-queries.ts'
import css from './messages-screen.module.css'
import { ThreadCard } from './thread-card.tsx'

const route = getRouteApi('/_members/messages')
const failure = 'Failed to load data'

/** Windows that show the list and the open conversation side by side. The style sheet has the same width. */
const sideBySide = '(min-width: 1000px)'

/** Shows the list of conversations and, through the child route, the open conversation. */
export function MessagesScreen() {
  const { q } = route.useSearch()
  const navigate = useNavigate()
  const isOpen = useMatch({ from: '/_members/messages/$otherId', shouldThrow: false }) !== undefined
  const isHydrated = useHydrated()
  const isWide = useMediaQuery(sideBySide)
  return (
    <div className={classNames(css.page, isOpen && css.open)}>
      <section className={css.list} aria-label="Conversations">
        <MemberHead title="messages" level={isOpen ? 2 : 1} back={<BackLink to="/my-listings" />} />
        <div className={css.search}>
          <SearchBox
            label="Search messages"
            placeholder="Search"
            words={q}
            onSearch={(words) => void navigate({ to: '.', search: words ? { q: words } : {}, replace: true })}
          />
        </div>
        <div className={css.threads}>
          {/* The server does not know the width, and a phone does not show the list beside a conversation. */}
          {!isOpen || isWide ? <Threads q={q} /> : !isHydrated && <RowsSkeleton count={6} />}
        </div>
      </section>
      <div className={css.pane}>
        <Outlet />
      </div>
    </div>
  )
}

function Threads({ q }: { q: string | undefined }) {
  const connected = useConnected()
  const threads = useInfiniteList({
    ...threadPagesQuery(q),
    refetchInterval: pollUnless(connected, pollMs.threads),
  })
  if (threads.isPending) return <RowsSkeleton count={6} />
  if (threads.items === undefined) return <ErrorState text={failure} onRetry={() => threads.refetch()} />

  if (threads.isEmpty) return <Empty art={noMessages} text="No conversations found." />
  return (
    <>
      <ul className={css.rows}>
        {threads.items.map((thread) => (
          <ThreadCard key={thread.user_id} thread={thread} />
        ))}
      </ul>
      <LoadMore {...threads} failure={failure} of="conversations" />
    </>
  )
}
