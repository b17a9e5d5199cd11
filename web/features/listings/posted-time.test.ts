import { expect, test } from 'vitest'
import { postedAgo } from './posted-time.tsx'

test.each([
  ['2026-11-22T11:00:00.000Z', 'today'],
  ['2026-11-22T13:00:00.000Z', 'today'],
  ['2026-11-21T11:00:00.000Z', 'yesterday'],
  ['2026-11-19T12:00:00.000Z', '3 days ago'],
  ['2026-11-08T12:00:00.000Z', '2 weeks ago'],
  ['2026-08-22T12:00:00.000Z', '3 months ago'],
  ['2024-11-22T12:00:00.000Z', '2 years ago'],
])('describes the time %s as %s at noon on 22 November 2026', (at, words) => {
  expect(postedAgo(at, Date.parse('2026-11-22T12:00:00.000Z'))).toBe(words)
})
