import { expect, test } from 'vitest'
import { endAfter, endsIn } from './end-time.ts'

const now = new Date(2026, 10, 23, 15).getTime()
const at = (...[year, month, day, hour = 12]: [number, number, number, number?]) =>
  new Date(year, month, day, hour).toISOString()

test.each([
  [at(2026, 10, 23, 16), 'Ends today'],
  [at(2026, 10, 24, 1), 'Ends tomorrow'],
  [at(2026, 10, 25, 23), 'Ends in 2 days'],
  [at(2027, 0, 21), 'Ends in 59 days'],
  [at(2027, 0, 22), 'Ends in 2 months'],
  [at(2027, 10, 23), 'Ends in 12 months'],
  [at(2026, 10, 23, 14), 'Ended today'],
  [at(2026, 10, 22, 23), 'Ended yesterday'],
  [at(2026, 10, 13), 'Ended 10 days ago'],
  [at(2026, 8, 1), 'Ended 2 months ago'],
])('describes the end at %s as %s at three in the afternoon of 23 November 2026', (moment, words) => {
  expect(endsIn(moment, now)).toBe(words)
})

test('returns the end of a listing of 14 days', () => {
  expect(endAfter(14, now)).toBe(at(2026, 11, 7, 15))
})

test.each([undefined, Number.NaN, 2, 366, 3.5])(
  'returns no end after %s days, which are not allowed',
  (days) => {
    expect(endAfter(days, now)).toBeUndefined()
  },
)
