import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Trade, TradeLeg } from '#contract/trades.ts'
import { amountText } from '#web/features/listings/amount.ts'
import { PriceTag } from '#web/features/listings/price-tag.tsx'
import { Username } from '#web/features/members/username.tsx'
import { useStoredLogin } from '#web/login/login-store.ts'
import layout from '#web/styles/layout.module.css'
import text from '#web/styles/text.module.css'
import { classNames } from '#web/ui/class-names.ts'
import { Cluster } from '#web/ui/layout.tsx'
import { Leader } from '#web/ui/leader.tsx'
import { shortDay, Time } from '#web/ui/time.tsx'
import { HandOver } from './hand-over.tsx'
import { isOpen } from './is-open.ts'
import { LegThumbnail } from './leg-thumbnail.tsx'
import { titleOf } from './listing-title.ts'
import { PickupPlaces } from './pickup-place.tsx'
import { PickupRow } from './pickup-row.tsx'
import { Stamp } from './stamp.tsx'
import { TradeActions } from './trade-actions.tsx'
import css from './trade-card.module.css'
import { TradeNote } from './trade-note.tsx'
import { kindWord, nameOf, nextStep, othersIn } from './trade-text.ts'

type TradeCardProps = {
  trade: Trade
  /** Further actions, such as a link to the conversation. */
  children?: ReactNode
}

/** Shows a trade: its listings with givers and takers, its state and the possible steps. */
export function TradeCard({ trade, children }: TradeCardProps) {
  const me = useStoredLogin()?.user.id
  const { id } = trade
  const kind = kindWord(trade)
  return (
    <article className={css.card} aria-labelledby={`trade-${id}`}>
      <Cluster className={css.head}>
        <h2 id={`trade-${id}`} className={classNames(text.subheading, css.title)}>
          <Trans>
            {kind} <span className={css.number}>No. {id}</span>
          </Trans>
        </h2>
        <Stamp trade={trade} />
      </Cluster>
      <ul>
        {trade.legs.map((leg) => (
          <Leg key={leg.listing.id} trade={trade} leg={leg} me={me} />
        ))}
      </ul>
      {trade.note !== null && (
        <div className={css.note}>
          <TradeNote note={trade.note} />
        </div>
      )}
      <PickupRow trade={trade} />
      <PickupPlaces trade={trade} />
      <p className={css.next} role="status">
        {nextStep(trade, me)}
        {isOpen(trade) && trade.expires_at !== null && (
          <>
            {' '}
            <Time
              className={css.until}
              at={trade.expires_at}
              format={(at) => t`Until ${{ day: shortDay(at) }}.`}
            />
          </>
        )}
      </p>
      <TradeActions trade={trade}>{children}</TradeActions>
      {trade.thanks.map(({ id, author_id, text: words }) => (
        <blockquote key={id} className={css.thanks} dir="auto">
          {author_id === me ? (
            <Trans>
              <b>You:</b> {words}
            </Trans>
          ) : (
            <Trans>
              <b>{nameOf(othersIn(trade, me).find((member) => member.id === author_id) ?? null)}:</b> {words}
            </Trans>
          )}
        </blockquote>
      ))}
    </article>
  )
}

type LegProps = { trade: Trade; leg: TradeLeg; me: number | undefined }

function Leg({ trade, leg, me }: LegProps) {
  const { listing, handed_over } = leg
  return (
    <li className={classNames(layout.listItem, css.leg)}>
      <LegThumbnail listing={listing} className={css.thumbnail} />
      <div className={css.what}>
        <Cluster className={css.line}>
          {listing.is_visible ? (
            <Link
              className={classNames(text.plainLink, css.listing)}
              to="/listings/$id"
              params={{ id: String(listing.id) }}
              dir="auto"
            >
              {titleOf(listing)}
            </Link>
          ) : (
            <span className={css.listing} dir="auto">
              {titleOf(listing)}
            </span>
          )}
          <Leader onlyWide />
          <PriceTag listing={listing} />
        </Cluster>
        <p className={classNames(text.muted, css.parties)}>
          {leg.quantity !== null && (
            <>
              <b dir="auto">{amountText(leg.quantity, leg.unit)}</b> ·{' '}
            </>
          )}
          <Parties leg={leg} me={me} />
          {handed_over && <b className={css.handed}> · {t`handed over`}</b>}
        </p>
        <HandOver trade={trade} leg={leg} />
      </div>
    </li>
  )
}

/** Tells who gives to whom. */
function Parties({ leg: { giver_id, giver, taker_id, taker }, me }: Pick<LegProps, 'leg' | 'me'>) {
  const giverName = <Username name={nameOf(giver)} />
  const takerName = <Username name={nameOf(taker)} />
  if (giver_id === me) return <Trans>from you to {takerName}</Trans>
  if (taker_id === me) return <Trans>from {giverName} to you</Trans>
  return (
    <Trans>
      from {giverName} to {takerName}
    </Trans>
  )
}
