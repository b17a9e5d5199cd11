import type { Item } from './recognize.ts'
import { noTraits, type Trait } from './trait.ts'

/** Returns whether the traits exclude each other: orange carrots are no purple ones. */
export function contradict(a: readonly Trait[], b: readonly Trait[]): boolean {
  return (
    a.length > 0 &&
    b.length > 0 &&
    a.some(({ of }) => {
      const values = valuesOf(b, of)
      return values.length > 0 && !valuesOf(a, of).some((value) => values.includes(value))
    })
  )
}

function valuesOf(traits: readonly Trait[], of: string): string[] {
  return traits.flatMap((trait) => (trait.of === of ? trait.values : []))
}

/**
 * Returns the traits of the name at `at`, by the words before it: "red beets". `isOnly`: the text has no other name, so traits may be
 * anywhere in it.
 */
export function traitsAt(items: readonly Item[], at: number, isOnly: boolean): readonly Trait[] {
  if (!items.some(({ traits, color }) => traits.length > 0 || color !== undefined)) return noTraits
  const found = isOnly ? items.flatMap(({ traits }) => traits) : [...(items[at]?.traits ?? noTraits)]
  for (let index = at - 1; index >= 0 && items[index + 1]?.gap === 'none'; index -= 1) {
    const item = items[index]
    if (item?.color !== undefined) found.push(item.color)
    else if (!item || item.senses.length > 0) break
    else found.push(...item.traits)
  }
  return found
}
