import { t } from '@lingui/core/macro'
import { type CategoryId, categories, categoryName } from '#contract/constants.ts'

export type CategoryName = ReturnType<typeof categoryName>
/** A category in an address. */
export type CategoryKey = keyof typeof categories

/** The categories of forms and filters, in the order of the screens. */
export const categoryChoices = ['produce', 'seeds', 'plants'] as const satisfies CategoryKey[]

/** The groups of a list by category, in the order of the screens. */
export const groupNames: readonly CategoryName[] = [...categoryChoices, 'uncategorized']

/** Returns the id of a category, null for uncategorized. */
export function categoryIdOf(name: CategoryName): CategoryId | null {
  return name === 'uncategorized' ? null : categories[name]
}

/** Groups the items by category. Leaves out empty groups. */
export function groupByCategory<Item extends { category_id: CategoryId | null }>(items: readonly Item[]) {
  const groups = Map.groupBy(items, ({ category_id }) => categoryName(category_id))
  return groupNames.flatMap((name) => {
    const group = groups.get(name)
    return group === undefined ? [] : [{ name, items: group }]
  })
}

/** Returns the name of a category in the language of the page. `CategoryName` itself is a key, also in addresses. */
export function categoryLabel(name: CategoryName): string {
  const labels: Record<CategoryName, string> = {
    produce: t`produce`,
    seeds: t`seeds`,
    plants: t`plants`,
    uncategorized: t`uncategorized`,
  }
  return labels[name]
}
