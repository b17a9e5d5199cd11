import { t } from '@lingui/core/macro'
import { getRouteApi, Outlet, useHydrated, useMatch, useNavigate } from '@tanstack/react-router'
import { pollMs } from '#contract/constants.ts'
import { useInfiniteList } from '#web/api/infinite-list.ts'
import noMessages from '#web/art/empty/no-messages.svg'
import { BackLink } from '#web/features/page-head/back-link.tsx'
import { MemberHead } from '#web/features/page-head/member-head.tsx'
import { useConnected } from '#web/realtime/connection.ts'
import { pollUnless } from '#web/realtime/poll-unless.ts'
import layout from '#web/styles/layout.module.css'
import { ButtonLink } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Empty } from '#web/ui/empty.tsx'
import { InboxRows } from '#web/ui/inbox-row.tsx'
import { Stack } from '#web/ui/layout.tsx'
import { PagedList } from '#web/ui/paged-list.tsx'
import { SearchBox } from '#web/ui/search-box.tsx'
import { RowsSkeleton } from '#web/ui/skeleton.tsx'
import { useMediaQuery } from '#web/ui/use-media-query.ts'
import { threadPagesQuery } from './message-queries.ts'
import css from './messages-screen.module.css'
import { ThreadCard } from './thread-card.tsx'

const route = getRouteApi('/_members/messages')

/** Windows that show the list and the open conversation side by side. The style sheet has the same width. */
const sideBySide = '(min-width: 62.5em)'

/** Shows the list of conversations and, through the child route, the open conversation. */
export function MessagesScreen() {
  const { q } = route.useSearch()
  const navigate = useNavigate()
  const isOpen = useMatch({ from: '/_members/messages/$otherId', shouldThrow: false }) !== undefined
  const isHydrated = useHydrated()
  const isWide = useMediaQuery(sideBySide)
  return (
    <div className={classNames(css.page, isOpen && css.open)}>
      <section className={css.list} aria-label={t`Conversations`}>
        <MemberHead title={t`messages`} level={isOpen ? 2 : 1} back={<BackLink to="/my-listings" />} />
        <div className={layout.above4}>
          <SearchBox
            label={t`Search messages`}
            placeholder={t`Search`}
            words={q}
            minLength={1}
            onSearch={(words) => void navigate({ to: '.', search: { q: words }, replace: true })}
          />
        </div>
        <div className={classNames(layout.above5, css.threads)}>
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
  return (
    <PagedList
      list={threads}
      skeleton={<RowsSkeleton count={6} />}
      empty={<NoThreads hasWords={q !== undefined} />}
      failure={t`Failed to load data`}
      of={t`conversations`}
    >
      {(items) => (
        <InboxRows>
          {items.map((thread) => (
            <ThreadCard key={thread.user_id} thread={thread} />
          ))}
        </InboxRows>
      )}
    </PagedList>
  )
}

/** Offers a next step on a phone. Wide windows have it beside the list. */
function NoThreads({ hasWords }: { hasWords: boolean }) {
  return (
    <Empty art={noMessages} text={t`No conversations found.`}>
      {!hasWords && (
        <Stack gap="2" align="center" className={css.nextStep}>
          <ButtonLink variant="secondary" to="/listings">
            {t`Go to the marketplace`}
          </ButtonLink>
          <ButtonLink variant="quiet" to="/friend-search">
            {t`Search members`}
          </ButtonLink>
        </Stack>
      )}
    </Empty>
  )
}
