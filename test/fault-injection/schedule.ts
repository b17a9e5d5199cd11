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

/** The time of a round in which faults start. */
export const roundMs = 2500

/** Every round has at least one of these. */
const severeFaults: readonly FaultKind[] = ['kill node', 'kill database']
const allFaults: readonly FaultKind[] = [
  ...severeFaults,
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
  return [
    fault(random, severeFaults),
    ...Array.from({ length: more }, () => fault(random, allFaults)),
  ].toSorted((a, b) => a.atMs - b.atMs)
}

function fault(random: Random, kinds: readonly FaultKind[]): Fault {
  return {
    kind: random.oneOf(kinds),
    which: random.between(0, 5),
    atMs: random.between(0, roundMs),
    forMs: random.between(lengthMs.least, lengthMs.most),
  }
}
