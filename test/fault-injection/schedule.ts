import { type Random, randomFrom } from './random.ts'

/** A fault of a round: its time, its duration and its target. */
export interface Fault {
  readonly kind: FaultKind
  readonly which: number
  readonly atMs: number
  readonly forMs: number
}

export type FaultKind =
  | 'kill node'
  | 'freeze node'
  | 'kill database'
  | 'cut database link'
  | 'stall database link'
  | 'kill redis'
  | 'cut redis link'
  | 'stall redis link'
  | 'cut member link'
  | 'stall member link'
  | 'reload page'

/** Rounds break for so long; then everything is mended. */
export const roundMs = 2500

/** Every round has one of these. */
const hard: readonly FaultKind[] = ['kill node', 'kill database']
const any: readonly FaultKind[] = [
  ...hard,
  'freeze node',
  'cut database link',
  'stall database link',
  'kill redis',
  'cut redis link',
  'stall redis link',
  'cut member link',
  'cut member link',
  'stall member link',
  'stall member link',
  'reload page',
]
const faultsInRound = { least: 4, most: 7 }
const lengthMs = { least: 20, most: 1400 }

/** Returns the faults of a round. Rounds are independent, so that one can be repeated alone. */
export function faultsOf(seed: number, round: number): readonly Fault[] {
  const random = randomFrom(seed * 1000 + round)
  const more = random.between(faultsInRound.least, faultsInRound.most) - 1
  return [fault(random, hard), ...Array.from({ length: more }, () => fault(random, any))].toSorted(
    (one, other) => one.atMs - other.atMs,
  )
}

function fault(random: Random, kinds: readonly FaultKind[]): Fault {
  return {
    kind: random.oneOf(kinds),
    which: random.between(0, 5),
    atMs: random.between(0, roundMs),
    forMs: random.between(lengthMs.least, lengthMs.most),
  }
}
