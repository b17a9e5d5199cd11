import { expect, test } from 'vitest'
import { readyFrom, readyIn } from './ready.ts'

const now = new Date('2026-05-20T12:00:00')

test.each([
  ['2026-06-12', 'Ready in June', 'Ready from June 12'],
  ['2027-02-01', 'Ready in February 2027', 'Ready from February 1, 2027'],
  ['2026-05-20', undefined, undefined],
  [null, undefined, undefined],
])('a listing that is ready from %s says %s', (ready_from, month, day) => {
  expect([readyIn({ ready_from }, now), readyFrom({ ready_from }, now)]).toEqual([month, day])
})
