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

/** What a listing asks for, in words: its price when it is for sale, otherwise its type. */
export function priceText({ type_id, price }: Pick<Listing, 'type_id' | 'price'>): string {
  if (type_id === types.sell) return formatPrice(price)
  return type_id === types.exchange ? 'exchange' : 'giveaway'
}
