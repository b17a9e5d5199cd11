import { plural, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import type { ListingArea } from '#contract/listing-queries.ts'
import { bandText } from '#web/features/listings/distance.ts'
import text from '#web/styles/text.module.css'
import { classNames } from '#web/ui/class-names.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { NavLink } from '#web/ui/nav-link.tsx'
import css from './area-map.module.css'
import { AreaMap } from './area-map.tsx'
import { areasQuery } from './areas-query.ts'
import type { MarketSearch } from './market-search.ts'

/** Shows how many listings each area around the member has, as a map and as a list of links that limit the marketplace to one area. */
export function MarketAreas({ search }: { search: MarketSearch }) {
  const { data: areas, isError, refetch } = useQuery(areasQuery(search))
  if (areas === undefined)
    return isError ? <ErrorState text={t`Failed to load data`} onRetry={refetch} /> : null
  if (areas.length === 0) return <p className={text.none}>{t`No listings near you at the moment.`}</p>
  return (
    <>
      <AreaMap areas={areas} search={search} />
      <ul className={css.areas}>
        {areas.map((area) => (
          <li key={area.area}>
            <Area area={area} search={search} />
          </li>
        ))}
      </ul>
    </>
  )
}

function Area({ area, search }: { area: ListingArea; search: MarketSearch }) {
  const band = bandText(area)
  const note = (
    <span className={classNames(text.caption, text.muted)}>
      {plural(area.count, { one: '# listing', other: '# listings' })}
      {band !== undefined && ` · ${band}`}
    </span>
  )
  if (area.area === null)
    return (
      <span className={css.area}>
        <span>{t`other places`}</span>
        {note}
      </span>
    )
  const isChosen = area.area === search.area
  return (
    <NavLink
      to="/listings"
      search={{ ...search, area: isChosen ? undefined : area.area }}
      resetScroll={false}
      current={isChosen}
      className={css.area}
    >
      <bdi>{area.name}</bdi>
      {note}
    </NavLink>
  )
}
