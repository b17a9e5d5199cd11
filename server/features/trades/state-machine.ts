// The table of the states of trades. It does not use the database: `trades.ts` locks rows, calls `decide` and applies the effects.

import type { TradeState } from '#contract/trades.ts'
import type { NotifiedStep } from './step-texts.ts'

/**
 * `hand_over` is the giver's, `receive` the taker's "I have it", which the giver can deny, or `confirm` by silence. `leave`: a party can no
 * longer trade, because their account or listing is gone or there is a block. `end`: one of the listings has ended by its time.
 */
export type Step =
  | 'accept'
  | 'decline'
  | 'withdraw'
  | 'hand_over'
  | 'receive'
  | 'deny_hand_over'
  | 'confirm'
  | 'lapse'
  | 'end'
  | 'leave'

/** `requester` proposed the trade; `receiver` is any other party. */
export type Role = 'requester' | 'receiver' | 'system'

/**
 * The progress of a trade with several givers or legs: `accept` counts the givers, `hand_over` and `confirm` the legs. `repeated` changes nothing,
 * `complete` is the last one.
 */
export type Progress = 'repeated' | 'partial' | 'complete'

/**
 * Changes the listings. `promise` reserves them. `finish` marks them as gone and declines the other requests for them.
 * `release` makes those available again that were not handed over.
 */
export type ListingEffect = 'promise' | 'finish' | 'release'

/**
 * The receivers of a notification. `others`: all parties except the one who acts. `giver`, `taker`: of the leg that changes. `waiting`: the members whose requests for a promised
 * listing wait. `owners`: the owners of released listings, about the request that waits longest.
 */
export interface NotificationEffect {
  readonly kind: NotifiedStep
  readonly to: 'others' | 'everyone' | 'giver' | 'taker' | 'waiting' | 'owners'
}

export interface Transition {
  readonly to: TradeState
  readonly listings?: ListingEffect
  readonly notify: readonly NotificationEffect[]
}

/** `same`: the step was taken already. `forbidden`: the party may not take it. */
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

const anyone: readonly Role[] = ['requester', 'receiver']

// biome-ignore format: A row is a line.
const table: readonly Row[] = [
  // from                   step         who            progress    outcome
  [['requested'],           'accept',    ['receiver'],  'repeated', 'same'],
  [['requested'],           'accept',    ['receiver'],  'partial',  to('requested', undefined)],
  [['requested'],           'accept',    ['receiver'],  'complete', to('accepted', 'promise', ['trade_accepted', 'others'], ['trade_in_line', 'waiting'])],
  [['accepted', 'done'],    'accept',    ['receiver'],  'any',      'same'],

  [['requested'],           'decline',   ['receiver'],  'any',      to('declined', undefined, ['trade_declined', 'others'])],
  [['declined'],            'decline',   ['receiver'],  'any',      'same'],

  [['requested'],           'withdraw',  ['requester'], 'any',      to('withdrawn', undefined, ['trade_withdrawn', 'others'])],
  [['requested'],           'withdraw',  ['receiver'],  'any',      'forbidden'],
  [['accepted'],            'withdraw',  anyone,        'any',      to('withdrawn', 'release', ['trade_withdrawn', 'others'], ['trade_next', 'owners'])],
  [['withdrawn'],           'withdraw',  anyone,        'any',      'same'],

  [['accepted', 'done'],    'hand_over', anyone,        'repeated', 'same'],
  [['accepted'],            'hand_over', anyone,        'partial',  to('accepted', undefined, ['trade_handed_over', 'others'])],
  [['accepted'],            'hand_over', anyone,        'complete', to('done', 'finish', ['trade_done', 'others'])],

  [['accepted', 'done'],    'receive',   anyone,        'repeated', 'same'],
  [['accepted'],            'receive',   anyone,        'any',      to('accepted', undefined, ['trade_received', 'giver'])],
  [['accepted'],            'deny_hand_over', anyone,   'repeated', 'same'],
  [['accepted'],            'deny_hand_over', anyone,   'any',      to('accepted', undefined, ['trade_not_received', 'taker'])],
  [['accepted'],            'confirm',   ['system'],    'partial',  to('accepted', undefined)],
  [['accepted'],            'confirm',   ['system'],    'complete', to('done', 'finish', ['trade_done', 'everyone'])],

  [['requested'],           'leave',     ['requester'], 'any',      to('withdrawn', undefined, ['trade_withdrawn', 'others'])],
  [['requested'],           'leave',     ['receiver'],  'any',      to('lapsed', undefined, ['trade_gone', 'others'])],
  [['accepted'],            'leave',     anyone,        'any',      to('withdrawn', 'release', ['trade_withdrawn', 'others'], ['trade_next', 'owners'])],

  [['requested'],           'lapse',     ['system'],    'any',      to('lapsed', undefined, ['trade_lapsed', 'everyone'])],
  [['accepted'],            'lapse',     ['system'],    'any',      to('lapsed', 'release', ['trade_lapsed', 'everyone'], ['trade_next', 'owners'])],

  [['requested'],           'end',       ['system'],    'any',      to('lapsed', undefined, ['trade_lapsed', 'everyone'])],
  [['accepted'],            'end',       ['system'],    'any',      'same'],
]

/** Returns the outcome of a step. `conflict`: no row of the table allows the step in this state. */
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

/** Returns whether a trade in this state can still end in a handover. */
export function isOpen(state: TradeState): boolean {
  return state === 'requested' || state === 'accepted'
}
