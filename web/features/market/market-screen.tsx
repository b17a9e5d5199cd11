import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useLocation, useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { listingMessages } from '#contract/listings.ts'
import { hasCode } from '#web/api/api-error.ts'
import { useInfiniteList } from '#web/api/infinite-list.ts'
import noFriends from '#web/art/empty/no-friends.svg'
import noListings from '#web/art/empty/no-listings.svg'
import { CategoryButtons } from '#web/features/listings/category-buttons.tsx'
import { ListingGrid } from '#web/features/listings/listing-grid.tsx'
import { listingPagesQuery } from '#web/features/listings/listing-queries.ts'
import { matchPagesQuery } from '#web/features/matches/match-queries.ts'
import { WishListStrip } from '#web/features/matches/wish-list-strip.tsx'
import { placeProblem } from '#web/features/members/location.ts'
import { profileQuery } from '#web/features/members/profile-query.ts'
import { MemberHead } from '#web/features/page-head/member-head.tsx'
import { translateMessage } from '#web/i18n/translate-message.ts'
import layout from '#web/styles/layout.module.css'
import text from '#web/styles/text.module.css'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Empty } from '#web/ui/empty.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { Cluster, Stack } from '#web/ui/layout.tsx'
import { lazyExport } from '#web/ui/lazy-export.tsx'
import { Page } from '#web/ui/page.tsx'
import { PagedList } from '#web/ui/paged-list.tsx'
import { SearchBox } from '#web/ui/search-box.tsx'
import { CardsSkeleton } from '#web/ui/skeleton.tsx'
import { TabLinks } from '#web/ui/tabs.tsx'
import { useMediaQuery } from '#web/ui/use-media-query.ts'
import { usePendingSearch } from '#web/ui/use-pending-location.ts'
import { whenIdle } from '#web/ui/when-idle.ts'
import { countChoices, filterOf } from './filter-draft.ts'
import { MarketBody } from './market-body.tsx'
import css from './market-screen.module.css'
import {
  type ListingFilter,
  type MarketSearch,
  marketFilter,
  marketOwners,
  parseMarketSearch,
} from './market-search.ts'

const route = getRouteApi('/_members/listings/')

export function MarketScreen() {
  const search = route.useSearch()
  usePreloadedListingScreen()
  return (
    <Page rail={<MarketRail shown={search} />}>
      <MarketBody search={search}>
        {search.q === undefined ? <StripAndListings search={search} /> : <MarketListings search={search} />}
      </MarketBody>
    </Page>
  )
}

/** Shows no listing while the matches are loading, because the strip would push it down. */
function StripAndListings({ search }: { search: MarketSearch }) {
  const { items = [], hasNextPage, isLoading, failureCount } = useInfiniteList(matchPagesQuery(undefined))
  if (isLoading && failureCount === 0) return <CardsSkeleton count={9} />
  return (
    <>
      <WishListStrip matches={items} hasMore={hasNextPage} />
      <MarketListings search={search} />
    </>
  )
}

/** Preloads the code of the listing screen, so that a tap opens it at once. */
function usePreloadedListingScreen() {
  const router = useRouter()
  useEffect(
    () =>
      whenIdle(() => {
        // A failure is harmless: the navigation loads it again and shows an error.
        router.loadRouteChunk(router.routesById['/_members/listings/$id'])?.catch(() => undefined)
      }),
    [router],
  )
}

function MarketRail({ shown }: { shown: MarketSearch }) {
  const navigate = route.useNavigate()
  const search = usePendingSearch('/listings', parseMarketSearch, shown)
  const { tab } = search
  return (
    <div className={css.rail}>
      <MemberHead title={t`marketplace`} />
      <TabLinks
        label={t`Whose listings`}
        items={[
          {
            label: t`Friend's`,
            to: '/listings',
            search: { ...search, tab: 'friends' },
            current: tab === 'friends',
          },
          {
            label: t({ message: 'Public', context: 'listings' }),
            to: '/listings',
            search: { ...search, tab: undefined },
            current: tab === undefined,
          },
        ]}
      />
      <Stack className={layout.above4}>
        <SearchBox
          label={t`Search listings`}
          words={search.q}
          onSearch={(q) => void navigate({ search: { ...search, q }, replace: true })}
        />
        <CategoryButtons
          chosen={search.category}
          onChoose={(category) => void navigate({ search: { ...search, category } })}
        />
        <FilterButton search={search} />
        <Cluster as="p" gap="4" className={css.links}>
          <Link
            to="/have-want-search"
            search={{ q: search.q, category: search.category }}
            className={classNames(text.link, text.standalone, text.body2)}
          >
            {t`Search wish lists and members`}
          </Link>
          <Link to="/wanted" className={classNames(text.link, text.standalone, text.body2)}>
            {t`Wanted near you`}
          </Link>
        </Cluster>
      </Stack>
    </div>
  )
}

/** Windows with the filter open in the rail. The style sheet has the same width. */
const widest = '(min-width: 90em)'

const RailFilter = lazyExport(() => import('./rail-filter.tsx'), 'RailFilter')

const FilterDialog = lazyExport(() => import('./filter-dialog.tsx'), 'FilterDialog')

function FilterButton({ search }: { search: MarketSearch }) {
  const navigate = route.useNavigate()
  const [isOpen, setOpen] = useState(false)
  const isOpenInRail = useMediaQuery(widest)
  const { tab, category, q, area, choosing } = search
  const filter = filterOf(search)
  const choices = countChoices(filter, q !== undefined)

  function show(chosen: ListingFilter) {
    setOpen(false)
    void navigate({
      search: { tab, category, q, area, ...chosen },
      replace: choosing !== undefined,
    })
  }
  if (isOpenInRail)
    return (
      <RailFilter
        key={JSON.stringify([choosing ?? filter, q !== undefined])}
        filter={choosing ?? filter}
        hasWords={q !== undefined}
        onSave={show}
      />
    )
  return (
    <>
      <div className={css.filter}>
        <Button variant="quiet" size="small" onClick={() => setOpen(true)}>
          <Icon name="filter" size={22} />
          {t`Filter`}
          {choices > 0 && <span className={css.choices}>({choices})</span>}
        </Button>
      </div>
      {(isOpen || choosing !== undefined) && (
        <FilterDialog
          filter={choosing ?? filter}
          hasWords={q !== undefined}
          onClose={() => (choosing === undefined ? setOpen(false) : show(filter))}
          onSave={show}
        />
      )}
    </>
  )
}

function MarketListings({ search }: { search: MarketSearch }) {
  const listings = useInfiniteList(listingPagesQuery(marketOwners(search), marketFilter(search)))
  if (isLocationUnknown(listings.error)) return <LocationUnknown search={search} />
  return (
    <PagedList
      list={listings}
      skeleton={<CardsSkeleton count={9} />}
      empty={<NoListings search={search} />}
      failure={t`Failed to fetch listings. Please try again later.`}
      of={t`listings`}
    >
      {(items) => <ListingGrid listings={items} variant="market" />}
    </PagedList>
  )
}

/** Returns whether the server refused a search by distance because it does not know the member's postal code. */
function isLocationUnknown(error: unknown): boolean {
  return hasCode(error, 'location_unknown')
}

function LocationUnknown({ search }: { search: MarketSearch }) {
  const { pathname, searchStr } = useLocation()
  const sort = search.sort === 'nearest' ? undefined : search.sort
  const { data: me } = useQuery(profileQuery)
  const problem = me && placeProblem(me)
  return (
    <Empty art={noListings} text={problem ?? translateMessage(listingMessages.locationUnknown)}>
      <ButtonLink variant="secondary" to="/personal-info" search={{ next: `${pathname}${searchStr}` }}>
        {t`Add your postcode`}
      </ButtonLink>
      <ButtonLink variant="quiet" to="/listings" search={{ ...search, near: undefined, sort }}>
        {t`Show listings anywhere`}
      </ButtonLink>
    </Empty>
  )
}

function NoListings({ search }: { search: MarketSearch }) {
  const { tab, category, q, area } = search
  if (q !== undefined || area !== undefined || countChoices(filterOf(search), false) > 0)
    return (
      <Empty art={noListings} text={t`Nothing here fits what you look for.`}>
        <ButtonLink variant="secondary" to="/listings" search={{ tab, category }}>
          {t`Show all listings`}
        </ButtonLink>
        {q !== undefined && (
          <ButtonLink variant="quiet" to="/post-want" search={{ q, category }}>
            {t`Add it to your wish list`}
          </ButtonLink>
        )}
      </Empty>
    )

  const text =
    tab === 'friends' && category === undefined
      ? t`No listings from friends yet. Check out the public listings!`
      : noneOf(category)
  return (
    <Empty art={tab === 'friends' ? noFriends : noListings} text={text}>
      {tab === 'friends' ? (
        <ButtonLink variant="secondary" to="/listings" search={{ category }}>
          {t({ message: 'Public', context: 'listings' })}
        </ButtonLink>
      ) : (
        <ButtonLink variant="secondary" to="/listings/new">
          {t`New listing`}
        </ButtonLink>
      )}
    </Empty>
  )
}

/** Whole sentences, because the words around a noun follow its gender and number. */
function noneOf(category: MarketSearch['category']): string {
  if (category === 'produce') return t`No produce listings available at the moment.`
  if (category === 'seeds') return t`No seeds listings available at the moment.`
  if (category === 'plants') return t`No plants listings available at the moment.`
  return t`No listings available at the moment.`
}
