import type { Sense } from './concept.ts'
import type { Item } from './recognize.ts'

/** Returns the senses of a name that belong to another of the names, or all if none does. */
export function disambiguate(items: readonly Item[], names: readonly number[], at: number): readonly Sense[] {
  const senses = items[at]?.senses ?? []
  if (senses.length < 2) return senses
  const others = names.filter((other) => other !== at).flatMap((other) => items[other]?.senses ?? [])
  const fitting = senses.filter(({ concept }) =>
    others.some((other) => other.concept !== concept && concept.ancestors.has(other.concept.term)),
  )
  return fitting.length > 0 ? fitting : senses
}
