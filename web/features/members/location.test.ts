import { expect, test } from 'vitest'
import { fullLocation } from './location.ts'

const unknown = { city: null, state: null, zip_code: null }

test.each([
  [{ city: 'Portland', state: 'OR', zip_code: '97214' }, 'Portland, OR 97214'],
  [{ city: 'Portland', state: 'OR' }, 'Portland, OR'],
  [{ city: 'Portland', zip_code: '97214' }, 'Portland, 97214'],
  [{ zip_code: '97214' }, '97214'],
  [{}, ''],
])('joins the known parts of the address %o', (parts, address) => {
  expect(fullLocation({ ...unknown, ...parts })).toBe(address)
})
