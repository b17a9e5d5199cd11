import { plural, t } from '@lingui/core/macro'
import { useId, useState } from 'react'
import type { Trade } from '#contract/trades.ts'
import { useInfiniteList } from '#web/api/infinite-list.ts'
import { PriceTag } from '#web/features/listings/price-tag.tsx'
import { useReadNotificationsAbout } from '#web/features/page-head/use-read-notifications.ts'
import { formatList } from '#web/i18n/formats.ts'
import { useStoredLogin } from '#web/login/login-store.ts'
import text from '#web/styles/text.module.css'
import { classNames } from '#web/ui/class-names.ts'
import { Icon } from '#web/ui/icon.tsx'
import { Row } from '#web/ui/layout.tsx'
import fold from './fold-row.module.css'
import { isOpen, waitsForMember } from './is-open.ts'
import { LegThumbnail } from './leg-thumbnail.tsx'
import { titleOf } from './listing-title.ts'
import css from './member-trades.module.css'
import { Stamp } from './stamp.tsx'
import { TradeCard } from './trade-card.tsx'
import { memberTradesQuery } from './trade-queries.ts'
import { nextStep } from './trade-text.ts'

/** Shows the trades of a conversation's members that are open or wait for a thank-you. Several fold into one row. */
export function MemberTrades({ memberId }: { memberId: number }) {
  const { items = [] } = useInfiniteList(memberTradesQuery(memberId))
  const [isUnfolded, setUnfolded] = useState(false)
  const listId = useId()
  const shown = items.filter((trade) => isOpen(trade) || trade.allowed.length > 0)
  const isSeveral = shown.length > 1
  useReadNotificationsAbout('trade', isSeveral && !isUnfolded ? [] : shown)
  if (shown.length === 0) return null
  return (
    <section className={css.trades} aria-label={t`Trades`}>
      {isSeveral && (
        <button
          type="button"
          className={classNames(fold.row, css.strip)}
          aria-expanded={isUnfolded}
          aria-controls={listId}
          onClick={() => setUnfolded(!isUnfolded)}
        >
          <SeveralTrades trades={shown} />
        </button>
      )}
      <ul id={listId} hidden={isSeveral && !isUnfolded}>
        {shown.map((trade) => (
          <li key={trade.id}>
            {/* If a second trade arrives while the card is open, the list stays unfolded. */}
            <FoldedTrade trade={trade} onToggle={(open) => !isSeveral && setUnfolded(open)} />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The content of the row into which several trades fold. */
function SeveralTrades({ trades }: { trades: readonly Trade[] }) {
  const me = useStoredLogin()?.user.id
  const waiting = trades.filter(waitsForMember).length
  const shown = trades.flatMap((trade) => {
    const listing = shownLeg(trade, me)?.listing
    return listing === undefined ? [] : [{ tradeId: trade.id, listing }]
  })
  return (
    <>
      <Row as="span" gap="0" align="stretch" className={css.pile}>
        {shown.slice(0, 3).map(({ tradeId, listing }) => (
          <LegThumbnail key={tradeId} listing={listing} className={css.thumbnail} />
        ))}
      </Row>
      <span className={css.text}>
        <b className={text.ellipsis}>{plural(trades.length, { one: '# trade', other: '# trades' })}</b>{' '}
        <span className={classNames(text.ellipsis, css.next)} dir="auto">
          {waiting > 0
            ? plural(waiting, { one: '# waits for you', other: '# wait for you' })
            : formatList(shown.map(({ listing }) => titleOf(listing)))}
        </span>
      </span>
      <Icon name="down" size={20} className={fold.arrow} />
    </>
  )
}

type FoldedTradeProps = { trade: Trade; onToggle: (isOpen: boolean) => void }

function FoldedTrade({ trade, onToggle }: FoldedTradeProps) {
  const me = useStoredLogin()?.user.id
  const shown = shownLeg(trade, me)
  if (shown === undefined) return null
  return (
    <details
      className={css.trade}
      onToggle={({ currentTarget }) => {
        onToggle(currentTarget.open)
        if (currentTarget.open) currentTarget.scrollIntoView({ block: 'start' })
      }}
    >
      <summary className={classNames(fold.row, css.strip)}>
        <LegThumbnail listing={shown.listing} className={css.thumbnail} />
        <span className={css.text}>
          <Row as="span" gap="2" align="baseline" className={css.title}>
            <b className={text.ellipsis} dir="auto">
              {titleOf(shown.listing)}
            </b>
            <span className={css.price}>
              <PriceTag listing={shown.listing} />
            </span>
          </Row>{' '}
          <span className={classNames(text.ellipsis, css.next)}>{nextStep(trade, me)}</span>
        </span>
        <span className={css.stamp}>
          <Stamp trade={trade} />
        </span>
        <Icon name="down" size={20} className={fold.arrow} />
      </summary>
      <div className={css.card}>
        <TradeCard trade={trade} />
      </div>
    </details>
  )
}

/** Returns the leg that the member takes, or the first. */
function shownLeg({ legs }: Trade, me: number | undefined) {
  return legs.find(({ taker_id }) => taker_id === me) ?? legs[0]
}
