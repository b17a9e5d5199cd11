import type { Trade } from '#contract/trades.ts'
import { classNames } from '#web/ui/class-names.ts'
import css from './stamp.module.css'
import { stampTone, stateWord } from './trade-text.ts'

/** Shows the state of a trade as a rubber stamp. */
export function Stamp({ trade }: { trade: Pick<Trade, 'kind' | 'state' | 'end_reason'> }) {
  return <span className={classNames(css.stamp, css[stampTone(trade)])}>{stateWord(trade)}</span>
}
