import { plural, t } from '@lingui/core/macro'
import type { Listing } from '#contract/listings.ts'
import { formatNumber } from '#web/i18n/formats.ts'

/** Returns how many of a unit: "3 bunches", "12 pieces" without a unit. */
export function amountText(count: number, unit: string | null): string {
  if (unit === null) return plural(count, { one: '# piece', other: '# pieces' })
  return t`${{ count: formatNumber(count) }} ${{ unit }}`
}

/** Returns how many of a listing are left: "3 bunches left". Undefined if it is given as a whole or nothing is left. */
export function leftText({ quantity_left: left, unit }: Pick<Listing, 'quantity_left' | 'unit'>) {
  if (left === null || left === 0) return undefined
  if (unit === null) return plural(left, { one: '# piece left', other: '# pieces left' })
  return t`${{ count: formatNumber(left) }} ${{ unit }} left`
}
