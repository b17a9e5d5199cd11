import { t } from '@lingui/core/macro'
import { types } from '#contract/constants.ts'
import type { Listing } from '#contract/listings.ts'
import { perLocale } from '#web/i18n/formats.ts'

const money = perLocale(
  (tag) =>
    new Intl.NumberFormat(tag, {
      style: 'currency',
      currency: 'USD',
      currencyDisplay: 'narrowSymbol',
      trailingZeroDisplay: 'stripIfInteger',
    }),
)

/** Returns "$4" or "$4.50", with cents only if there are some. */
export function formatPrice(dollars: number): string {
  return money().format(dollars)
}

/** Returns the value of the price field: "4" or "4.50", or empty for no price. */
export function fieldPrice(dollars: number): string {
  if (!(dollars > 0)) return ''
  return Number.isInteger(dollars) ? String(dollars) : dollars.toFixed(2)
}

/** Returns the price of a sale, or the type of any other listing. */
export function priceText({ type_id, price }: Pick<Listing, 'type_id' | 'price'>): string {
  if (type_id === types.sell) return formatPrice(price)
  return type_id === types.exchange ? t`exchange` : t`giveaway`
}
