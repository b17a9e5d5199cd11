import { median, type Sample } from './sample.ts'

/** The samples of each kind of run, in the order of the rounds. */
export type Samples = ReadonlyMap<string, readonly Sample[]>

/** Returns a Markdown table with the medians of each kind of run. */
export function table(samples: Samples): string {
  const lines = [...samples].map(([name, runs]) => {
    const rates = runs.map(({ perSecond }) => perSecond)
    const serverTimes = runs.flatMap(({ serverTime }) => serverTime ?? [])
    const cells = [
      name,
      `${whole(median(rates))} (${whole(Math.min(...rates))}–${whole(Math.max(...rates))})`,
      median(runs.map(({ p50 }) => p50)).toFixed(1),
      median(runs.map(({ p99 }) => p99)).toFixed(1),
      serverTimes.length > 0 ? whole(median(serverTimes)) : '',
    ]
    return `| ${cells.join(' | ')} |`
  })
  return [
    '| Run | a second (lowest–highest) | p50 ms | p99 ms | server µs each |',
    '|---|--:|--:|--:|--:|',
    ...lines,
  ].join('\n')
}

export interface Comparison {
  readonly title: string
  /** The names of the runs. */
  readonly numerator: string
  readonly denominator: string
  readonly atLeast?: number
  readonly atMost?: number
}

/** Returns a line with the median of the rounds' ratios. A machine that is slower in some rounds affects both sides of them. */
export function compare(
  { title, numerator, denominator, atLeast, atMost }: Comparison,
  samples: Samples,
): string {
  const rates = (run: string) => (samples.get(run) ?? []).map(({ perSecond }) => perSecond)
  const roundRatios = ratios(rates(numerator), rates(denominator))
  const ratio = median(roundRatios)
  const isMet = (atLeast === undefined || ratio >= atLeast) && (atMost === undefined || ratio <= atMost)
  const aim =
    atLeast === undefined && atMost === undefined
      ? ''
      : `; aim: ${atLeast === undefined ? `at most ${atMost}` : `at least ${atLeast}`}, ${isMet ? 'met' : 'missed'}`
  return `${title}: ${ratio.toFixed(2)} (${Math.min(...roundRatios).toFixed(2)}–${Math.max(...roundRatios).toFixed(2)}${aim})`
}

/** Divides the values of each round. */
export function ratios(numerators: readonly number[], denominators: readonly number[]): number[] {
  return numerators.map((numerator, round) => numerator / (denominators[round] ?? Number.NaN))
}

function whole(number: number): string {
  return Math.round(number).toLocaleString('en')
}
