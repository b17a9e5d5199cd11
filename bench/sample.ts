/** The measurements of a run. */
export interface Sample {
  readonly perSecond: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
  /** Milliseconds, in order. */
  readonly latencies: readonly number[]
  /** The server's CPU time per response in microseconds. */
  readonly serverTime?: number | undefined
}

/** @param latencies in milliseconds */
export function sampleOf(perSecond: number, latencies: readonly number[]): Sample {
  const sorted = Float64Array.from(latencies).sort()
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN
  return { perSecond, p50: at(0.5), p99: at(0.99), latencies: [...sorted] }
}

/** Merges runs. */
export function pooled(samples: readonly Sample[]): Sample {
  return pooledOf([samples])
}

/**
 * Merges runs of several kinds, without the run of the highest p99 of each kind. A short stall of the machine delays all requests in
 * flight, which are more than 1 %; requests that are slow by themselves are so in every run.
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
