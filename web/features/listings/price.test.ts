import { expect, onTestFinished, test } from 'vitest'
import { types } from '#contract/constants.ts'
import { readLocaleWith } from '#web/i18n/i18n.ts'
import { readNumber } from '#web/i18n/read-number.ts'
import { defaultRegion, readRegionWith } from '#web/i18n/region.ts'
import { currencyAffix, fieldPrice, priceText } from './price.ts'

test.each([
  [4, '$4'],
  [4.5, '$4.50'],
  [0.01, '$0.01'],
  [1250, '$1,250'],
  [99_999.99, '$99,999.99'],
])('shows %d dollars as %s, with cents only if there are some', (price, text) => {
  expect(priceText({ type_id: types.sell, price })).toBe(text)
})

test('shows the type of a listing that is not for sale', () => {
  expect(priceText({ type_id: types.exchange, price: 0 })).toBe('exchange')
  expect(priceText({ type_id: types.giveaway, price: 0 })).toBe('giveaway')
})

test('writes a price with its cents into the field, and nothing for no price', () => {
  expect([4, 3.5, 0.01, 1250, 0].map(fieldPrice)).toEqual(['4', '3.50', '0.01', '1250', ''])
})

test.each([
  ['es-US', '1250.50'],
  ['es-ES', '1250,50'],
  ['de-US', '1250,50'],
  ['ar-US', '1250.50'],
  ['ar-EG', '١٢٥٠٫٥٠'],
])('in %s, the field has the price as %s, which is read as the same price', (tag, text) => {
  readLocaleWith(() => tag)
  onTestFinished(() => readLocaleWith(() => 'en'))
  expect(fieldPrice(1250.5)).toBe(text)
  expect(readNumber(text)).toBe(1250.5)
})

test('shows prices in the currency of the site', () => {
  readRegionWith(() => ({ ...defaultRegion, currency: 'EUR' }))
  onTestFinished(() => readRegionWith(() => defaultRegion))
  expect(priceText({ type_id: types.sell, price: 4.5 })).toBe('€4.50')
})

test.each([
  ['en-US', 'USD', '$', 'start', '$4.50'],
  ['es-US', 'USD', '$', 'start', '$4.50'],
  ['de-US', 'USD', '$', 'end', '4,50\u00a0$'],
  ['es-ES', 'EUR', '€', 'end', '4,50\u00a0€'],
  ['ar-US', 'USD', 'US$', 'end', '\u200f4.50\u00a0US$'],
])('in %s, %s has the sign %s at the %s of the field, as in %s', (tag, currency, sign, side, text) => {
  readLocaleWith(() => tag)
  readRegionWith(() => ({ ...defaultRegion, currency }))
  onTestFinished(() => {
    readLocaleWith(() => 'en')
    readRegionWith(() => defaultRegion)
  })
  expect(currencyAffix()).toEqual({ sign, side })
  expect(priceText({ type_id: types.sell, price: 4.5 })).toBe(text)
})
