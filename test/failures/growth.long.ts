import { expect, test } from 'vitest'
import { randomFrom } from '#test/fault-injection/random.ts'
import { seed } from '#test/seed.ts'
import { growthOf, isFlat } from './growth.ts'

const slack = { share: 0.1, least: 16 }

/** Returns 20 minutes of samples of 150 MB that vary by 20 MB and grow by `leakPerMinute`. */
function memory(leakPerMinute: number) {
  const random = randomFrom(seed)
  return Array.from({ length: 240 }, (_, index) => ({
    seconds: index * 5,
    value: 150 + random.between(-20, 20) + (leakPerMinute * index * 5) / 60,
  }))
}

test('distinguishes a leak from normal variation', () => {
  expect(growthOf([0, 1, 2].map((seconds) => ({ seconds, value: 3 * seconds })))).toBe(6)
  expect(isFlat(memory(0), slack)).toBe(true)
  expect(isFlat(memory(-1), slack)).toBe(true)
  expect(isFlat(memory(2), slack)).toBe(false)
})
