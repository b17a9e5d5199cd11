import { expect, test } from 'vitest'
import { dayOf, daysUntil, endAfter, endsIn } from './end-time.ts'

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

test('names the day of the end, with the year if it is not this year', () => {
  expect(dayOf(at(2026, 11, 7), now)).toBe('December 7')
  expect(endAfter(14, now)).toBe('December 7')
  expect(endAfter(365, now)).toBe('November 23, 2027')
})

test.each([undefined, Number.NaN, 2, 366, 3.5])(
  'names no day after %s days, which are not allowed',
  (days) => {
    expect(endAfter(days, now)).toBeUndefined()
  },
)

test('counts days by midnights, also across a change of the clocks', () => {
  expect(daysUntil(at(2026, 10, 24, 0), now)).toBe(1)
  expect(daysUntil(at(2027, 3, 1), now)).toBe(129)
})
