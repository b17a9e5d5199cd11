import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { Notification } from '#contract/notifications.ts'
import { Time, timeSpan } from '#web/ui/time.tsx'
import { titleOf } from './listing-title.ts'

type NotifiedTrade = NonNullable<Notification['trade']>

type TradeStepTextProps = {
  step: TradeStep
  /** The other member; undefined if the step is about no other member. */
  name: ReactNode | undefined
  trade: NotifiedTrade
}

/** Shows the text of a notification about a trade. */
export function TradeStepText({ step, name, trade }: TradeStepTextProps) {
  const title = <b dir="auto">{titleOf({ title: trade.listing_title })}</b>
  const { pickup_starts_at } = trade
  const start =
    pickup_starts_at === null ? undefined : <Time at={pickup_starts_at} format={(at) => timeSpan(at, at)} />
  return <span>{texts[step]({ name, title, trade, start })}</span>
}

type Parts = {
  name: ReactNode | undefined
  title: ReactNode
  trade: NotifiedTrade
  /** The time of the pickup. */
  start: ReactNode | undefined
}

const texts = {
  trade_requested: ({ name, title, trade: { kind } }) =>
    kind === 'single' ? (
      <Trans>
        {name} would like {title}
      </Trans>
    ) : kind === 'swap' ? (
      <Trans>
        {name} proposes a swap that brings you {title}
      </Trans>
    ) : (
      <Trans>
        {name} proposes a ring that brings you {title}
      </Trans>
    ),
  trade_accepted: ({ name, title, trade: { kind } }) => {
    if (kind === 'ring') return <Trans>All have agreed: the ring that brings you {title} holds</Trans>
    if (kind === 'swap')
      return (
        <Trans>
          {name} agreed to the swap that brings you {title}
        </Trans>
      )
    return (
      <Trans>
        {name} promises you {title}
      </Trans>
    )
  },
  trade_in_line: ({ title }) => (
    <Trans>{title} is promised to another member. You keep your place in line.</Trans>
  ),
  trade_declined: ({ name, title, trade: { kind } }) => {
    if (kind === 'ring') return <Trans>The ring for {title} ended: not everyone agreed</Trans>
    if (name === undefined) return <Trans>Your request for {title} has ended</Trans>
    return (
      <Trans>
        {name} declined your request for {title}
      </Trans>
    )
  },
  trade_withdrawn: ({ name, title, trade: { kind } }) => {
    if (kind === 'ring') return <Trans>The ring for {title} ended</Trans>
    if (name === undefined) return <Trans>The trade of {title} has ended</Trans>
    return (
      <Trans>
        {name} ended the trade of {title}
      </Trans>
    )
  },
  trade_lapsed: ({ title }) => <Trans>The trade of {title} lapsed</Trans>,
  trade_next: ({ name, title }) => (
    <Trans>
      The promise of {title} has ended. {name} is next in line.
    </Trans>
  ),
  trade_reminder: ({ title }) => <Trans>The trade of {title} lapses soon</Trans>,
  trade_handed_over: ({ name, title }) => (
    <Trans>
      {name} has confirmed a handover in your trade of {title}
    </Trans>
  ),
  trade_received: ({ name, title }) => (
    <Trans>
      {name} says they have {title}. Is that right?
    </Trans>
  ),
  trade_not_received: ({ name, title }) => (
    <Trans>
      {name} says that {title} is not handed over yet
    </Trans>
  ),
  trade_gone: ({ title, trade: { kind, end_reason } }) => {
    if (kind === 'ring')
      return <Trans>The ring for {title} ended: one of its listings is not offered any more</Trans>
    return end_reason === 'given' ? (
      <Trans>{title} went to another neighbor</Trans>
    ) : (
      <Trans>{title} is not offered any more</Trans>
    )
  },
  trade_done: ({ title }) => <Trans>The trade of {title} is done. Say thank you?</Trans>,
  trade_thanked: ({ name, title }) => (
    <Trans>
      {name} thanks you for {title}
    </Trans>
  ),
  pickup_proposed: ({ name, title, start }) =>
    start === undefined ? (
      <Trans>
        {name} proposes a pickup of {title}
      </Trans>
    ) : (
      <Trans>
        {name} proposes a pickup of {title}: {start}
      </Trans>
    ),
  pickup_accepted: ({ name, title, start }) =>
    start === undefined ? (
      <Trans>
        {name} accepts the pickup of {title}
      </Trans>
    ) : (
      <Trans>
        {name} accepts the pickup of {title}: {start}
      </Trans>
    ),
  pickup_reminder: ({ title, start }) =>
    start === undefined ? (
      <Trans>Soon: the pickup of {title}</Trans>
    ) : (
      <Trans>
        Soon: the pickup of {title}: {start}
      </Trans>
    ),
} satisfies Record<string, (parts: Parts) => ReactNode>

/** A step of a trade that members are told of. */
export type TradeStep = keyof typeof texts
export const tradeSteps = Object.keys(texts) as TradeStep[]
