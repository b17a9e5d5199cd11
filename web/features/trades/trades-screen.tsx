import { t } from '@lingui/core/macro'
import { getRouteApi } from '@tanstack/react-router'
import { useInfiniteList } from '#web/api/infinite-list.ts'
import noListings from '#web/art/empty/no-listings.svg'
import { BackLink } from '#web/features/page-head/back-link.tsx'
import { MemberHead } from '#web/features/page-head/member-head.tsx'
import { useReadNotificationsAbout } from '#web/features/page-head/use-read-notifications.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { Empty } from '#web/ui/empty.tsx'
import { Stack } from '#web/ui/layout.tsx'
import { Page } from '#web/ui/page.tsx'
import { PagedList } from '#web/ui/paged-list.tsx'
import { RowsSkeleton } from '#web/ui/skeleton.tsx'
import { TabLinks } from '#web/ui/tabs.tsx'
import { usePendingSearch } from '#web/ui/use-pending-location.ts'
import { ConversationLinks } from './conversation-links.tsx'
import { TradeCard } from './trade-card.tsx'
import { tradePagesQuery } from './trade-queries.ts'
import css from './trades-screen.module.css'
import { parseTradesSearch, type TradesSearch } from './trades-search.ts'

const route = getRouteApi('/_members/trades')

export function TradesScreen() {
  const { state = 'open' } = route.useSearch()
  return (
    <Page rail={<TradesRail shown={route.useSearch()} />}>
      <Trades key={state} state={state} />
    </Page>
  )
}

function TradesRail({ shown }: { shown: TradesSearch }) {
  const { state } = usePendingSearch('/trades', parseTradesSearch, shown)
  return (
    <>
      <MemberHead title={t`my trades`} back={<BackLink to="/my-listings" />} />
      <TabLinks
        label={t`Trades`}
        items={[
          {
            label: t({ message: 'Open', context: 'trades' }),
            to: '/trades',
            search: {},
            current: state === undefined,
          },
          {
            label: t({ message: 'Closed', context: 'trades' }),
            to: '/trades',
            search: { state: 'closed' },
            current: state === 'closed',
          },
        ]}
      />
    </>
  )
}

function Trades({ state }: { state: 'open' | 'closed' }) {
  const trades = useInfiniteList(tradePagesQuery(state))
  useReadNotificationsAbout('trade', trades.items ?? [])
  return (
    <PagedList
      list={trades}
      skeleton={<RowsSkeleton count={5} />}
      empty={<NoTrades state={state} />}
      failure={t`Failed to load data`}
      of={t`trades`}
    >
      {(items) => (
        <Stack as="ul" gap="6" className={css.trades}>
          {items.map((trade) => (
            <li key={trade.id}>
              <TradeCard trade={trade}>
                <ConversationLinks trade={trade} />
              </TradeCard>
            </li>
          ))}
        </Stack>
      )}
    </PagedList>
  )
}

function NoTrades({ state }: { state: 'open' | 'closed' }) {
  return (
    <Empty art={noListings} text={state === 'open' ? t`No open trades.` : t`No closed trades yet.`}>
      {state === 'open' && <ButtonLink to="/listings">{t`Go to the marketplace`}</ButtonLink>}
    </Empty>
  )
}
