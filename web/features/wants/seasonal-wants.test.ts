import { expect, test } from 'vitest'
import { seasonalWants } from './seasonal-wants.ts'

test.each([
  ['2026-04-10', 'US', 'rhubarb'],
  ['2026-07-10', 'US', 'zucchini'],
  ['2026-10-10', 'US', 'apples'],
  ['2026-01-10', 'US', 'lemons'],
  ['2026-04-10', 'AU', 'apples'],
  ['2026-12-10', 'NZ', 'zucchini'],
])('at %s in %s members are reminded of %s', (day, country, example) => {
  expect(seasonalWants(new Date(day), country)).toContain(example)
})
