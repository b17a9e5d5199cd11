import { getRouteApi } from '@tanstack/react-router'
import { pollMs } from '#contract/constants.ts'
import { useInfiniteList } from '#web/api/infinite-list.ts'
import noMessages from '#web/art/empty/no-messages.svg'
import { Bell } from '#web/features/notifications/bell.tsx'
import { BackLink } from '#web/features/shell/back-link.tsx'
import { useConnected } from '#web/realtime/connection.ts'
import { Empty } from '#web/ui/empty.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { LoadMore } from '#web/ui/load-more.tsx'
import { Page, PageHead, Spread } from '#web/ui/page.tsx'
import { SearchBox } from '#web/ui/search-box.tsx'
import { RowsSkeleton } from '#web/ui/skeleton.tsx'
import { pollUnless, threadPagesQuery } from './message-queries.ts'
import { ThreadCard } from './thread-card.tsx'
import css from './threads-screen.module.css'

const route = getRouteApi('/_members/messages/')
const failure = 'Failed to load data'

export function ThreadsScreen() {
  const { q } = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <Page>
      <Spread
        rail={
          <>
            <PageHead title="messages" back={<BackLink to="/my-listings" />} action={<Bell />} />
            <div className={css.search}>
              <SearchBox
                label="Search messages"
                placeholder="Search"
                words={q}
                onSearch={(words) => void navigate({ search: words ? { q: words } : {}, replace: true })}
              />
            </div>
          </>
        }
        main={<Threads q={q} />}
      />
    </Page>
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
      <ul className={css.threads}>
        {threads.items.map((thread) => (
          <ThreadCard key={thread.user_id} thread={thread} />
        ))}
      </ul>
      <LoadMore {...threads} failure={failure} of="conversations" />
    </>
  )
}
