import { z } from 'zod/mini'
import { notificationTimes } from '#contract/constants.ts'
import { msg } from '#contract/message.ts'
import type { Notification } from '#contract/notifications.ts'
import type { TradeState } from '#contract/trades.ts'
import { type Delivery, notificationKind } from '#server/features/notifications/kinds.ts'
import { type NotifyDeps, notify } from '#server/features/notifications/notifications.ts'
import { isLegWithheld } from '#server/features/visibility/listings.ts'
import { isoTimestamp } from '#server/platform/db/expressions.ts'
import type { Tx } from '#server/tables.ts'
import { publishTrade } from './job-kinds.ts'
import { type NotifiedStep, notifiedSteps, stepText } from './step-texts.ts'

/** Tells a party of the steps of a trade: those of some minutes in one mail, unless they are read meanwhile. */
const tradeDelivery: Delivery = {
  topic: 'trade',
  category: 'trade',
  preference: 'mail_trades',
  mail: {
    delayMinutes: notificationTimes.tradeMailMinutes,
    because: msg('You get this mail because you are part of this trade.'),
  },
  pushDelaySeconds: notificationTimes.pushDelaySeconds,
}

/** The states of a trade in which a step is mailed and pushed. Others are in every state. */
const statesOfSteps: Partial<Record<NotifiedStep, readonly TradeState[]>> = {
  trade_requested: ['requested'],
  trade_in_line: ['requested'],
  trade_next: ['requested'],
  trade_reminder: ['requested', 'accepted'],
  trade_accepted: ['accepted'],
  trade_received: ['accepted'],
  trade_not_received: ['accepted'],
  pickup_proposed: ['accepted'],
  pickup_accepted: ['accepted'],
  pickup_reminder: ['accepted'],
}

/** Returns whether the trade has moved on since a step. Mails and pushes can be hours late: at night, in an outage, for an unconfirmed address. */
function isLate(name: NotifiedStep, { trade }: Notification): boolean {
  if (!trade || statesOfSteps[name]?.includes(trade.state) === false) return true
  return name === 'pickup_reminder' && Date.parse(trade.pickup_starts_at ?? '') <= Date.now()
}

/** Selects the listing that the notification names. */
function namedLeg(name: NotifiedStep): string {
  if (name === 'trade_next' || name === 'trade_received' || name === 'trade_thanked')
    return 'giver_id = n.user_id'
  return name === 'trade_in_line' ? 'giver_id = n.from_id' : 'taker_id = n.user_id'
}

const stepKind = (name: NotifiedStep) =>
  notificationKind(name, {
    data: z.object({ trade_id: z.int() }),
    about: ({ trade_id }) => ['trade', trade_id],
    facts: `
      select json_build_object('trade', json_build_object('id', t.id, 'kind', t.kind, 'state', t.state, 'end_reason', t.end_reason, 'listing_id', leg.listing_id,
        'listing_title', case when not ${isLegWithheld('leg', 'n.user_id')} then leg.title end, 'pickup_starts_at', ${isoTimestamp('t.pickup_starts_at')}))
      from trades t cross join lateral (
        select * from trade_legs where trade_id = t.id order by (${namedLeg(name)}) desc, place limit 1
      ) leg where t.id = n.about_id`,
    delivery: tradeDelivery,
    text: (notification, reader) => stepText(name, notification, reader),
    isLate: (notification) => isLate(name, notification),
    isUrgent: name === 'pickup_reminder',
  })

const stepKinds = new Map(notifiedSteps.map((name) => [name, stepKind(name)]))

export const stepNotifications = [...stepKinds.values()]

/** A notification about a step of a trade. `from_id` is the member whom it names, or its receiver. */
export interface TradeStep {
  readonly user_id: number
  readonly from_id: number
  readonly kind: NotifiedStep
  readonly trade_id: number
}

/** Notifies members of the steps of a trade and of others, and adds the jobs that publish the changed trades. */
export async function notifyAll(
  deps: NotifyDeps,
  tx: Tx,
  tradeId: number,
  steps: readonly TradeStep[],
): Promise<void> {
  const changed = new Set([tradeId, ...steps.map(({ trade_id }) => trade_id)])
  for (const trade_id of changed) await deps.jobs.add(tx, publishTrade, { trade_id })
  for (const [name, events] of Map.groupBy(steps, ({ kind }) => kind)) {
    const kind = stepKinds.get(name)
    const told = events.map(({ trade_id, ...event }) => ({ ...event, data: { trade_id } }))
    if (kind) await notify(deps, tx, kind, told)
  }
}
