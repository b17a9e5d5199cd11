import type { ClassifiedItem } from './classify.ts'
import { noTraits, type Trait } from './trait.ts'

/** Returns whether the traits exclude each other: orange carrots are no purple ones, and "not thornless" is no thornless one. */
export function contradict(a: readonly Trait[], b: readonly Trait[]): boolean {
  if (a.length === 0 || b.length === 0) return false
  return a.some(({ of }) => {
    const [values, others] = [valuesOf(a, of), valuesOf(b, of)]
    const excludes = values.length > 0 && others.length > 0 && !values.some((value) => others.includes(value))
    return excludes || denies(a, of, others) || denies(b, of, values)
  })
}

function valuesOf(traits: readonly Trait[], of: string): string[] {
  return traits.flatMap((trait) => (trait.of === of && !trait.isDenied ? trait.values : []))
}

function denies(traits: readonly Trait[], of: string, values: readonly string[]): boolean {
  const denied = traits.filter((trait) => trait.of === of && trait.isDenied).flatMap((trait) => trait.values)
  return values.length > 0 && values.every((value) => denied.includes(value))
}

/**
 * Returns the traits of the name at `at`, by the words before it: "red beets". `isOnly`: the text has no other name, so traits may be
 * anywhere in it.
 */
export function traitsAt(items: readonly ClassifiedItem[], at: number, isOnly: boolean): readonly Trait[] {
  if (!items.some(({ traits, color }) => traits.length > 0 || color !== undefined)) return noTraits
  const found = isOnly ? items.flatMap(traitsOf) : [...(items[at]?.traits ?? noTraits)]
  for (let index = at - 1; index >= 0 && items[index + 1]?.gap === 'none'; index -= 1) {
    const item = items[index]
    if (item?.color !== undefined) found.push(item.color)
    else if (!item || item.senses.length > 0) break
    else found.push(...traitsOf(item))
  }
  return found
}

function traitsOf({ traits, color, status, senses }: ClassifiedItem): readonly Trait[] {
  if (status === 'denied' && color) return [{ ...color, isDenied: true }]
  if (status !== 'denied' || senses.length > 0) return traits
  return traits.map((trait) => ({ ...trait, isDenied: true }))
}
