export interface Sample {
  readonly seconds: number
  readonly value: number
}

/** Returns the growth of a series from its first to its last moment, by linear regression. */
export function growthOf(samples: readonly Sample[]): number {
  const meanX = mean(samples.map(({ seconds }) => seconds))
  const meanY = mean(samples.map(({ value }) => value))
  let above = 0
  let below = 0
  for (const { seconds, value } of samples) {
    above += (seconds - meanX) * (value - meanY)
    below += (seconds - meanX) ** 2
  }
  const [first, last] = [samples.at(0), samples.at(-1)]
  if (!first || !last || below === 0) throw new Error('A series has at least two moments')
  return (above / below) * (last.seconds - first.seconds)
}

/** Whether it stays within what comes and goes: a share of its mean, and never less than some of it. */
export function isFlat(samples: readonly Sample[], slack: { share: number; least: number }): boolean {
  const allowed = Math.max(slack.least, slack.share * mean(samples.map(({ value }) => value)))
  return growthOf(samples) <= allowed
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
