// `npm run bench:growth`: measures how much longer parsing takes for a text that is eight times as long.
import { factor, growths, misspeltGrowth } from '#test/hostile/growing-texts.ts'

const noiseMs = 0.5
/** Disturbances make a run longer, so the shortest of several counts. */
const runs = 5

const measured = [...growths(), misspeltGrowth()].map(({ name, short, long }) => ({
  name,
  ratio: shortestMs(long) / (shortestMs(short) + noiseMs),
}))
measured.sort((one, other) => other.ratio - one.ratio)
console.log(`The time of a text ${factor} times as long, of the time of the short one, for the slowest ten`)
for (const { name, ratio } of measured.slice(0, 10)) console.log(`${name.padEnd(45)} ${ratio.toFixed(1)}`)

/** Returns the processor time of this thread. */
function shortestMs(work: () => unknown): number {
  let shortest = Infinity
  for (let run = 0; run < runs; run += 1) {
    const before = process.threadCpuUsage()
    work()
    const { user, system } = process.threadCpuUsage(before)
    shortest = Math.min(shortest, (user + system) / 1000)
  }
  return shortest
}
