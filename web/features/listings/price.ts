import { types } from '#contract/constants.ts'
import type { Listing } from '#contract/listings.ts'

const usDollars = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  trailingZeroDisplay: 'stripIfInteger',
})

/** Returns "$4" or "$4.50", with cents only if there are some. */
export function formatPrice(dollars: number): string {
  return usDollars.format(dollars)
}

/** Returns the value of the price field: "4" or "4.50", or empty for no price. */
export function fieldPrice(dollars: number): string {
  if (!(dollars > 0)) return ''
  return Number.isInteger(dollars) ? String(dollars) : dollars.toFixed(2)
}

/** Returns the price of a sale, or the type of any other listing. */
export function priceText({ type_id, price }: Pick<Listing, 'type_id' | 'price'>): string {
  if (type_id === types.sell) return formatPrice(price)
  return type_id === types.exchange ? 'exchange' : 'giveaway'
}
