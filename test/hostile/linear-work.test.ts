import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { factor } from './growing-texts.ts'

// `npm run bench:growth` measures the time, also that of patterns.
test('parsing a text that is eight times as long runs no more than eight times as many blocks of code', async () => {
  const counted = await promisify(execFile)(process.execPath, ['test/hostile/count-work.ts'])
  const counts = JSON.parse(counted.stdout) as Record<string, { short: number; long: number }>
  const { 'misspelt words': misspelt = { short: 0, long: Infinity }, ...others } = counts

  for (const [name, { short, long }] of Object.entries(others))
    expect.soft(long / short, name).toBeLessThan(1.1 * factor)
  // The number of words that are corrected is limited.
  expect(misspelt.long / misspelt.short).toBeLessThan(factor / 2)
})
