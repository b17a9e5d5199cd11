import { t } from '@lingui/core/macro'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { type ErrorComponentProps, getRouteApi } from '@tanstack/react-router'
import { memberMessages } from '#contract/members.ts'
import { useInfiniteList } from '#web/api/infinite-list.ts'
import nobody from '#web/art/empty/no-friends.svg'
import noListings from '#web/art/empty/no-listings.svg'
import { FriendAction } from '#web/features/friends/friend-action.tsx'
import { FriendCount } from '#web/features/friends/friend-count.tsx'
import { ListingGrid } from '#web/features/listings/listing-grid.tsx'
import { listingPagesQuery } from '#web/features/listings/listing-queries.ts'
import { blocksQuery } from '#web/features/members/blocks.ts'
import { cityAndState } from '#web/features/members/location.ts'
import { LocationLine } from '#web/features/members/location-line.tsx'
import { publicMemberQuery } from '#web/features/members/public-member-query.ts'
import { Username } from '#web/features/members/username.tsx'
import { BackLink } from '#web/features/page-head/back-link.tsx'
import { MemberHead } from '#web/features/page-head/member-head.tsx'
import { useReadNotificationsAbout } from '#web/features/page-head/use-read-notifications.ts'
import { TradeCounts } from '#web/features/trades/trade-counts.tsx'
import { translateMessage } from '#web/i18n/translate-message.ts'
import { useStoredLogin } from '#web/login/login-store.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Empty } from '#web/ui/empty.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Cluster, Stack } from '#web/ui/layout.tsx'
import { lazyExport } from '#web/ui/lazy-export.tsx'
import { Page } from '#web/ui/page.tsx'
import { PagedList } from '#web/ui/paged-list.tsx'
import { CardsSkeleton, RowsSkeleton } from '#web/ui/skeleton.tsx'
import { useRouteRetry } from '#web/ui/use-route-retry.ts'
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx'
import { SellerActions } from './seller-actions.tsx'
import css from './seller-screen.module.css'
import { SellerTabs, SellerWants } from './seller-tabs.tsx'

const route = getRouteApi('/_members/seller/$id')
const MessageBar = lazyExport(() => import('#web/features/messages/message-bar.tsx'), 'MessageBar')
const ThanksList = lazyExport(
  () => import('#web/features/trades/thanks-list.tsx'),
  'ThanksList',
  <RowsSkeleton />,
)
const failure = () => t`Failed to fetch data. Please try again later.`

export function SellerScreen() {
  const found = route.useLoaderData()
  return found === undefined ? <SellerNotFound /> : <Seller id={found.id} />
}

function Seller({ id }: { id: number }) {
  const { tab } = route.useSearch()
  const me = useStoredLogin()?.user.id
  const { data: seller } = useSuspenseQuery(publicMemberQuery(id))
  const { data: blocked } = useQuery(blocksQuery)
  useReadNotificationsAbout('member', [{ id }])
  const canContact = me !== undefined && me !== id && !blocked?.some((member) => member.id === id)
  return (
    <Page
      rail={
        <>
          <MemberHead
            isName
            title={
              <>
                @<Username name={seller.username} />
              </>
            }
            back={<BackLink to="/listings" />}
          />
          <Cluster className={css.who}>
            <Avatar id={seller.id} name={seller.username} picture={seller.profile_picture} size="md" />
            <Stack gap="1" className={css.about}>
              <LocationLine className={css.location}>
                <bdi>{cityAndState(seller) || t`Location not specified`}</bdi>
              </LocationLine>
              <p>
                <FriendCount count={seller.friend_count} />
              </p>
              <TradeCounts member={seller} />
            </Stack>
            {canContact && <FriendAction key={seller.id} member={seller} />}
          </Cluster>
          <SellerActions seller={seller} />
          <SellerTabs id={id} tab={tab} />
        </>
      }
    >
      {tab === 'want' && <SellerWants id={id} failure={failure()} />}
      {tab === 'thanks' && <ThanksList memberId={id} />}
      {tab === undefined && <SellerListings id={id} />}
      {canContact && <MessageBar key={id} member={seller} />}
    </Page>
  )
}

function SellerListings({ id }: { id: number }) {
  const listings = useInfiniteList(listingPagesQuery({ user_id: id }))
  return (
    <PagedList
      list={listings}
      skeleton={<CardsSkeleton />}
      empty={<Empty art={noListings} text={t`No items`} />}
      failure={failure()}
      of={t`listings`}
    >
      {(items) => <ListingGrid listings={items} variant="seller" />}
    </PagedList>
  )
}

export function SellerLoading() {
  return (
    <Page
      rail={
        <MemberHead
          isName
          title={
            <>
              {'\u00a0'}
              <VisuallyHidden>{t`Seller`}</VisuallyHidden>
            </>
          }
          back={<BackLink to="/listings" />}
        />
      }
    >
      <CardsSkeleton />
    </Page>
  )
}

function SellerNotFound() {
  return (
    <Page rail={<MemberHead title={t`seller`} back={<BackLink to="/listings" />} />}>
      <Empty art={nobody} text={translateMessage(memberMessages.notFound)} />
    </Page>
  )
}

export function SellerNotLoaded({ reset }: ErrorComponentProps) {
  const tryAgain = useRouteRetry({ reset })
  return (
    <Page rail={<MemberHead title={t`seller`} back={<BackLink to="/listings" />} />}>
      <ErrorState text={failure()} onRetry={tryAgain} />
    </Page>
  )
}
