import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { Listing } from '#contract/listings.ts'
import noListings from '#web/art/empty/no-listings.svg'
import { type CategoryName, categoryLabel, groupByCategory } from '#web/features/listings/categories.ts'
import { myListingsQuery } from '#web/features/listings/listing-queries.ts'
import { interestedCountsQuery } from '#web/features/matches/match-queries.ts'
import { profileQuery } from '#web/features/members/profile-query.ts'
import { MemberHead } from '#web/features/page-head/member-head.tsx'
import { useReadNotificationsAbout } from '#web/features/page-head/use-read-notifications.ts'
import { ConfirmEmailLine } from '#web/features/profile/confirm-email-line.tsx'
import { MyWants } from '#web/features/wants/my-wants.tsx'
import { WantsIntro } from '#web/features/wants/wants-intro.tsx'
import { formatNumber } from '#web/i18n/formats.ts'
import text from '#web/styles/text.module.css'
import { useAnnouncedCount } from '#web/ui/announcements.ts'
import { ButtonLink, IconLink } from '#web/ui/button.tsx'
import { Check } from '#web/ui/check.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Empty } from '#web/ui/empty.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { GroupHead } from '#web/ui/group-head.tsx'
import { Icon, type IconName } from '#web/ui/icon.tsx'
import { Page } from '#web/ui/page.tsx'
import { SearchBox } from '#web/ui/search-box.tsx'
import { RowsSkeleton } from '#web/ui/skeleton.tsx'
import { TabLinks } from '#web/ui/tabs.tsx'
import { usePendingSearch } from '#web/ui/use-pending-location.ts'
import { AfterPosting } from './after-posting.tsx'
import { ListingRow, showsEnd } from './listing-row.tsx'
import css from './my-lists-screen.module.css'
import { isShown, type MyListsSearch, parseMyListsSearch } from './my-lists-search.ts'

const route = getRouteApi('/_members/my-listings')

/** More listings than this get a search and links to their categories. */
const manyListings = 10

export function MyListsScreen() {
  const search = route.useSearch()
  return (
    <Page rail={<ListsRail shown={search} />}>
      <ConfirmEmailLine />
      <AfterPosting />
      {search.tab === 'want' ? <MyWants /> : <MyListings search={search} />}
    </Page>
  )
}

function ListsRail({ shown }: { shown: MyListsSearch }) {
  const { tab, show, q } = usePendingSearch('/my-listings', parseMyListsSearch, shown)
  const isWantPending = tab === 'want'
  // The parts that change the layout switch together with the list, unlike the tabs.
  const isWantShown = shown.tab === 'want'
  return (
    <>
      <MemberHead title={t`my lists`} action={isWantShown ? <AddWantsLink /> : <NewListingLink />} />
      <TabLinks
        label={t`Lists`}
        items={[
          { label: t`Have`, to: '/my-listings', search: {}, current: !isWantPending },
          { label: t`Want`, to: '/my-listings', search: { tab: 'want' }, current: isWantPending },
        ]}
      />
      {isWantShown ? (
        <>
          <WantsIntro />
          <WantedLink />
        </>
      ) : (
        <>
          <VisibilityChecks shown={show} />
          <ListingsSearch words={q} />
          <p>
            <Link to="/trades" className={classNames(text.link, text.standalone)}>
              {t`My trades`}
            </Link>
          </p>
          <WantedLink />
        </>
      )}
    </>
  )
}

function WantedLink() {
  return (
    <p>
      <Link to="/wanted" className={classNames(text.link, text.standalone)}>
        {t`Wanted near you`}
      </Link>
    </p>
  )
}

function NewListingLink() {
  return (
    <IconLink label={t`New listing`} variant="solid" to="/listings/new">
      <Icon name="plus" />
    </IconLink>
  )
}

function AddWantsLink() {
  return (
    <IconLink label={t`Add wanted items`} variant="solid" to="/post-want">
      <Icon name="plus" />
    </IconLink>
  )
}

/** Checkboxes that filter by visibility. Checking one unchecks the other; none shows all listings. */
function VisibilityChecks({ shown }: { shown: MyListsSearch['show'] }) {
  const navigate = route.useNavigate()
  return (
    <fieldset className={css.checks} aria-label={t`Show`}>
      {(['private', 'public'] as const).map((kind) => (
        <Check
          key={kind}
          label={
            kind === 'public'
              ? t({ message: 'public', context: 'listings' })
              : t({ message: 'private', context: 'listings' })
          }
          checked={shown === kind}
          onChange={(event) =>
            void navigate({
              search: (search) => ({ ...search, show: event.currentTarget.checked ? kind : undefined }),
              resetScroll: false,
            })
          }
        />
      ))}
    </fieldset>
  )
}

/** A search, if the member has many listings. */
function ListingsSearch({ words }: { words: string | undefined }) {
  const navigate = route.useNavigate()
  const { data: listings } = useQuery(myListingsQuery)
  if (words === undefined && (listings?.length ?? 0) <= manyListings) return null
  return (
    <div className={css.search}>
      <SearchBox
        label={t`Search my listings`}
        words={words}
        onSearch={(found) => void navigate({ search: (search) => ({ ...search, q: found }), replace: true })}
      />
    </div>
  )
}

function MyListings({ search }: { search: MyListsSearch }) {
  const listings = useQuery(myListingsQuery)
  const interestedCounts = useQuery(interestedCountsQuery)
  const shown = listings.data?.filter((listing) => isShown(listing, search)) ?? []
  useAnnouncedCount(shown.length, t`listings`)
  useReadNotificationsAbout('listing', interestedCounts.isPending ? [] : shown.filter(showsEnd))
  // Wait for both queries, so that no row grows after it is shown.
  if (listings.isPending || interestedCounts.isPending) return <RowsSkeleton count={6} />
  if (listings.data === undefined) {
    return (
      <ErrorState
        text={t`Failed to load listings. Please try again later.`}
        onRetry={() => listings.refetch()}
      />
    )
  }
  const ended = shown.filter(({ is_expired }) => is_expired)
  const groups = groupByCategory(shown.filter(({ is_expired }) => !is_expired))
  if (shown.length === 0) return <NoListings isFiltered={listings.data.length > 0} />
  return (
    <>
      {shown.length > manyListings && groups.length > 1 && <CategoryLinks groups={groups} />}
      {groups.map((group) => (
        <Group
          key={group.name}
          name={group.name}
          icon={group.name}
          listings={group.items}
          interestedCounts={interestedCounts.data}
        />
      ))}
      {ended.length > 0 && <Group name="ended" icon="clock" listings={ended.toSorted(byEnd)} />}
      <MissingPostalCode />
    </>
  )
}

/** Asks for a missing postal code, below the lists. */
function MissingPostalCode() {
  const me = useQuery(profileQuery)
  return (
    <div className={css.postalCode}>
      {me.isLoadingError && (
        <ErrorState text={t`Failed to load profile data.`} onRetry={() => me.refetch()} />
      )}
      {me.data?.zip_code === null && (
        <p>
          <Trans>
            <Link to="/personal-info" search={{ next: '/my-listings' }} className={text.link}>
              Add your postcode
            </Link>
            , so that neighbors near you find these.
          </Trans>
        </p>
      )}
    </div>
  )
}

/** Links to the groups of a long list. The bar is sticky. */
function CategoryLinks({ groups }: { groups: readonly { name: CategoryName; items: readonly Listing[] }[] }) {
  return (
    <nav className={css.jumps} aria-label={t`Categories`}>
      <ul>
        {groups.map(({ name, items }) => (
          <li key={name}>
            <a href={`#${headingId(name)}`}>
              <Icon name={name} size={20} />
              {categoryLabel(name)} <span className={text.muted}>{formatNumber(items.length)}</span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

const headingId = (name: GroupProps['name']) => `group-${name}`

type GroupProps = {
  name: CategoryName | 'ended'
  icon: IconName
  listings: readonly Listing[]
  /** The number of interested members by listing id. */
  interestedCounts?: Readonly<Record<number, number>> | undefined
}

function Group({ name, icon, listings, interestedCounts = {} }: GroupProps) {
  const titleId = headingId(name)
  return (
    <section className={css.group} aria-labelledby={titleId}>
      <GroupHead
        id={titleId}
        icon={icon}
        title={name === 'ended' ? t`ended` : categoryLabel(name)}
        count={plural(listings.length, { one: '# listing', other: '# listings' })}
      />
      <ul>
        {listings.map((listing) => (
          <ListingRow
            key={listing.id}
            listing={listing}
            interestedCount={interestedCounts[listing.id] ?? 0}
          />
        ))}
      </ul>
    </section>
  )
}

/** Orders ended listings, the latest end first. */
function byEnd(one: Listing, other: Listing) {
  return Date.parse(other.expires_at) - Date.parse(one.expires_at)
}

function NoListings({ isFiltered }: { isFiltered: boolean }) {
  return (
    <Empty art={noListings} text={t`No listings found.`}>
      {isFiltered ? (
        <ButtonLink variant="secondary" to="/my-listings">
          {t`Show all`}
        </ButtonLink>
      ) : (
        <ButtonLink to="/listings/new">
          <Icon name="plus" />
          {t`New listing`}
        </ButtonLink>
      )}
    </Empty>
  )
}
