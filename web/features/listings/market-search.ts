import { type CategoryId, categories } from '#contract/constants.ts'
import { categoryChoices } from './categories.ts'
import type { Owners } from './listing-queries.ts'

/** What the marketplace keeps in its address. Public and every category are what it shows without saying. */
export interface MarketSearch {
  tab?: 'friends'
  category?: keyof typeof categories
}

export function marketSearch({ tab, category }: Record<string, unknown>): MarketSearch {
  const chosen = categoryChoices.find((name) => name === category)
  return { ...(tab === 'friends' && { tab }), ...(chosen && { category: chosen }) }
}

export function marketOwners({ tab }: MarketSearch): Owners {
  return tab ?? 'public'
}

export function marketCategory({ category }: MarketSearch): CategoryId | undefined {
  return category && categories[category]
}
