import { t } from '@lingui/core/macro'
import { useSuspenseQuery } from '@tanstack/react-query'
import { type ErrorComponentProps, getRouteApi } from '@tanstack/react-router'
import { tradeMessages } from '#contract/trades.ts'
import noListings from '#web/art/empty/no-listings.svg'
import { BackLink } from '#web/features/page-head/back-link.tsx'
import { MemberHead } from '#web/features/page-head/member-head.tsx'
import { useReadNotificationsAbout } from '#web/features/page-head/use-read-notifications.ts'
import { translateMessage } from '#web/i18n/translate-message.ts'
import layout from '#web/styles/layout.module.css'
import { ButtonLink } from '#web/ui/button.tsx'
import { Empty } from '#web/ui/empty.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Page } from '#web/ui/page.tsx'
import { RowsSkeleton } from '#web/ui/skeleton.tsx'
import { useRouteRetry } from '#web/ui/use-route-retry.ts'
import { ConversationLinks } from './conversation-links.tsx'
import { TradeCard } from './trade-card.tsx'
import { tradeQuery } from './trade-queries.ts'

const route = getRouteApi('/_members/trades_/$id')

/** The screen of one trade. */
export function TradeScreen() {
  const found = route.useLoaderData()
  return (
    <Page column>
      <Head />
      <div className={layout.above5}>
        {found === undefined ? <TradeNotFound /> : <LoadedTrade id={found.id} />}
      </div>
    </Page>
  )
}

function LoadedTrade({ id }: { id: number }) {
  const { data: trade } = useSuspenseQuery(tradeQuery(id))
  useReadNotificationsAbout('trade', [trade])
  return (
    <TradeCard trade={trade}>
      <ConversationLinks trade={trade} />
    </TradeCard>
  )
}

function TradeNotFound() {
  return (
    <Empty art={noListings} text={translateMessage(tradeMessages.notFound)}>
      <ButtonLink variant="secondary" to="/trades">
        {t`My trades`}
      </ButtonLink>
    </Empty>
  )
}

function Head() {
  return <MemberHead title={t`trade`} back={<BackLink to="/trades" />} />
}

export function TradeLoading() {
  return (
    <Page column>
      <Head />
      <RowsSkeleton count={2} />
    </Page>
  )
}

export function TradeError({ reset }: ErrorComponentProps) {
  const tryAgain = useRouteRetry({ reset })
  return (
    <Page column>
      <Head />
      <div className={layout.above5}>
        <ErrorState text={t`Failed to load data`} onRetry={tryAgain} />
      </div>
    </Page>
  )
}
