import type { categories } from '#contract/constants.ts'
import { categoryChoices } from '#web/features/listings/categories.ts'

/** The query string of the wants near the member. */
export interface NearbySearch {
  category?: keyof typeof categories | undefined
}

export function parseNearbySearch({ category }: Record<string, unknown>): NearbySearch {
  return { category: categoryChoices.find((name) => name === category) }
}
