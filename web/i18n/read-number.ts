import { normalizeIdentifier } from '#contract/identifiers.ts'
import { perLocale } from './formats.ts'

/** Whole digits or groups of three, then at most two decimals. */
const shape =
  /^-?(?=[.,]?\d)(?:(?<first>\d{1,3})(?<group>[.,'’ ])\d{3}(?<more>\k<group>\d{3})*|\d*)(?<fraction>[.,]\d{0,2})?$/u

const groupSign = perLocale(
  (tag) => new Intl.NumberFormat(tag).formatToParts(123_456).find(({ type }) => type === 'group')?.value,
)

/**
 * Returns the number that a reader of the page's language has typed, or NaN. "1,250" is 1250 in English and unreadable in German, where
 * it could also mean 1.25. "3,50" and "1.250,00" have one meaning, so every language reads them.
 */
export function readNumber(typed: string): number {
  const text = normalizeIdentifier(typed.replaceAll('\u066C', '’'))
  const parts = shape.exec(text)?.groups
  if (parts === undefined) return Number.NaN
  const { first, group, more, fraction = '' } = parts
  const isAmbiguous =
    (group === '.' || group === ',') && more === undefined && fraction === '' && group !== groupSign()
  const isMalformed = first === '0' || (group !== undefined && group === fraction[0])
  if (isAmbiguous || isMalformed) return Number.NaN
  const whole = text.slice(0, text.length - fraction.length).replaceAll(/[^\d-]/gu, '')
  return Number(`${whole}.${fraction.slice(1) || '0'}`)
}
