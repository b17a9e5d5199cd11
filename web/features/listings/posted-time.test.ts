import { expect, test } from 'vitest'
import { postedAgo } from './posted-time.tsx'

const at = (...[year, month, day, hour = 12]: [number, number, number, number?]) =>
  new Date(year, month, day, hour).toISOString()

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
  expect(postedAgo(moment, new Date(2026, 10, 22, 12).getTime())).toBe(words)
})
