import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { categories, categoryName, limits } from '#contract/constants.ts'
import { listingMessages } from '#contract/listings.ts'
import type { NearbyWant } from '#contract/wants.ts'
import { hasCode } from '#web/api/api-error.ts'
import noListings from '#web/art/empty/no-listings.svg'
import { categoryLabel } from '#web/features/listings/categories.ts'
import { CategoryButtons } from '#web/features/listings/category-buttons.tsx'
import { fromMiles, withinDistance } from '#web/features/listings/distance.ts'
import { pictureOf } from '#web/features/listings/listing-thumbnail.tsx'
import { placeProblem } from '#web/features/members/location.ts'
import { preferencesQuery } from '#web/features/members/preferences-query.ts'
import { profileQuery } from '#web/features/members/profile-query.ts'
import { BackLink } from '#web/features/page-head/back-link.tsx'
import { MemberHead } from '#web/features/page-head/member-head.tsx'
import { translateMessage } from '#web/i18n/translate-message.ts'
import layout from '#web/styles/layout.module.css'
import text from '#web/styles/text.module.css'
import { useAnnouncedCount } from '#web/ui/announcements.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Empty } from '#web/ui/empty.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { Page } from '#web/ui/page.tsx'
import { RowsSkeleton } from '#web/ui/skeleton.tsx'
import { Thumbnail } from '#web/ui/thumbnail.tsx'
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx'
import { capitalized } from './capitalized.ts'
import { CropSeasons } from './crop-seasons.tsx'
import css from './nearby-wants-screen.module.css'
import type { NearbySearch } from './nearby-wants-search.ts'
import { nearbyWantsQuery } from './want-queries.ts'

const route = getRouteApi('/_members/wanted')

/** Shows what members near the member want, and how many offer it. */
export function NearbyWantsScreen() {
  const { category } = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <Page
      rail={
        <>
          <MemberHead title={t`wanted near you`} back={<BackLink to="/my-listings" />} />
          <Intro />
          <div className={layout.above4}>
            <CategoryButtons
              chosen={category}
              onChoose={(category) => void navigate({ search: { category }, replace: true })}
            />
          </div>
        </>
      }
    >
      <NearbyWants key={category} category={category} />
      <CropSeasons category={category} />
    </Page>
  )
}

/** Says what is counted, and in what distance. */
function Intro() {
  const { data: me } = useQuery(profileQuery)
  const { data: preferences } = useQuery(preferencesQuery)
  const { maxMiles } = limits.nearbyWants
  const isKnown = me?.location_known === true && preferences !== undefined
  return (
    <div className={classNames(text.body2, text.muted, layout.above4)}>
      <p>{t`What gardeners near you want, and how many have it. Nobody is named.`}</p>
      {isKnown && (
        <p>{withinDistance(fromMiles(Math.min(preferences.match_radius ?? maxMiles, maxMiles)))}</p>
      )}
    </div>
  )
}

/** The number of crops shown at first, so that the chart below them is not far away. */
const firstCrops = 12

function NearbyWants({ category }: NearbySearch) {
  const [showsAll, setShowsAll] = useState(false)
  const wants = useQuery(nearbyWantsQuery(category && categories[category]))
  useAnnouncedCount(wants.data?.length, t`wanted crops`)
  if (wants.isPending) return <RowsSkeleton count={8} />
  if (hasCode(wants.error, 'location_unknown')) return <PlaceUnknown />
  if (wants.data === undefined)
    return <ErrorState text={t`Failed to load data`} onRetry={() => wants.refetch()} />
  if (wants.data.length === 0) return <NothingWanted category={category} />
  const shown = showsAll ? wants.data : wants.data.slice(0, firstCrops)
  return (
    <>
      <ul className={css.wants}>
        {shown.map((want) => (
          <WantedCrop key={`${want.crop} ${want.category_id}`} want={want} />
        ))}
      </ul>
      {wants.data.length > firstCrops && (
        <p className={layout.above4}>
          <Button variant="secondary" aria-expanded={showsAll} onClick={() => setShowsAll(!showsAll)}>
            {showsAll ? t`Show fewer` : t`Show all`}
          </Button>
        </p>
      )}
    </>
  )
}

function WantedCrop({ want }: { want: NearbyWant }) {
  const { category_id, wanted, offered, drawing } = want
  const category = categoryName(category_id)
  const name = capitalized(want.name)
  return (
    <li className={css.want}>
      <Thumbnail
        alt=""
        picture={pictureOf({ featured_image: null, image: null, drawing })}
        sizes="4rem"
        className={css.picture}
      />
      <div className={css.text}>
        <h2 className={css.name} dir="auto">
          {name}
        </h2>
        <p className={css.category}>
          <Icon name={category} size={18} />
          {categoryLabel(category)}
        </p>
        <p className={css.counts}>
          <span className={css.wanted}>
            {plural(wanted, { one: '# gardener wants it', other: '# gardeners want it' })}
          </span>
          <span className={css.offered}>
            {offered === 0 ? t`nobody has it` : plural(offered, { one: '# has it', other: '# have it' })}
          </span>
        </p>
      </div>
      <ButtonLink
        variant="secondary"
        size="small"
        to="/listings/new"
        search={{ q: name, category: category === 'uncategorized' ? undefined : category }}
      >
        <span>
          <Trans>
            I have it<VisuallyHidden>: {name}</VisuallyHidden>
          </Trans>
        </span>
      </ButtonLink>
    </li>
  )
}

function NothingWanted({ category }: NearbySearch) {
  return (
    <Empty
      art={noListings}
      text={
        category === undefined
          ? t`Nobody near you has a wish list yet.`
          : t`Nobody near you wants anything of this category yet.`
      }
    >
      {category === undefined ? (
        <ButtonLink to="/post-want">{t`Add wanted items`}</ButtonLink>
      ) : (
        <ButtonLink variant="secondary" to="/wanted">
          {t`Show all`}
        </ButtonLink>
      )}
    </Empty>
  )
}

function PlaceUnknown() {
  const { data: me } = useQuery(profileQuery)
  const problem = me && placeProblem(me)
  return (
    <Empty art={noListings} text={problem ?? translateMessage(listingMessages.locationUnknown)}>
      <ButtonLink variant="secondary" to="/personal-info" search={{ next: '/wanted' }}>
        {t`Add your postcode`}
      </ButtonLink>
    </Empty>
  )
}
