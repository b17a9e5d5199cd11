import { type CategoryKey, categoryChoices } from '#web/features/listings/categories.ts'

/** The query string of the wants near the member. */
export interface NearbySearch {
  category?: CategoryKey | undefined
}

export function parseNearbySearch({ category }: Record<string, unknown>): NearbySearch {
  return { category: categoryChoices.find((name) => name === category) }
}
