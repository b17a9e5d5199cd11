import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Profile } from '#contract/auth.ts'
import { distances, withinDistance } from '#web/features/listings/distance.ts'
import { PlaceNote } from '#web/features/members/place-note.tsx'
import { profileQuery } from '#web/features/members/profile-query.ts'
import text from '#web/styles/text.module.css'
import { Button } from '#web/ui/button.tsx'
import { Check } from '#web/ui/check.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Icon } from '#web/ui/icon.tsx'
import { Cluster, Row } from '#web/ui/layout.tsx'
import { usePendingSearch } from '#web/ui/use-pending-location.ts'
import { isByDistance, type MarketSearch, parseMarketSearch } from './market-search.ts'
import css from './place-line.module.css'

const route = getRouteApi('/_members/listings/')

type PlaceLineProps = {
  search: MarketSearch
  /** At the end of the line, if the place is known. */
  children?: ReactNode
}

/** Says where the marketplace looks, with the choice of the distance and of the order. */
export function PlaceLine({ search: shown, children }: PlaceLineProps) {
  const search = usePendingSearch('/listings', parseMarketSearch, shown)
  const { data: me } = useQuery(profileQuery)
  if (me === undefined) return <Cluster className={css.line} />
  if (me.location_known) return <PlaceChoice me={me} search={search} end={children} />
  // A list by distance has the same explanation instead of listings.
  if (isByDistance(search)) return null
  return (
    <Row as="p" gap="2" className={classNames(css.line, text.muted)}>
      <Icon name="pin" size={18} />
      <span>
        <PlaceNote me={me} />
      </span>
    </Row>
  )
}

function PlaceChoice({ me, search, end }: { me: Profile; search: MarketSearch; end: ReactNode }) {
  const navigate = route.useNavigate()
  const show = (chosen: MarketSearch) =>
    void navigate({ search: { ...search, ...chosen }, resetScroll: false })
  const place = me.city || me.zip_code || ''
  return (
    <Cluster gap="2" className={css.line}>
      <span className={css.place}>
        <Icon name="pin" size={18} />
        <span aria-hidden="true" className={classNames(css.name, text.ellipsis)}>
          <bdi>{place}</bdi> ·
        </span>
        <span className={css.distance}>
          <select
            aria-label={t`Distance from ${{ place }}`}
            value={search.near ?? ''}
            onChange={({ currentTarget: { value } }) =>
              show({ near: value === '' ? undefined : Number(value) })
            }
          >
            <option value="">{t`everywhere`}</option>
            {distances().map((distance) => (
              <option key={distance} value={distance}>
                {withinDistance(distance)}
              </option>
            ))}
          </select>
          <Icon name="down" size={16} />
        </span>
      </span>
      <Cluster gap="2" className={css.choices}>
        {search.area !== undefined && (
          <Button variant="quiet" size="small" onClick={() => show({ area: undefined })}>
            {t`all areas`}
          </Button>
        )}
        <Check
          label={t`nearest first`}
          className={css.nearest}
          checked={search.sort === 'nearest'}
          onChange={({ currentTarget: { checked } }) => show({ sort: checked ? 'nearest' : undefined })}
        />
        {end}
      </Cluster>
    </Cluster>
  )
}
