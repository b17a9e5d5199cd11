import { expect, test } from 'vitest'
import { types } from '#contract/constants.ts'
import { priceText, writtenPrice } from './price.ts'

test.each([
  [4, '$4'],
  [4.5, '$4.50'],
  [0.01, '$0.01'],
  [1250, '$1,250'],
  [99_999.99, '$99,999.99'],
])('a sale for %d shows %s: cents only where there are some', (price, text) => {
  expect(priceText({ type_id: types.sell, price })).toBe(text)
})

test('what is not for sale shows its type', () => {
  expect(priceText({ type_id: types.exchange, price: 0 })).toBe('exchange')
  expect(priceText({ type_id: types.giveaway, price: 0 })).toBe('giveaway')
})

test('in its field a price has its cents, and none leaves the field empty', () => {
  expect([4, 3.5, 0.01, 0, Number.NaN].map(writtenPrice)).toEqual(['4', '3.50', '0.01', '', ''])
})
