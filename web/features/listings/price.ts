import { t } from '@lingui/core/macro'
import { types } from '#contract/constants.ts'
import type { Listing } from '#contract/listings.ts'
import { moneyFormat } from '#contract/money.ts'
import { perLocale } from '#web/i18n/formats.ts'
import type { Affix } from '#web/ui/field.tsx'

const money = perLocale(moneyFormat)

/** Returns the sign of the site's currency for a price field, on the side where the language writes it. */
export const currencyAffix = perLocale((tag, currency): Affix => {
  const parts = moneyFormat(tag, currency)
    .formatToParts(0)
    .map(({ type, value }) => [type, value] as const)
  const sign = parts.findIndex(([type]) => type === 'currency')
  const amount = parts.findIndex(([type]) => type === 'integer')
  return { sign: parts[sign]?.[1] ?? currency, side: sign < amount ? 'start' : 'end' }
})

/** Returns "$4" or "$4.50", with cents only if there are some. */
export function formatPrice(price: number): string {
  return money().format(price)
}

const amount = perLocale(
  (tag) =>
    new Intl.NumberFormat(tag, {
      minimumFractionDigits: 2,
      maximumFractionDigits: 2,
      trailingZeroDisplay: 'stripIfInteger',
      useGrouping: false,
    }),
)

/** Returns the value of the price field: "4" or "4.50" as the page's language writes it, or empty for no price. */
export function fieldPrice(price: number): string {
  return price > 0 ? amount().format(price) : ''
}

/** Returns the price of a sale, or the type of any other listing. */
export function priceText({ type_id, price }: Pick<Listing, 'type_id' | 'price'>): string {
  if (type_id === types.sell) return formatPrice(price)
  return type_id === types.exchange ? t`exchange` : t`giveaway`
}
