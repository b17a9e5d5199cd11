import type { ReactNode } from 'react'
import type { Notification, TradeNotificationKind } from '#contract/notifications.ts'
import { titleOf } from './listing-title.ts'
import { PickupTime } from './trade-time.tsx'

type NotifiedTrade = NonNullable<Notification['trade']>

type TradeNotificationTextProps = {
  kind: TradeNotificationKind
  /** The other member; undefined if the step is about no other member. */
  name: ReactNode | undefined
  trade: NotifiedTrade
}

/** Shows the text of a notification about a trade. */
export function TradeNotificationText({ kind, name, trade }: TradeNotificationTextProps) {
  const title = <b dir="auto">{titleOf({ title: trade.listing_title })}</b>
  return <span>{texts[kind]({ name, title, trade })}</span>
}

type Parts = { name: ReactNode | undefined; title: ReactNode; trade: NotifiedTrade }

const texts: Record<TradeNotificationKind, (parts: Parts) => ReactNode> = {
  trade_requested: ({ name, title, trade: { kind } }) =>
    kind === 'single' ? (
      <>
        {name} would like {title}
      </>
    ) : (
      <>
        {name} proposes a {kind} that brings you {title}
      </>
    ),
  trade_accepted: ({ name, title, trade: { kind } }) => {
    if (kind === 'ring') return <>All have agreed: the ring that brings you {title} holds</>
    return (
      <>
        {name} {kind === 'swap' ? 'agreed to the swap that brings you' : 'promises you'} {title}
      </>
    )
  },
  trade_in_line: ({ title }) => <>{title} is promised to another member. You keep your place in line.</>,
  trade_declined: ({ name, title, trade: { kind } }) => {
    if (kind === 'ring') return <>The ring for {title} ended: not everyone agreed</>
    if (name === undefined) return <>Your request for {title} has ended</>
    return (
      <>
        {name} declined your request for {title}
      </>
    )
  },
  trade_withdrawn: ({ name, title, trade: { kind } }) => {
    if (kind === 'ring') return <>The ring for {title} ended</>
    if (name === undefined) return <>The trade of {title} has ended</>
    return (
      <>
        {name} ended the trade of {title}
      </>
    )
  },
  trade_lapsed: ({ title }) => <>The trade of {title} lapsed</>,
  trade_next: ({ name, title }) => (
    <>
      The promise of {title} has ended. {name} is next in line.
    </>
  ),
  trade_reminder: ({ title }) => <>The trade of {title} lapses soon</>,
  trade_handed_over: ({ name, title }) => (
    <>
      {name} has confirmed a handover in your trade of {title}
    </>
  ),
  trade_done: ({ title }) => <>The trade of {title} is done. Say thank you?</>,
  trade_thanked: ({ name, title }) => (
    <>
      {name} thanks you for {title}
    </>
  ),
  pickup_proposed: ({ name, title, trade }) => (
    <>
      {name} proposes a pickup of {title}
      <PickupStart trade={trade} />
    </>
  ),
  pickup_accepted: ({ name, title, trade }) => (
    <>
      {name} accepts the pickup of {title}
      <PickupStart trade={trade} />
    </>
  ),
  pickup_reminder: ({ title, trade }) => (
    <>
      Soon: the pickup of {title}
      <PickupStart trade={trade} />
    </>
  ),
}

function PickupStart({ trade: { pickup_starts_at } }: Pick<Parts, 'trade'>) {
  if (pickup_starts_at === null) return null
  return (
    <>
      : <PickupTime pickup={{ starts_at: pickup_starts_at }} />
    </>
  )
}
