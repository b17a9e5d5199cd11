import { expect, test } from 'vitest'
import { dayName, dayOf, daysUntil, shortTime, timeAgo } from './time.tsx'

const at = (...[year, month, day, hour = 12, minute = 0]: [number, number, number, number?, number?]) =>
  new Date(year, month, day, hour, minute).toISOString()

test('formats a time of today as hour and minute, an earlier one with month and day', () => {
  const now = new Date(2026, 8, 13, 20, 0)

  expect(shortTime(at(2026, 8, 13, 8, 12), now)).toBe('8:12 AM')
  expect(shortTime(at(2026, 8, 12, 19, 48), now)).toBe('Sep 12, 7:48 PM')
})

test('names today and yesterday, and formats earlier days as dates', () => {
  const now = new Date(2026, 0, 1, 9, 0)

  expect(dayName(at(2026, 0, 1, 0, 5), now)).toBe('Today')
  expect(dayName(at(2025, 11, 31, 23, 55), now)).toBe('Yesterday')
  expect(dayName(at(2025, 11, 24), now)).toBe('December 24, 2025')
  expect(dayName(at(2026, 0, 1), new Date(2026, 4, 1))).toBe('January 1')
})

test('names a day, with the year if it is not this year', () => {
  const now = new Date(2026, 10, 23)

  expect(dayOf(at(2026, 11, 7), now)).toBe('December 7')
  expect(dayOf(at(2027, 10, 23), now)).toBe('November 23, 2027')
})

test.each([
  [at(2026, 10, 22, 1), 'today'],
  [at(2026, 10, 22, 13), 'today'],
  [at(2026, 10, 21, 23), 'yesterday'],
  [at(2026, 10, 21, 1), 'yesterday'],
  [at(2026, 10, 20, 23), '2 days ago'],
  [at(2026, 10, 8), '2 weeks ago'],
  [at(2026, 7, 22), '3 months ago'],
  [at(2024, 10, 22), '2 years ago'],
])('describes the time %s as %s at noon on 22 November 2026', (moment, words) => {
  expect(timeAgo(moment, new Date(2026, 10, 22, 12).getTime())).toBe(words)
})

test('counts days by midnights, also across a change of the clocks', () => {
  const now = new Date(2026, 10, 23, 15).getTime()

  expect(daysUntil(at(2026, 10, 24, 0), now)).toBe(1)
  expect(daysUntil(at(2027, 3, 1), now)).toBe(129)
})
