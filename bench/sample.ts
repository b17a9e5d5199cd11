/** The measurements of one short run. */
export interface Sample {
  readonly perSecond: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
  /** Milliseconds, in order. */
  readonly latencies: readonly number[]
  /** Microseconds of processor time of the server for one answer. */
  readonly serverTime?: number | undefined
}

/** @param latencies in milliseconds */
export function sampleOf(perSecond: number, latencies: readonly number[]): Sample {
  const sorted = Float64Array.from(latencies).sort()
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN
  return { perSecond, p50: at(0.5), p99: at(0.99), latencies: [...sorted] }
}

/** Several short runs as one. */
export function pooled(samples: readonly Sample[]): Sample {
  return pooledOf([samples])
}

/**
 * Short runs of several kinds as one, of each kind without the one of the highest p99: where the machine stands still for a moment, all
 * requests under way do, and these are more than one in a hundred. What is slow by itself is so in every run.
 */
export function pooledOf(kinds: readonly (readonly Sample[])[]): Sample {
  const counted = kinds.flatMap((samples) =>
    samples.length < 3 ? samples : samples.toSorted((a, b) => a.p99 - b.p99).slice(0, -1),
  )
  return sampleOf(
    median(counted.map(({ perSecond }) => perSecond)),
    counted.flatMap(({ latencies }) => latencies),
  )
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  return ((sorted[Math.ceil(middle) - 1] ?? Number.NaN) + (sorted[Math.floor(middle)] ?? Number.NaN)) / 2
}
