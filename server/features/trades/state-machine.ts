// The states of trades as a table. It knows no database: `trades.ts` locks, asks `decide` and applies the effects.

import type { TradeNotificationKind } from '#contract/notifications.ts'
import type { TradeState } from '#contract/trades.ts'

/**
 * `leave` is for whoever can no longer trade: their account or listing is gone, or a block stands between the two. `end`: one of
 * the listings has ended by its time.
 */
export type Step = 'accept' | 'decline' | 'withdraw' | 'hand_over' | 'lapse' | 'end' | 'leave'

/** `requester` proposed the trade; `asked` is any other party. */
export type Role = 'requester' | 'asked' | 'system'

/**
 * How far the trade comes: by `accept`, the givers that have agreed; by `hand_over`, the legs. `repeated` changes nothing,
 * with `complete` none is missing.
 */
export type Progress = 'repeated' | 'partial' | 'complete'

/**
 * Changes the listings. `promise` reserves them. `finish` marks them as gone and declines the other requests for them.
 * `release` makes those available again that were not handed over.
 */
export type ListingEffect = 'promise' | 'finish' | 'release'

/**
 * Names the receivers of a notification. `others`: the parties but the one who acts. `line`: the members whose requests for a promised
 * listing wait. `owners`: the owners of released listings, about the next request in line.
 */
export interface NotificationEffect {
  readonly kind: TradeNotificationKind
  readonly to: 'others' | 'everyone' | 'line' | 'owners'
}

export interface Transition {
  readonly to: TradeState
  readonly listings?: ListingEffect
  readonly notify: readonly NotificationEffect[]
}

/** `same`: it has happened already. `forbidden`: the party may not do it. Without a row: the state does not allow it. */
type Outcome = Transition | 'same' | 'forbidden'

const to = (
  state: TradeState,
  listings: ListingEffect | undefined,
  ...notify: readonly [NotificationEffect['kind'], NotificationEffect['to']][]
): Transition => ({
  to: state,
  ...(listings && { listings }),
  notify: notify.map(([kind, to]) => ({ kind, to })),
})

type Row = readonly [
  from: readonly TradeState[],
  step: Step,
  who: readonly Role[],
  progress: Progress | 'any',
  outcome: Outcome,
]

const anyone: readonly Role[] = ['requester', 'asked']

// biome-ignore format: A row is a line.
const table: readonly Row[] = [
  // from                   step         who            progress    outcome
  [['requested'],           'accept',    ['asked'],     'repeated', 'same'],
  [['requested'],           'accept',    ['asked'],     'partial',  to('requested', undefined)],
  [['requested'],           'accept',    ['asked'],     'complete', to('accepted', 'promise', ['trade_accepted', 'others'], ['trade_in_line', 'line'])],
  [['accepted', 'done'],    'accept',    ['asked'],     'any',      'same'],

  [['requested'],           'decline',   ['asked'],     'any',      to('declined', undefined, ['trade_declined', 'others'])],
  [['declined'],            'decline',   ['asked'],     'any',      'same'],

  [['requested'],           'withdraw',  ['requester'], 'any',      to('withdrawn', undefined, ['trade_withdrawn', 'others'])],
  [['requested'],           'withdraw',  ['asked'],     'any',      'forbidden'],
  [['accepted'],            'withdraw',  anyone,        'any',      to('withdrawn', 'release', ['trade_withdrawn', 'others'], ['trade_next', 'owners'])],
  [['withdrawn'],           'withdraw',  anyone,        'any',      'same'],

  [['accepted', 'done'],    'hand_over', anyone,        'repeated', 'same'],
  [['accepted'],            'hand_over', anyone,        'partial',  to('accepted', undefined, ['trade_handed_over', 'others'])],
  [['accepted'],            'hand_over', anyone,        'complete', to('done', 'finish', ['trade_done', 'others'])],

  [['requested'],           'leave',     ['requester'], 'any',      to('withdrawn', undefined, ['trade_withdrawn', 'others'])],
  [['requested'],           'leave',     ['asked'],     'any',      to('declined', undefined, ['trade_declined', 'others'])],
  [['accepted'],            'leave',     anyone,        'any',      to('withdrawn', 'release', ['trade_withdrawn', 'others'], ['trade_next', 'owners'])],

  [['requested'],           'lapse',     ['system'],    'any',      to('lapsed', undefined, ['trade_lapsed', 'everyone'])],
  [['accepted'],            'lapse',     ['system'],    'any',      to('lapsed', 'release', ['trade_lapsed', 'everyone'], ['trade_next', 'owners'])],

  [['requested'],           'end',       ['system'],    'any',      to('lapsed', undefined, ['trade_lapsed', 'everyone'])],
  [['accepted'],            'end',       ['system'],    'any',      'same'],
]

/** Returns what a step leads to. `conflict`: the state does not allow it now. */
export function decide(
  state: TradeState,
  step: Step,
  who: Role,
  progress: Progress = 'complete',
): Outcome | 'conflict' {
  const rows = table.filter(([, rowStep, roles]) => rowStep === step && roles.includes(who))
  if (rows.length === 0) return 'forbidden'
  const row = rows.find(
    ([states, , , wanted]) => states.includes(state) && (wanted === 'any' || wanted === progress),
  )
  return row?.[4] ?? 'conflict'
}

export function isOpen(state: TradeState): boolean {
  return state === 'requested' || state === 'accepted'
}
