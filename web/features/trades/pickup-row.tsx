import { t } from '@lingui/core/macro'
import type { Trade } from '#contract/trades.ts'
import layout from '#web/styles/layout.module.css'
import { classNames } from '#web/ui/class-names.ts'
import { Icon } from '#web/ui/icon.tsx'
import { Cluster, Row } from '#web/ui/layout.tsx'
import { Leader } from '#web/ui/leader.tsx'
import { Time, timeSpan } from '#web/ui/time.tsx'
import { isOpen } from './is-open.ts'
import css from './pickup-row.module.css'
import { CalendarButton } from './trade-actions.tsx'

/** Shows the time of the pickup in a row of the card. */
export function PickupRow({ trade }: { trade: Trade }) {
  const { id, pickup } = trade
  if (pickup === null) return null
  return (
    <div className={classNames(layout.listItem, css.pickup)}>
      <Cluster className={css.line}>
        <Row as="span" gap="1" align="baseline" className={css.label}>
          <Icon name="clock" size={18} />
          {t`Pickup`}
        </Row>
        <Leader onlyWide />
        <span className={css.time}>
          <Time at={pickup.starts_at} format={(at) => timeSpan(at, pickup.ends_at)} />
          {!pickup.accepted && <i> {t`(proposed)`}</i>}
        </span>
      </Cluster>
      {pickup.accepted && isOpen(trade) && <CalendarButton tradeId={id} />}
    </div>
  )
}
