import { types } from '#contract/constants.ts'
import type { Listing } from '#contract/listings.ts'

/** "$4" or "$4.50": cents only where there are some. */
export function formatPrice(dollars: number): string {
  const digits = Number.isInteger(dollars) ? 0 : 2
  return dollars.toLocaleString('en-US', {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
}

/** A price as it stands in its field: "4" or "4.50", and of none nothing, so that nothing is in the way of what is typed. */
export function writtenPrice(dollars: number): string {
  if (!(dollars > 0)) return ''
  return Number.isInteger(dollars) ? String(dollars) : dollars.toFixed(2)
}

/** Returns a sale's price, or else the type, as text. */
export function priceText({ type_id, price }: Pick<Listing, 'type_id' | 'price'>): string {
  if (type_id === types.sell) return formatPrice(price)
  return type_id === types.exchange ? 'exchange' : 'giveaway'
}
