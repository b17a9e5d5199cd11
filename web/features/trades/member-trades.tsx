import type { Trade } from '#contract/trades.ts'
import { useInfiniteList } from '#web/api/infinite-list.ts'
import { useStoredLogin } from '#web/features/auth/login-store.ts'
import { PriceTag } from '#web/features/listings/price-tag.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { isOpen } from './is-open.ts'
import { LegThumbnail } from './leg-thumbnail.tsx'
import css from './member-trades.module.css'
import { Stamp } from './stamp.tsx'
import { TradeCard } from './trade-card.tsx'
import { memberTradesQuery } from './trade-queries.ts'
import { nextStep } from './trade-text.ts'

/** Shows the trades of a conversation's members that are open or wait for a thank-you. */
export function MemberTrades({ memberId }: { memberId: number }) {
  const { items = [] } = useInfiniteList(memberTradesQuery(memberId))
  const shown = items.filter((trade) => isOpen(trade) || trade.allowed.length > 0)
  if (shown.length === 0) return null
  return (
    <ul className={css.trades} aria-label="Trades">
      {shown.map((trade) => (
        <li key={trade.id}>
          <FoldedTrade trade={trade} />
        </li>
      ))}
    </ul>
  )
}

function FoldedTrade({ trade }: { trade: Trade }) {
  const me = useStoredLogin()?.user.id
  const shown = trade.legs.find(({ taker_id }) => taker_id === me) ?? trade.legs[0]
  if (shown === undefined) return null
  return (
    <details className={css.trade}>
      <summary>
        <LegThumbnail listing={shown.listing} className={css.thumbnail} />
        <span className={css.text}>
          <span className={css.title}>
            <b dir="auto">{shown.listing.title}</b>
            <PriceTag listing={shown.listing} />
          </span>
          <span className={css.next}>{nextStep(trade, me)}</span>
        </span>
        <Stamp trade={trade} />
        <Icon name="down" size={20} className={css.arrow} />
      </summary>
      <div className={css.card}>
        <TradeCard trade={trade} />
      </div>
    </details>
  )
}
