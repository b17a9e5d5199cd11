import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { categoryName } from '#contract/constants.ts'
import noFriends from '#web/art/empty/no-friends.svg'
import noListings from '#web/art/empty/no-listings.svg'
import { ButtonLink } from '#web/ui/button.tsx'
import { Empty } from '#web/ui/empty.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Page, PageHead, Spread } from '#web/ui/page.tsx'
import { CardsSkeleton } from '#web/ui/skeleton.tsx'
import { TabLinks } from '#web/ui/tabs.tsx'
import { CategoryButtons } from './category-buttons.tsx'
import { ListingGrid } from './listing-grid.tsx'
import { listingPagesQuery } from './listing-queries.ts'
import css from './market-screen.module.css'
import { type MarketSearch, marketCategory, marketOwners } from './market-search.ts'
import { MoreListings } from './more-listings.tsx'

const route = getRouteApi('/_members/listings/')
const failure = 'Failed to fetch listings. Please try again later.'

export function MarketScreen() {
  const search = route.useSearch()
  return (
    <Page>
      <Spread rail={<MarketRail search={search} />} main={<MarketListings search={search} />} />
    </Page>
  )
}

function MarketRail({ search }: { search: MarketSearch }) {
  const navigate = route.useNavigate()
  const { tab, ...others } = search
  return (
    <>
      <PageHead title="marketplace" />
      <TabLinks
        label="Whose listings"
        items={[
          {
            label: "Friend's",
            to: '/listings',
            search: { ...others, tab: 'friends' },
            current: tab === 'friends',
          },
          { label: 'Public', to: '/listings', search: others, current: tab === undefined },
        ]}
      />
      <div className={css.tools}>
        <CategoryButtons
          rail
          chosen={marketCategory(search)}
          onChoose={(id) => {
            const category = categoryName(id)
            void navigate({
              search: { ...(tab && { tab }), ...(category !== 'uncategorized' && { category }) },
            })
          }}
        />
      </div>
    </>
  )
}

function MarketListings({ search }: { search: MarketSearch }) {
  const listings = useInfiniteQuery(listingPagesQuery(marketOwners(search), marketCategory(search)))
  if (listings.isPending) return <CardsSkeleton count={9} />
  if (listings.data === undefined) return <ErrorState text={failure} onRetry={() => listings.refetch()} />

  const items = listings.data.pages.flatMap((page) => page.items)
  if (items.length === 0) return <NoListings search={search} />
  return (
    <>
      <ListingGrid listings={items} look="market" />
      <MoreListings {...listings} failure={failure} />
    </>
  )
}

function NoListings({ search: { tab, category } }: { search: MarketSearch }) {
  const text =
    tab === 'friends' && category === undefined
      ? 'No listings from friends yet. Check out the public listings!'
      : `No ${category === undefined ? '' : `${category} `}listings available at the moment.`
  return (
    <Empty art={tab === 'friends' ? noFriends : noListings} text={text}>
      {tab === 'friends' ? (
        <ButtonLink variant="secondary" to="/listings" search={category ? { category } : {}}>
          Public
        </ButtonLink>
      ) : (
        <ButtonLink variant="secondary" to="/listings/new">
          New listing
        </ButtonLink>
      )}
    </Empty>
  )
}
