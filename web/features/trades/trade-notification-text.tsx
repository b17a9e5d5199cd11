import type { ReactNode } from 'react'
import type { Notification } from '#contract/notifications.ts'
import { PickupTime } from './trade-time.tsx'

type NotifiedTrade = NonNullable<Notification['trade']>

type TradeNotificationTextProps = {
  kind: Notification['kind']
  /** The other member. */
  name: ReactNode
  trade: NotifiedTrade
}

/** Shows the text of a notification about a trade. */
export function TradeNotificationText({ kind, name, trade }: TradeNotificationTextProps) {
  return <span>{wordsOf(kind, name, trade)}</span>
}

function wordsOf(kind: Notification['kind'], name: ReactNode, trade: NotifiedTrade): ReactNode {
  const isRing = trade.kind === 'ring'
  const title = <b dir="auto">{trade.listing_title}</b>
  const time = trade.pickup_starts_at !== null && (
    <>
      : <PickupTime pickup={{ starts_at: trade.pickup_starts_at }} />
    </>
  )
  switch (kind) {
    case 'trade_requested':
      if (isRing)
        return (
          <>
            {name} proposes a ring that brings you {title}
          </>
        )
      if (trade.kind === 'swap')
        return (
          <>
            {name} proposes a swap that brings you {title}
          </>
        )
      return (
        <>
          {name} would like {title}
        </>
      )
    case 'trade_accepted':
      if (isRing) return <>All have agreed: the ring that brings you {title} holds</>
      if (trade.kind === 'swap')
        return (
          <>
            {name} agreed to the swap that brings you {title}
          </>
        )
      return (
        <>
          {name} promises you {title}
        </>
      )
    case 'trade_in_line':
      return <>{title} is promised to another member. You keep your place in line.</>
    case 'trade_declined':
      if (isRing) return <>The ring for {title} ended: not everyone agreed</>
      return (
        <>
          {name} declined your request for {title}
        </>
      )
    case 'trade_withdrawn':
      if (isRing) return <>The ring for {title} ended</>
      return (
        <>
          {name} ended the trade of {title}
        </>
      )
    case 'trade_lapsed':
      return <>The trade of {title} lapsed</>
    case 'trade_next':
      return (
        <>
          The promise of {title} has ended. {name} is next in line.
        </>
      )
    case 'trade_reminder':
      return <>The trade of {title} lapses soon</>
    case 'trade_handed_over':
      return (
        <>
          {name} says that {title} is handed over
        </>
      )
    case 'trade_done':
      return <>The trade of {title} is done. Say thank you?</>
    case 'trade_thanked':
      return (
        <>
          {name} thanks you for {title}
        </>
      )
    case 'pickup_proposed':
      return (
        <>
          {name} proposes a pickup of {title}
          {time}
        </>
      )
    case 'pickup_accepted':
      return (
        <>
          {name} accepts the pickup of {title}
          {time}
        </>
      )
    case 'pickup_reminder':
      return (
        <>
          Soon: the pickup of {title}
          {time}
        </>
      )
    default:
      return <>News of the trade of {title}</>
  }
}
