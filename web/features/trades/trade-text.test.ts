import { describe, expect, test } from 'vitest'
import { ordinal, stateWord } from './trade-text.ts'

describe('the place in line', () => {
  test.each([
    [1, '1st'],
    [2, '2nd'],
    [3, '3rd'],
    [4, '4th'],
    [11, '11th'],
    [12, '12th'],
    [21, '21st'],
    [112, '112th'],
  ])('is %i as %s', (count, text) => expect(ordinal(count)).toBe(text))
})

describe('the stamp of a trade', () => {
  test('says that its listing is gone', () => {
    expect(stateWord({ kind: 'single', state: 'lapsed', end_reason: 'given' })).toBe('gone')
  })

  test.each([
    ['single', 'requested', 'asked'],
    ['swap', 'requested', 'proposed'],
    ['ring', 'accepted', 'promised'],
    ['single', 'lapsed', 'lapsed'],
  ] as const)('of a %s that is %s says %s', (kind, state, word) =>
    expect(stateWord({ kind, state, end_reason: null })).toBe(word),
  )
})
