import type { TradeNotificationKind } from '#contract/notifications.ts'
import type { Deps } from '#server/deps.ts'
import { notifyOfTrades } from '#server/features/notifications/notifications.ts'
import type { Tx } from '#server/tables.ts'
import { publishTrade, sendTradeMail, sendTradePush } from './job-kinds.ts'

/** A notification about a step of a trade. `from_id` is the member whom it names, or its receiver. */
export interface TradeStep {
  readonly user_id: number
  readonly from_id: number
  readonly kind: TradeNotificationKind
  readonly trade_id: number
}

/** Stores the notifications of a step, and adds the jobs that publish, mail and push it. */
export async function notifyAll(
  { jobs }: Pick<Deps, 'jobs'>,
  tx: Tx,
  tradeId: number,
  steps: readonly TradeStep[],
): Promise<void> {
  const notifications = await notifyOfTrades(tx, steps)
  await jobs.add(tx, publishTrade, { trade_id: tradeId, notifications })
  const others = new Set(steps.map(({ trade_id }) => trade_id).filter((id) => id !== tradeId))
  for (const trade_id of others) await jobs.add(tx, publishTrade, { trade_id, notifications: [] })
  const data = notifications.map(({ id, user_id }) => ({ user_id, notification_id: id }))
  await jobs.addAll(tx, sendTradeMail, data)
  await jobs.addAll(tx, sendTradePush, data)
}
