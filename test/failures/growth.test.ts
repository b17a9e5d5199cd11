import { expect, test } from 'vitest'
import { randomFrom } from '#test/fault-injection/random.ts'
import { seed } from '#test/seed.ts'
import { growthOf, isFlat } from './growth.ts'

const slack = { share: 0.1, least: 16 }

/** A process of 150 MB whose memory comes and goes by 20, and that loses some a minute, over 20 minutes. */
function memory(leakPerMinute: number) {
  const random = randomFrom(seed)
  return Array.from({ length: 240 }, (_, index) => ({
    seconds: index * 5,
    value: 150 + random.between(-20, 20) + (leakPerMinute * index * 5) / 60,
  }))
}

test('a soak tells a leak from what comes and goes', () => {
  expect(growthOf([0, 1, 2].map((seconds) => ({ seconds, value: 3 * seconds })))).toBe(6)
  expect(isFlat(memory(0), slack)).toBe(true)
  expect(isFlat(memory(-1), slack)).toBe(true)
  expect(isFlat(memory(2), slack)).toBe(false)
})
