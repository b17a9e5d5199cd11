import type { Item } from './recognize.ts'
import { noTraits, type Trait } from './trait.ts'
import type { Role } from './words.ts'

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

const adjacentRoles: readonly Role[] = [
  'qualifiers',
  'colors',
  'forms',
  'measures',
  'conjunctions',
  'function_words',
]

/**
 * Returns the traits of the name at `at`, by the words beside it and by those after it that belong to no other name: "red beets",
 * "beets, red and golden". `isOnly`: the text has no other name, so all traits except colors may be anywhere.
 */
export function traitsAt(items: readonly Item[], at: number, isOnly: boolean): readonly Trait[] {
  if (!items.some(({ traits, color }) => traits.length > 0 || color !== undefined)) return noTraits
  const found = [...(items[at]?.traits ?? noTraits)]
  addBefore(found, items, at)
  addAfter(found, items, at)
  if (isOnly)
    for (const { traits } of items) for (const trait of traits) if (trait.of !== 'color') found.push(trait)
  return found
}

function addBefore(found: Trait[], items: readonly Item[], at: number): void {
  for (let index = at - 1; index >= 0 && items[index + 1]?.gap === 'none'; index -= 1) {
    const item = items[index]
    if (!item) return
    if (item.color !== undefined && !item.isPlural) found.push(item.color)
    else if (item.senses.length > 0 || !isBeside(item)) return
    else found.push(...item.traits)
  }
}

function addAfter(found: Trait[], items: readonly Item[], at: number): void {
  for (let index = at + 1; index < items.length; index += 1) {
    const item = items[index]
    if (!item || item.gap === 'stop') return
    if (item.color !== undefined && !item.isPlural) {
      found.push(item.color)
      continue
    }
    if (item.senses.length > 0 && !item.isPostModifier) return
    if (!item.isNumber && !item.isPostModifier && !isBeside(item)) return
    found.push(...item.traits)
  }
}

function isBeside({ roles }: Item): boolean {
  return adjacentRoles.some((role) => roles.has(role))
}
