import { expect, onTestFinished, test } from 'vitest'
import { readLocaleWith } from './i18n.ts'
import { readNumber } from './read-number.ts'

function readIn(tag: string, typed: string): number {
  readLocaleWith(() => tag)
  onTestFinished(() => readLocaleWith(() => 'en'))
  return readNumber(typed)
}

const unreadable = Number.NaN

test.each([
  ['en-US', '1,250', 1250],
  ['en-US', '1.250', unreadable],
  ['es-US', '1,250', 1250],
  ['es-US', '1.250', unreadable],
  ['es-MX', '1,250', 1250],
  ['es-ES', '1.250', 1250],
  ['es-ES', '1,250', unreadable],
  ['de-DE', '1.250', 1250],
  ['de-DE', '1,250', unreadable],
  ['de-US', '1.250', 1250],
  ['ar-US', '1,250', 1250],
  ['ar-US', '1.250', unreadable],
  ['ar-EG', '١٬٢٥٠', 1250],
  ['ar-EG', '1,250', unreadable],
])('in %s, a typed "%s" is %d', (tag, typed, expected) => {
  expect(readIn(tag, typed)).toBe(expected)
})

test.each(['en-US', 'es-US', 'es-MX', 'es-ES', 'de-DE', 'de-US', 'ar-US', 'ar-EG'])(
  'in %s, a text with one meaning is read, and a malformed one is not',
  (tag) => {
    for (const [typed, expected] of [
      ['3,50', 3.5],
      ['3.50', 3.5],
      ['.5', 0.5],
      ['12.', 12],
      ['0', 0],
      ['-4', -4],
      ['1,250.50', 1250.5],
      ['1.250,50', 1250.5],
      ['1 250', 1250],
      ['1,250,000', 1_250_000],
      ['\u200e\uff17,\uff15\u200b', 7.5],
      ['٣٫٥٠', 3.5],
      ['', unreadable],
      ['.', unreadable],
      ['12,50,1', unreadable],
      ['1,250,50', unreadable],
      ['0,250', unreadable],
      ['12500,250', unreadable],
      ['1.2345', unreadable],
      ['1e3', unreadable],
      ['4 dollars', unreadable],
    ] as const)
      expect(readIn(tag, typed), typed).toBe(expected)
  },
)
