import { type CategoryId, categories, categoryName } from '#contract/constants.ts'
import type { Listing } from '#contract/listings.ts'

export type CategoryName = ReturnType<typeof categoryName>

/** What can be chosen, in the order of the screens. */
export const categoryChoices = ['produce', 'seeds', 'plants'] as const satisfies (keyof typeof categories)[]

/** What a list is grouped by. */
const groupNames: readonly CategoryName[] = [...categoryChoices, 'uncategorized']

export function categoryId(name: keyof typeof categories): CategoryId {
  return categories[name]
}

/** The groups that have something in them. */
export function byCategory(listings: readonly Listing[]) {
  const groups = Map.groupBy(listings, (listing) => categoryName(listing.category_id))
  return groupNames.flatMap((name) => {
    const group = groups.get(name)
    return group === undefined ? [] : [{ name, listings: group }]
  })
}
