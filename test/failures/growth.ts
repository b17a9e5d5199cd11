export interface Sample {
  readonly seconds: number
  readonly value: number
}

/** Returns the growth of a series from its first to its last sample by linear regression. */
export function growthOf(samples: readonly Sample[]): number {
  const meanX = mean(samples.map(({ seconds }) => seconds))
  const meanY = mean(samples.map(({ value }) => value))
  let covariance = 0
  let variance = 0
  for (const { seconds, value } of samples) {
    covariance += (seconds - meanX) * (value - meanY)
    variance += (seconds - meanX) ** 2
  }
  const [first, last] = [samples.at(0), samples.at(-1)]
  if (!first || !last || variance === 0) throw new Error('A series needs at least two samples')
  return (covariance / variance) * (last.seconds - first.seconds)
}

/** Returns whether a series grows by no more than a share of its mean, or `least` if that is more. */
export function isFlat(samples: readonly Sample[], slack: { share: number; least: number }): boolean {
  const allowed = Math.max(slack.least, slack.share * mean(samples.map(({ value }) => value)))
  return growthOf(samples) <= allowed
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
