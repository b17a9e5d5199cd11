import { Counter } from 'prom-client'
import type { Deps } from '#server/deps.ts'
import { afterCommit } from '#server/platform/db/database.ts'
import { type Metrics, watchDatabase } from '#server/platform/metrics.ts'
import { findOpenCounts } from './job-queries.ts'

/** Registers the metrics of trades. Each node counts its own steps; the gauges are the same on every node. */
export function watchTrades({ registry }: Metrics, { db, events }: Pick<Deps, 'db' | 'events'>): void {
  const steps = new Counter({
    name: 'rhubarb_trade_steps_total',
    help: 'Steps of trades, by step and the state after it',
    labelNames: ['step', 'state'],
    registers: [registry],
  })
  events.subscribe('trade_changed', (tx, { step, state }) =>
    afterCommit(tx, () => steps.inc({ step, state })),
  )
  watchDatabase(registry, () => findOpenCounts(db), [
    ['rhubarb_trades_requested', 'Trades that wait for an answer', 'requested'],
    ['rhubarb_trades_accepted', 'Trades that are promised and not handed over', 'accepted'],
    [
      'rhubarb_trades_oldest_request_seconds',
      'Age of the oldest trade that waits for an answer',
      'oldest_seconds',
    ],
  ])
}
