// Prints how often blocks of code run while texts are parsed, as JSON. A process of its own, because V8 counts the blocks of code only that
// it compiles afterwards.
import { Session } from 'node:inspector/promises'

const session = new Session()
session.connect()
await session.post('Profiler.enable')
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
const { growths, misspeltGrowth } = await import('./growing-texts.ts')

const misspelt = misspeltGrowth()
const counted = [...growths(), misspelt]
for (const { short } of counted) short()

const counts: Record<string, { short: number; long: number }> = {}
for (const { name, short, long } of counted)
  counts[name] = { short: await count(short), long: await count(long) }
console.log(JSON.stringify(counts))

/** Returns how often functions and blocks ran. */
async function count(work: () => unknown): Promise<number> {
  await session.post('Profiler.takePreciseCoverage')
  work()
  const { result } = await session.post('Profiler.takePreciseCoverage')
  return result
    .filter(({ url }) => !url.endsWith('/count-work.ts'))
    .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges))
    .reduce((sum, range) => sum + range.count, 0)
}
