import { expect, test } from 'vitest'
import { amountText, leftText } from './amount.ts'

test('an amount names its unit', () => {
  expect([
    amountText(3, 'bunches'),
    amountText(1200, 'g'),
    amountText(1, null),
    amountText(12, null),
  ]).toEqual(['3 bunches', '1,200 g', '1 piece', '12 pieces'])
})

test('a listing tells what is left of it', () => {
  const left = (quantity_left: number | null, unit: string | null) => leftText({ quantity_left, unit })
  expect([left(3, 'bunches'), left(1, null), left(12, null)]).toEqual([
    '3 bunches left',
    '1 piece left',
    '12 pieces left',
  ])
  expect([left(0, 'bunches'), left(null, null)]).toEqual([undefined, undefined])
})
