import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { profileQuery } from '#web/features/members/profile-query.ts'
import { Button } from '#web/ui/button.tsx'
import { lazyExport } from '#web/ui/lazy-export.tsx'
import { useMediaQuery } from '#web/ui/use-media-query.ts'
import css from './market-body.module.css'
import type { MarketSearch } from './market-search.ts'
import { PlaceLine } from './place-line.tsx'

const MarketAreas = lazyExport(() => import('./market-areas.tsx'), 'MarketAreas')

/** Shows the line of the place above the listings, and the map of areas: beside them in wide windows, else behind a switch. */
export function MarketBody({ search, children }: { search: MarketSearch; children: ReactNode }) {
  const { data: me } = useQuery(profileQuery)
  const isWide = useMediaQuery('(width >= 80em)')
  const [isOpen, setOpen] = useState(search.area !== undefined)
  if (!me?.location_known)
    return (
      <>
        <PlaceLine search={search} />
        {children}
      </>
    )
  return (
    <div className={css.body}>
      <PlaceLine search={search}>
        <span className={css.switch}>
          <Button variant="quiet" size="small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {t`map`}
          </Button>
        </span>
      </PlaceLine>
      <aside className={css.map} aria-label={t`Listings by area`}>
        {(isWide || isOpen) && <MarketAreas search={search} />}
      </aside>
      <div>{children}</div>
    </div>
  )
}
