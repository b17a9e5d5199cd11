import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import type { Trade } from '#contract/trades.ts'
import { useStoredLogin } from '#web/login/login-store.ts'
import layout from '#web/styles/layout.module.css'
import text from '#web/styles/text.module.css'
import { Button } from '#web/ui/button.tsx'
import { Cluster } from '#web/ui/layout.tsx'
import { lazyExport } from '#web/ui/lazy-export.tsx'
import { titleOf } from './listing-title.ts'

const PlaceDialog = lazyExport(() => import('./place-dialog.tsx'), 'PlaceDialog')

/** Shows where the listings of a trade are handed over. The giver of one can change its place. */
export function PickupPlaces({ trade }: { trade: Trade }) {
  const me = useStoredLogin()?.user.id
  const [isOpen, setOpen] = useState(false)
  const given = trade.legs.find(({ giver_id }) => giver_id === me)
  const shown = trade.legs.filter(({ pickup_place }) => pickup_place !== null)
  const maySet = trade.allowed.includes('set_place') && given !== undefined
  if (shown.length === 0 && !maySet) return null
  return (
    <div className={layout.listItem}>
      {shown.map(({ listing, pickup_place }) => (
        <p key={listing.id} className={text.breakable}>
          {trade.legs.length === 1 ? (
            <Trans>
              Place: <b dir="auto">{pickup_place}</b>
            </Trans>
          ) : (
            <Trans>
              Place of {titleOf(listing)}: <b dir="auto">{pickup_place}</b>
            </Trans>
          )}
        </p>
      ))}
      {maySet && (
        <Cluster>
          <Button variant="quiet" size="small" onClick={() => setOpen(true)}>
            {given.pickup_place === null ? t`say where` : t`change the place`}
          </Button>
        </Cluster>
      )}
      {isOpen && given && (
        <PlaceDialog tradeId={trade.id} place={given.pickup_place} onClose={() => setOpen(false)} />
      )}
    </div>
  )
}
